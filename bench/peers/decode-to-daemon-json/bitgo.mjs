import utxolib from '@bitgo/utxo-lib'
import { definePeer } from '../../lib/define.mjs'
import { fields, fromHex } from '../../libraries/bitgo.mjs'
import { daemonJsonWriter, paymentsOnly } from '../../libraries/daemon-json.mjs'

const komodoPubKeyHash = 60
const write = daemonJsonWriter(utxolib.script, (outputScript) =>
  utxolib.address.toBase58Check(outputScript.subarray(3, 23), komodoPubKeyHash),
)

export const peer = definePeer({
  name: '@bitgo/utxo-lib',
  note: 'put together by hand from decode, getId, decompile and addresses',
  cannot: paymentsOnly,
  prepare: ({ hex }) => hex,
  run: (hex) => {
    const tx = fromHex(hex)
    return write(tx, fields(tx))
  },
})
