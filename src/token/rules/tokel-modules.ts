// The modules of tokeld whose rules this library has, by eval code.

import {
  assetsEvalCode,
  assetsV2EvalCode,
  moduleOfEvalCode,
  tokelDataEvalCode,
  tokensEvalCode,
  tokensV2EvalCode,
} from '../../chain/modules.ts'
import { byteHex } from '../../primitives/wire.ts'
import type { Transaction } from '../../transaction/types.ts'
import type { FindTransaction } from './funding.ts'
import { orderRefusalV2 } from './orders-v2.ts'
import { tokelDataRefusal } from './tokel-data-rules.ts'
import type { TokelChain } from './tokel-output.ts'
import { rulesTokelV1 } from './tokel-v1.ts'
import { tokelRefusal } from './tokel-validation.ts'
import { payloadOfOutputV2, rulesV2 } from './tokens-v2.ts'

/** The chain as the modules read it. */
export interface ModulesChain {
  readonly find: FindTransaction
  /** The height of the block that is to hold the transaction. */
  readonly height: number
}

/**
 * Returns why a module of tokeld refuses a transaction, in the daemon's words where the library has
 * the module's rules; `undefined` if it accepts it.
 *
 * @see tokel src/cc/eval.cpp, Eval::Dispatch; src/cc/CCutils.cpp, ProcessCC
 */
export function tokelModuleRefusal(
  evalCode: number,
  transaction: Transaction,
  chain: ModulesChain,
): string | undefined {
  return refusalBy(evalCode, transaction, { ...chain, running: [] })
}

/** The view of the rules for tokens. */
export function tokelChain(chain: ModulesChain): TokelChain {
  return chainOf({ ...chain, running: [] })
}

interface Running extends ModulesChain {
  /** Modules that already validate: they may not call each other for ever. */
  readonly running: readonly number[]
}

function chainOf(chain: Running): TokelChain {
  return { find: chain.find, refusalBy: (code, other) => refusalBy(code, other, chain) }
}

function refusalBy(code: number, transaction: Transaction, chain: Running): string | undefined {
  if (chain.running.includes(code)) return 'this node lets no module call itself'
  const within: Running = { ...chain, running: [...chain.running, code] }
  switch (code) {
    case tokensEvalCode:
      return tokelRefusal(transaction, 1, chainOf(within))
    case tokensV2EvalCode:
      return tokelRefusal(transaction, 2, chainOf(within))
    case assetsV2EvalCode:
      return orderRefusalV2(transaction, { ...chain, tokenidAt })
    case tokelDataEvalCode:
      return tokelDataRefusal(transaction, chain.find)
    case assetsEvalCode:
      return orderRefusalV1(transaction)
    default:
      return otherRefusal(code)
  }
}

function tokenidAt(transaction: Transaction, vout: number): string | undefined {
  const { txid, outputs } = transaction
  const seen = { transaction, payload: rulesV2.payloadOf(outputs) }
  const payload = payloadOfOutputV2(seen, vout)?.payload
  return payload?.kind === 'create' ? txid : payload?.tokenid
}

/** Orders of tokens v1: the library reads their payload, and has no rules for them. */
function orderRefusalV1({ outputs }: Transaction): string {
  const order = rulesTokelV1.payloadOf(outputs)?.extras[0]?.order
  if (order?.evalCode !== byteHex(assetsEvalCode)) return 'AssetValidate: invalid opreturn payload'
  return 'this node does not model orders of tokens v1'
}

function otherRefusal(code: number): string {
  if (code >= 0x10 && code <= 0x7f) return 'mismatched -ac_cclib vs CClib_name'
  const module = moduleOfEvalCode(code)
  if (module === undefined) return 'validation not supported for eval code'
  return `this node does not model the ${module.name} module`
}
