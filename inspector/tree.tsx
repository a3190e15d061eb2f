// Scripts and conditions as trees.

import type { JSX } from 'preact'
import {
  type ConditionTree,
  decodeConditionScript,
  decodeConditionScriptSig,
  decodeScript,
  decodeTokenPayload,
  moduleOfEvalCode,
  type Network,
} from '../src/index.ts'
import { brief, safe } from './words.ts'

/** A name, what it says, and what is inside it. */
export interface Branch {
  readonly name: string
  readonly value?: string
  readonly inside?: readonly Branch[]
}

export function Tree({ branches }: { readonly branches: readonly Branch[] }): JSX.Element {
  return (
    <ul class="tree">
      {branches.map(({ name, value, inside }, at) => (
        <li key={`${at} ${name}`}>
          <span class="name">{safe(name)}</span>
          {value !== undefined && <code>{brief(value)}</code>}
          {inside !== undefined && inside.length > 0 && <Tree branches={inside} />}
        </li>
      ))}
    </ul>
  )
}

/** The meaning of a scriptPubKey. */
export function scriptBranches(script: string, network: Network): Branch[] {
  const { type, asm, addresses = [] } = decodeScript(script, network)
  return [
    { name: 'type', value: type },
    ...addresses.map((address) => ({ name: 'address', value: address })),
    { name: 'asm', value: asm },
    ...attempt('condition', () => conditionInside(script, network)),
    ...attempt('token payload', () => payloadInside(script)),
  ]
}

function conditionInside(script: string, network: Network): Branch[] {
  const found = decodeConditionScript(script, network)
  if (found === undefined) return []
  const { form, condition, tree, params } = found
  return [
    { name: 'form', value: form },
    treeBranch(tree ?? condition),
    ...(params === undefined ? [] : [{ name: 'parameters', inside: valueBranches(params) }]),
  ]
}

function payloadInside(script: string): Branch[] {
  if (!script.startsWith('6a')) return []
  const payload = decodeTokenPayload(script)
  return payload === undefined ? [] : valueBranches(payload)
}

/** The meaning of a scriptSig. */
export function scriptSigBranches(scriptSig: string): Branch[] {
  if (scriptSig === '') return [{ name: 'empty', value: 'not signed' }]
  return [
    { name: 'asm', value: decodeScript(scriptSig).asm },
    ...attempt('fulfillment', () => {
      const found = decodeConditionScriptSig(scriptSig)
      return found === undefined ? [] : [treeBranch(found.tree)]
    }),
  ]
}

/** The branches of what can be read, or why it cannot. */
function attempt(name: string, read: () => readonly Branch[]): Branch[] {
  try {
    const inside = read()
    return inside.length === 0 ? [] : [{ name, inside }]
  } catch (error) {
    return [{ name, value: error instanceof Error ? error.message : String(error) }]
  }
}

export function treeBranch(tree: ConditionTree): Branch {
  switch (tree.type) {
    case 'threshold-sha-256':
      return {
        name: `${tree.threshold} of ${tree.subconditions.length}`,
        inside: tree.subconditions.map(treeBranch),
      }
    case 'eval-sha-256': {
      const module = moduleOfEvalCode(Number.parseInt(tree.code.slice(0, 2), 16))
      return {
        name: 'eval',
        value: `${tree.code}${module === undefined ? '' : ` (${module.name})`}`,
      }
    }
    case 'prefix-sha-256':
      return {
        name: 'prefix',
        value: tree.prefix,
        inside: [treeBranch(tree.subcondition)],
      }
    default: {
      const { type, ...rest } = tree
      return { name: type, inside: valueBranches(rest) }
    }
  }
}

/** Any plain value, member by member. */
export function valueBranches(value: object): Branch[] {
  return Object.entries(value).map(([name, member]): Branch => {
    if (Array.isArray(member)) {
      return { name, inside: member.map((item, at) => valueBranch(`${at}`, item)) }
    }
    return valueBranch(name, member)
  })
}

function valueBranch(name: string, value: unknown): Branch {
  return typeof value === 'object' && value !== null
    ? { name, inside: valueBranches(value) }
    : { name, value: String(value) }
}
