// Reads the file of a command that builds a transaction.

import { malformed, object, parseJson } from '../primitives/json-fields.ts'
import type { RequestForms } from '../request/form-table.ts'
import { listed } from '../request/forms.ts'
import { readRequest } from '../request/members.ts'
import { type OrderRequests, orderRequestForms, type TokenOrderRequest } from '../request/order.ts'
import { onePositional, type ParsedArguments, type Terminal } from './command.ts'
import { readAs } from './kind-of-file.ts'
import { readCaseText } from './read.ts'

/**
 * Reads the request in the file that the one argument names.
 *
 * @param kind - as `kindOfFile` names it
 * @throws {AntaraError} `malformed_case`, naming the member
 */
export async function readRequestFile<Request>(
  kind: string,
  forms: RequestForms<Request>,
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<Request> {
  const text = await readCaseText(onePositional(parsed), terminal)
  return readAs(kind, text, (it) => readRequest(parseJson(it), forms))
}

/** A step of an order, with what its builder takes. */
type OrderRequest = {
  readonly [Kind in keyof OrderRequests]: {
    readonly kind: Kind
    readonly request: OrderRequests[Kind]
  }
}[keyof OrderRequests]

const formsByKind = new Map<unknown, RequestForms<TokenOrderRequest>>(
  Object.entries(orderRequestForms),
)

/** Reads a step of an order. @throws {AntaraError} `malformed_case`, naming the member */
export function parseOrderRequest(text: string): OrderRequest {
  const rows = [...formsByKind.values()].flatMap((it) => Object.keys(it))
  const root = object(parseJson(text), 'request', [...rows, 'note'])
  const { kind } = root
  const forms = formsByKind.get(kind)
  if (forms === undefined) throw malformed('kind', listed([...formsByKind.keys()]), kind)
  const other = Object.keys(root).find((it) => rows.includes(it) && !Object.hasOwn(forms, it))
  if (other !== undefined) {
    const having = [...formsByKind].filter(([, it]) => Object.hasOwn(it, other))
    const expected = `it only where kind is ${listed(having.map(([name]) => name))}`
    throw malformed(other, expected, root[other])
  }
  return { kind, request: readRequest(root, forms) } as unknown as OrderRequest
}
