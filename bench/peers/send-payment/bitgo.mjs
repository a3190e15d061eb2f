import { definePeer } from '../../lib/define.mjs'
import { saplingFrom, signPayments, verifyPayment } from '../../libraries/bitgo.mjs'

export const peer = definePeer({
  name: '@bitgo/utxo-lib',
  run: ({ fields, prevouts, key }) => {
    const spent = prevouts.map(({ value, script }) => ({
      value: Number(value),
      script: Buffer.from(script, 'hex'),
    }))
    const keys = spent.map(() => Buffer.from(key, 'hex'))
    const tx = signPayments({ tx: saplingFrom(fields), prevouts: spent, keys })
    if (!spent.every((prevout, index) => verifyPayment(tx, index, prevout))) {
      throw new Error('a signature is wrong')
    }
    return tx.toHex()
  },
})
