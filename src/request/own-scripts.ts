// The scripts that a payment, a consolidation or a withdrawal names as the wallet's own.

import type { Network } from '../chain/network.ts'
import { moduleInScript } from '../script/burned-scripts.ts'
import { scriptHashOf } from '../script/key-script.ts'
import { type Ownership, ownershipOf, readName, redactName } from '../signing/own-scripts.ts'
import type { PaymentIntent } from './payment.ts'
import { hexError, type Problem } from './problem.ts'

export interface OwnScripts extends Ownership {
  /** Scripts in the order of their names. The scripts that get the change come first. */
  readonly named: ReadonlySet<string>
  /** Redeem scripts in lower-case hex, by the scripts that pay their hashes. */
  readonly redeemScriptOf: ReadonlyMap<string, string>
  readonly problems: readonly Problem[]
}

interface OwnNames extends Pick<PaymentIntent, 'own' | 'redeemScripts'> {
  /** A further own name, which gets the change, after the path of its member. */
  readonly first?: readonly [path: string, name: string] | undefined
}

/**
 * Reads the members that name the wallet's own scripts.
 *
 * @param further - scripts of `ownKeys`
 */
export function ownScripts(
  { own, redeemScripts = [], first }: OwnNames,
  network: Network,
  further?: { has(script: string): boolean },
): OwnScripts {
  const names = typeof own === 'function' ? [] : own.map((it, at) => [`own[${at}]`, it] as const)
  const read = [...(first === undefined ? [] : [first]), ...names].map(([path, name]) =>
    readOwnName(name, path, network),
  )
  const behind = redeemScripts.map((it, at) => readRedeemScript(it, `redeemScripts[${at}]`))
  const named = new Set(read.flatMap(({ scripts }) => scripts))
  const redeemScriptOf = new Map(behind.flatMap(({ row }) => row))
  return {
    ...ownershipOf({
      // only `true` counts, because the caller may be plain JavaScript
      isNamed: typeof own === 'function' ? (script) => own(script) === true : (it) => named.has(it),
      redeemScriptOf,
      ...(further !== undefined && { isFurther: (script: string) => further.has(script) }),
    }),
    named,
    redeemScriptOf,
    problems: [...read, ...behind].flatMap(({ problems }) => problems),
  }
}

interface ReadOwnName {
  readonly scripts: readonly string[]
  readonly problems: readonly Problem[]
}

function readOwnName(name: string, path: string, network: Network): ReadOwnName {
  const { scripts, module } = readName(name, network)
  if (module !== undefined) {
    const inError = { actual: module }
    return { scripts, problems: [{ code: 'moduleKey', path, actual: name, inError }] }
  }
  if (scripts.length > 0) return { scripts, problems: [] }
  return { scripts, problems: [{ code: 'ownName', path, actual: redactName(name) }] }
}

interface ReadRedeemScript {
  readonly row: readonly (readonly [script: string, redeemScript: string])[]
  readonly problems: readonly Problem[]
}

function readRedeemScript(given: string, path: string): ReadRedeemScript {
  const inError = hexError(given, path)
  if (inError !== undefined) return { row: [], problems: [{ code: 'data', path, inError }] }
  const hex = given.toLowerCase()
  const actual = moduleInScript(hex)
  if (actual !== undefined) return { row: [], problems: [{ code: 'moduleKey', path, actual }] }
  return { row: [[scriptHashOf(hex), hex]], problems: [] }
}
