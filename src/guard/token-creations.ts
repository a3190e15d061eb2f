// The requests that calls for creations of tokens make.

import { isLosslessNumber, type JsonValue } from '../primitives/json.ts'
import type { CreateIntent, TokelProperties } from '../request/create.ts'
import { refusedParameter } from './refusals.ts'
import { commonTerms, type TokenMethod } from './token-method.ts'
import { coins, hex, objectOf, text } from './token-parameters.ts'

type Data = Pick<CreateIntent, 'data' | 'properties'>

const creation = (version: 1 | 2, dataOf: (params: readonly JsonValue[]) => Data): TokenMethod => ({
  counts: [2, 4],
  request: (params, terms) => ({
    operation: 'tokencreate',
    intent: {
      name: text(params, 0),
      supply: coins(params, 1),
      description: text(params, 2),
      ...(params.length > 3 && dataOf(params)),
      ...(terms.network.conditions === 'tokel' && { version }),
      owner: terms.pubkey,
      ...commonTerms(terms),
    },
  }),
})

/** Data are hex. */
export const create = (version: 1 | 2): TokenMethod =>
  creation(version, (params) => ({ data: hex(params, 3) }))

/** Data are properties by name. */
export const createTokel = (version: 1 | 2): TokenMethod =>
  creation(version, (params) => ({ properties: propertiesOf(params) }))

const properties = objectOf(['id', 'url', 'royalty', 'arbitrary'])

function propertiesOf(params: readonly JsonValue[]): TokelProperties {
  const { id, url, royalty, arbitrary } = properties(params, 3)
  return {
    ...(id !== undefined && { id: count(id, 'id') }),
    ...(url !== undefined && { url: text([url], 0, 'params[3].url') }),
    ...(royalty !== undefined && { royalty: count(royalty, 'royalty') }),
    ...(arbitrary !== undefined && { arbitrary: arbitraryHex(arbitrary) }),
  }
}

function count(value: JsonValue, name: string): number {
  if (isLosslessNumber(value) && /^(?:0|[1-9]\d{0,8})$/.test(value.value))
    return Number(value.value)
  throw refusedParameter(`params[3].${name}`, 'a whole number')
}

function arbitraryHex(value: JsonValue): string {
  if (typeof value === 'string' && /^(?:[0-9a-fA-F]{2})*$/.test(value)) return value
  throw refusedParameter('params[3].arbitrary', 'hex')
}
