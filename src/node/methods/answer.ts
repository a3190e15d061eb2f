// The answers of methods, and how the daemon writes them.

import { formatCoins } from '../../primitives/amount.ts'

/** JSON that is written already, such as an amount with eight digits. */
export interface Written {
  readonly [written]: string
}

const written: unique symbol = Symbol('written')

/** A result before it is text; members that are undefined are left out. */
export type Answer =
  | null
  | boolean
  | number
  | bigint
  | string
  | Written
  | readonly Answer[]
  | { readonly [member: string]: Answer | undefined }

export function json(text: string): Written {
  return { [written]: text }
}

/** Satoshis as coins. @see komodo src/rpc/server.cpp, ValueFromAmount */
export function coins(sats: bigint): Written {
  return json(formatCoins(sats))
}

/** JSON text as the daemon's UniValue writes it: no blanks, members in order. */
export function textOf(answer: Answer): string {
  switch (typeof answer) {
    case 'string':
      return quoted(answer)
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(answer)
    default:
      break
  }
  if (answer === null) return 'null'
  if (isList(answer)) return `[${answer.map(textOf).join(',')}]`
  if (written in answer) return (answer as Written)[written]
  const members: string[] = []
  for (const [name, value] of Object.entries(answer as { [member: string]: Answer | undefined })) {
    if (value !== undefined) members.push(`${quoted(name)}:${textOf(value)}`)
  }
  return `{${members.join(',')}}`
}

function isList(answer: Answer): answer is readonly Answer[] {
  return Array.isArray(answer)
}

/** @see komodo src/univalue/lib/univalue_escapes.h: DEL is escaped too */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f')
}

/** Failures that contract modules answer with status 200. */
export function moduleError(error: string): Answer {
  return { result: 'error', error }
}
