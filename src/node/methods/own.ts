// Methods that a daemon does not have; their category marks them.

import { readTransaction } from '../consensus/accept.ts'
import type { Engine } from '../engine.ts'
import type { Answer } from './answer.ts'
import { type Methods, method, methodsIn } from './context.ts'
import { text } from './params.ts'

export const ownMethods: Methods = methodsIn('Development node', [
  {
    ...method('testmempoolaccept "hexstring"|["hexstring",...]', [1, 1], ({ engine }, [given]) => {
      if (Array.isArray(given)) return given.map((hex) => verdictOn(engine, text(hex)))
      return verdictOn(engine, text(given))
    }),
    about:
      'What sendrawtransaction would answer, with what a contract module only writes to its log.',
  },
])

/** Adds what the daemon below a fork does not have, because this may be why a rule refuses. */
function withUnknown(reason: string | undefined, unknown: readonly string[], hex: string) {
  const own = readTransaction(hex)?.txid
  const missing = unknown.filter((txid) => txid !== own)
  if (missing.length === 0) return reason
  const note =
    `the daemon of the fork does not have ${missing[0]}; ` +
    'without -txindex=1 it lacks transactions that are spent'
  return reason === undefined ? note : `${reason}; ${note}`
}

/** `reject-reason` is Bitcoin's name for the words that sendrawtransaction would answer. */
function verdictOn(engine: Engine, hex: string): Answer {
  const verdict = engine.admit(hex)
  if (verdict.ok) return { txid: verdict.transaction.txid, allowed: true, fee: verdict.fee }
  const { code, message } = verdict
  const reason = withUnknown(verdict.reason, engine.state.chain.base?.unknown() ?? [], hex)
  const txid = readTransaction(hex)?.txid
  return { txid, allowed: false, code, 'reject-reason': message, reason }
}
