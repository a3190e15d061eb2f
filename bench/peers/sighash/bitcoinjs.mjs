import { definePeer } from '../../lib/define.mjs'
import { fromHex } from '../../libraries/bitcoinjs.mjs'
import { bitcoinOnly, hexOfAll } from '../../libraries/common.mjs'

const hashTypeAll = 1

export const peer = definePeer({
  name: 'bitcoinjs-lib',
  cannot: bitcoinOnly,
  prepare: ({ hex, prevouts }) => ({
    tx: fromHex(hex),
    scripts: prevouts.map(({ script }) => Buffer.from(script, 'hex')),
  }),
  run: ({ tx, scripts }) =>
    scripts.map((script, index) => tx.hashForSignature(index, script, hashTypeAll)),
  answer: hexOfAll,
})
