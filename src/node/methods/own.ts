// What a development node has and no daemon: marked as ours by its category.

import type { Methods } from './context.ts'
import { text } from './params.ts'

export const ownMethods: Methods = {
  testmempoolaccept: {
    usage: 'testmempoolaccept "hexstring"',
    category: 'Development node',
    params: [1, 1],
    about:
      'What sendrawtransaction would answer, with what a contract module only writes to its log.',
    answer({ engine }, [hex]) {
      const verdict = engine.judge(text(hex))
      if (verdict.ok) {
        return { allowed: true, txid: verdict.transaction.txid, fee: verdict.fee }
      }
      const { code, message, reason } = verdict
      return { allowed: false, code, message, reason }
    },
  },
}
