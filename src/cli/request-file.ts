import { malformed, object, parseJson } from '../primitives/json-fields.ts'
import { createRequestForms, type TokenCreateRequest } from '../request/create.ts'
import type { RequestForms } from '../request/form-table.ts'
import { listed } from '../request/forms.ts'
import { readRequest } from '../request/members.ts'
import { type OrderRequests, orderRequestForms, type TokenOrderRequest } from '../request/order.ts'
import {
  type ConsolidationRequest,
  consolidationForms,
  type PaymentRequest,
  paymentRequestForms,
} from '../request/payment.ts'
import { type TokenTransferRequest, transferRequestForms } from '../request/transfer.ts'

/**
 * Reads what is to be transferred. Amounts are decimal strings of token units.
 *
 * @throws {AntaraError} `malformed_case`, naming the member
 */
export function parseTransferRequest(text: string): TokenTransferRequest {
  return readRequest(parseJson(text), transferRequestForms)
}

/** Reads what is to be created. @throws {AntaraError} `malformed_case`, naming the member */
export function parseCreateRequest(text: string): TokenCreateRequest {
  return readRequest(parseJson(text), createRequestForms)
}

/** Reads what is to be paid. @throws {AntaraError} `malformed_case`, naming the member */
export function parsePaymentRequest(text: string): PaymentRequest {
  return readRequest(parseJson(text), paymentRequestForms)
}

/** Reads which coins are to be merged. @throws {AntaraError} `malformed_case`, naming the member */
export function parseMergeRequest(text: string): ConsolidationRequest {
  return readRequest(parseJson(text), consolidationForms)
}

/** A step of an order, with what its builder takes. */
export type OrderRequest = {
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
