// Fault injection by rules.

import { setTimeout as pause } from 'node:timers/promises'
import { argumentError, requireObject } from '../primitives/arguments.ts'
import { RpcFailure } from '../server/json-rpc.ts'
import type { Engine } from './engine.ts'
import type { Context } from './methods/context.ts'
import { requireTamper, type Tamper, tamperWith } from './tamper.ts'

interface Scope {
  /** Only calls of this method. */
  readonly method?: string
  /** Only calls to this identity. */
  readonly identity?: number
  /** How often; always by default. */
  readonly times?: number
}

export type FaultRule = Scope &
  (
    | { readonly kind: 'latency'; readonly milliseconds: number }
    /** -28, as while a daemon loads its blocks. */
    | { readonly kind: 'warm_up'; readonly message?: string }
    /** HTTP 500, `Work queue depth exceeded`. */
    | { readonly kind: 'queue_full' }
    /** Half of the answer, then the connection is reset. */
    | { readonly kind: 'reset' }
    /** The node carries out the call, but its answer never arrives. */
    | { readonly kind: 'lost_reply' }
    /** sendrawtransaction answers another id. */
    | { readonly kind: 'wrong_txid' }
    /** A module builds a transaction that does something else than was requested. */
    | { readonly kind: 'tampered_hex'; readonly tamper: Tamper }
    /** Any error of the daemon's. */
    | { readonly kind: 'error'; readonly code: number; readonly message: string }
    /**
     * Once an order of a non-fungible token is filled or cancelled, fills and cancels of all other
     * asks are refused until the rule is removed. A komodod refuses them until it restarts. Takes
     * no method, identity or times.
     */
    | { readonly kind: 'nft_order_poisoning' }
    /** The Electrum server refuses the call because of excessive use, and ends the connection. */
    | { readonly kind: 'excessive_use' }
    /** The Electrum server proves a transaction by a branch with another hash. */
    | { readonly kind: 'false_branch' }
    /** The Electrum server gives a header with another Merkle root. */
    | { readonly kind: 'false_header' }
    /** The Electrum server omits the first entry of a list. */
    | { readonly kind: 'hidden' }
  )

export interface Faults {
  /**
   * Adds a rule.
   *
   * @returns a function that removes the rule
   * @throws {TypeError} for an unknown kind or tampering, or `times` below 1
   */
  add(rule: FaultRule): () => void
  clear(): void
  /** @internal */
  around(method: string, context: Context, call: () => string | Promise<string>): Promise<string>
  /** Rules of some kinds for a call to an identity; each counts as used. @internal */
  take(method: string, identity: number, kinds: readonly FaultRule['kind'][]): readonly FaultRule[]
  /** @internal */
  ruinOf(method: string, identity: number): 'reset' | 'silence' | 'queue' | undefined
}

interface Standing {
  readonly rule: FaultRule
  left: number
}

const faultKinds: readonly FaultRule['kind'][] = [
  'latency',
  'warm_up',
  'queue_full',
  'reset',
  'lost_reply',
  'wrong_txid',
  'tampered_hex',
  'error',
  'nft_order_poisoning',
  'excessive_use',
  'false_branch',
  'false_header',
  'hidden',
]
const warmUpCode = -28
const internalErrorCode = -32603
const ruins = { queue_full: 'queue', reset: 'reset', lost_reply: 'silence' } as const

export function createFaults(engine: Engine): Faults {
  const standing = new Set<Standing>()

  /** Yields the rules that apply to a call. A rule counts as used once it is yielded. */
  function* take(
    method: string,
    identity: number,
    wanted: readonly FaultRule['kind'][],
  ): Generator<FaultRule> {
    for (const it of standing) {
      const { rule } = it
      if (!wanted.includes(rule.kind) || (rule.method ?? method) !== method) continue
      if ((rule.identity ?? identity) !== identity) continue
      it.left -= 1
      if (it.left <= 0) standing.delete(it)
      yield rule
    }
  }

  return {
    add(rule) {
      requireObject(rule, 'rule')
      if (!faultKinds.includes(rule.kind)) {
        throw argumentError('rule.kind', faultKinds.join(', '), rule.kind)
      }
      if (rule.kind === 'nft_order_poisoning') return poison(rule)
      if (rule.kind === 'tampered_hex') requireTamper(rule.tamper, 'rule.tamper')
      const { times = 1 } = rule
      if (!Number.isSafeInteger(times) || times < 1) {
        throw new TypeError(`rule.times: expected a positive integer, got ${String(times)}`)
      }
      const it: Standing = { rule, left: rule.times ?? Number.POSITIVE_INFINITY }
      standing.add(it)
      return () => standing.delete(it)
    },
    clear() {
      standing.clear()
      setPoisoning(false)
    },
    take: (method, identity, wanted) => [...take(method, identity, wanted)],
    ruinOf(method, identity) {
      const [rule] = take(method, identity, ['queue_full', 'reset', 'lost_reply'])
      return rule === undefined ? undefined : ruins[rule.kind as keyof typeof ruins]
    },
    async around(method, context, call) {
      for (const rule of take(method, context.identity, ['latency', 'warm_up', 'error'])) {
        if (rule.kind === 'latency') await pause(rule.milliseconds)
        if (rule.kind === 'warm_up')
          throw new RpcFailure(warmUpCode, rule.message ?? 'Loading block index...')
        if (rule.kind === 'error') throw new RpcFailure(rule.code, rule.message)
      }
      const answered = call()
      const result = typeof answered === 'string' ? answered : await answered
      const [first] =
        method === 'sendrawtransaction' ? take(method, context.identity, ['wrong_txid']) : []
      if (first !== undefined) return JSON.stringify([...JSON.parse(result)].reverse().join(''))
      if (builtHex(method, result) === undefined) return result
      let answer = result
      for (const rule of take(method, context.identity, ['tampered_hex'])) {
        if (rule.kind === 'tampered_hex') answer = tampered(answer, method, context, rule.tamper)
      }
      return answer
    },
  }

  function poison({ method, identity, times }: FaultRule): () => void {
    if (engine.rules.network.conditions !== 'komodo') {
      throw new TypeError('rule: nft_order_poisoning is a defect of komodod, not of tokeld')
    }
    if ((method ?? identity ?? times) !== undefined) {
      throw new TypeError('rule: nft_order_poisoning takes no method, identity or times')
    }
    setPoisoning(true)
    return () => setPoisoning(false)
  }

  function setPoisoning(isOn: boolean): void {
    Object.assign(engine.rules.modules.tokens.poisoning, { isOn, isPoisoned: false })
  }

  function tampered(answer: string, method: string, context: Context, tamper: Tamper): string {
    const hex = builtHex(method, answer)!
    const changed = tamperWith(hex, tamper, context)
    if (changed !== undefined) return answer.replace(`"hex":"${hex}"`, `"hex":"${changed}"`)
    // An honest answer would let a test believe that the tampered response was accepted.
    const words = `this transaction has no room for the tampering ${tamper}`
    throw new RpcFailure(internalErrorCode, words)
  }
}

/**
 * The transaction that a module built, if the answer is a module's: others have a `hex` too. Some
 * methods of tokeld report no success beside it.
 */
function builtHex(method: string, answer: string): string | undefined {
  if (!answer.includes('"hex":"')) return undefined
  const { result, hex } = JSON.parse(answer) as { result?: unknown; hex?: unknown }
  const isBuilt = result === 'success' || method.startsWith('tokenv2')
  return isBuilt && typeof hex === 'string' ? hex : undefined
}
