import type { Network } from '../chain/network.ts'
import type { PaymentIntent } from '../request/payment.ts'
import { type Finding, finding } from '../request/report.ts'
import { moduleInScript } from '../script/burned-scripts.ts'
import { scriptHashOf } from '../script/key-script.ts'
import { type Ownership, ownershipOf, redactName, scriptsOfName } from '../signing/own-scripts.ts'

interface OwnScripts extends Ownership {
  readonly findings: readonly Finding[]
  /** Redeem scripts in lower-case hex, by the scripts that pay their hashes. */
  readonly redeemScriptOf: ReadonlyMap<string, string>
}

/**
 * Reads the members of a payment or a withdrawal that name the wallet's own scripts.
 *
 * @param further - scripts of `ownKeys`
 */
export function ownScripts(
  { own, redeemScripts = [] }: Pick<PaymentIntent, 'own' | 'redeemScripts'>,
  network: Network,
  further: { has(script: string): boolean },
): OwnScripts {
  const named = readNames(own, network)
  const redeemScriptOf = new Map(redeemScripts.map((it) => [scriptHashOf(it), it.toLowerCase()]))
  const isFurther = (script: string) => further.has(script)
  return {
    ...ownershipOf({ isNamed: named.has, redeemScriptOf, isFurther }),
    redeemScriptOf,
    findings: [
      ...named.findings,
      ...redeemScripts.flatMap((it, at) => {
        const actual = moduleInScript(it.toLowerCase())
        if (actual === undefined) return []
        return [finding('intent_module_key', `intent.redeemScripts[${at}]`, { actual })]
      }),
    ],
  }
}

interface OwnNames {
  readonly findings: readonly Finding[]
  readonly has: (script: string) => boolean
}

/** Reads keys, addresses and scripts, or the function that decides for each script. */
function readNames(own: PaymentIntent['own'], network: Network): OwnNames {
  // only `true` counts, because the caller may be plain JavaScript
  if (typeof own === 'function') return { findings: [], has: (script) => own(script) === true }
  const findings: Finding[] = []
  const scripts = new Set<string>()
  for (const [at, name] of own.entries()) {
    const path = `intent.own[${at}]`
    const named = scriptsOfName(name, network)
    if (named.some((script) => moduleInScript(script) !== undefined)) {
      findings.push(finding('intent_module_key', path, { actual: name }))
      continue
    }
    if (named.length === 0) {
      findings.push(finding('intent_own_keys', path, { actual: redactName(name) }))
    }
    for (const script of named) scripts.add(script)
  }
  return { findings, has: (script) => scripts.has(script) }
}
