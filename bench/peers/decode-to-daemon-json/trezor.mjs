import trezor from '@trezor/utxo-lib'
import { definePeer } from '../../lib/define.mjs'
import { daemonJsonWriter, paymentsOnly } from '../../libraries/daemon-json.mjs'
import { fields, fromHex } from '../../libraries/trezor.mjs'

const { komodo } = trezor.networks
const write = daemonJsonWriter(trezor.script, (outputScript) =>
  trezor.address.fromOutputScript(outputScript, komodo),
)

export const peer = definePeer({
  name: '@trezor/utxo-lib',
  note: 'put together by hand from decode, getId, decompile and addresses',
  cannot: paymentsOnly,
  prepare: ({ hex }) => hex,
  run: (hex) => {
    const tx = fromHex(hex)
    return write(tx, fields(tx))
  },
})
