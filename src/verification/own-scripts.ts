import type { Network } from '../chain/network.ts'
import { moduleOfScript } from '../script/lost-scripts.ts'
import { ownershipOf, scriptsOfName, tellableName } from '../signing/own-scripts.ts'
import { type Finding, finding } from './report.ts'

/** What tells a wallet's own scripts. */
interface OwnScripts {
  readonly findings: readonly Finding[]
  has(script: string): boolean
}

/** By keys, addresses and scripts, or by what the wallet says of each. */
export function ownScripts(
  own: readonly string[] | ((script: string) => boolean),
  network: Network,
): OwnScripts {
  // whatever it says besides yes is no
  if (typeof own === 'function') {
    const has = (script: string) => own(script) === true && moduleOfScript(script) === undefined
    return { findings: [], has }
  }
  const findings: Finding[] = []
  const scripts = new Set<string>()
  for (const [at, name] of own.entries()) {
    const path = `intent.own[${at}]`
    const named = scriptsOfName(name, network)
    if (named.some((script) => moduleOfScript(script) !== undefined)) {
      findings.push(finding('intent_module_key', path, { actual: name }))
      continue
    }
    if (named.length === 0) {
      findings.push(finding('intent_own_keys', path, { actual: tellableName(name) }))
    }
    for (const script of named) scripts.add(script)
  }
  return { findings, ...ownershipOf(scripts) }
}
