// The rules for a creation of a token. Builders throw the first problem; verifiers list all.

import { tokenDataBytesMax, tokenDescriptionBytesMax, tokenNameBytesMax } from '../chain/limits.ts'
import { movableDataCodes, tokelDataEvalCode, tokensEvalCode } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { AntaraError, sentenceOf } from '../errors/antara-error.ts'
import { errorOf } from '../errors/malformed.ts'
import { argumentError } from '../primitives/arguments.ts'
import { hasHalfCharacter, utf8Bytes, utf8Length } from '../primitives/utf8.ts'
import { byteHex, hexText } from '../primitives/wire.ts'
import type { CreatePayload, TokenLayout } from '../token/payload/payload.ts'
import { decodeTokelData, encodeTokelData, type TokelData } from '../token/payload/tokel-data.ts'
import type { CreateIntent } from './create.ts'
import { amountProblems, keyProblems } from './holders.ts'
import type { Problem } from './problem.ts'

export function createProblems(
  { name, supply, description = '', data, properties, version, owner }: CreateIntent,
  network: Network,
): Problem[] {
  return [
    ...keyProblems(owner, 'owner'),
    ...amountProblems(supply, 'supply'),
    ...textProblems('name', name, 1, tokenNameBytesMax),
    ...textProblems('description', description, 0, tokenDescriptionBytesMax),
    ...(data === undefined ? [] : dataProblems(data, supply, network)),
    ...(properties === undefined ? [] : propertiesProblems(properties, data, network)),
    ...(version === undefined ? [] : versionProblems(version, network)),
  ]
}

function textProblems(
  path: 'name' | 'description',
  text: string,
  least: number,
  most: number,
): Problem[] {
  if (hasHalfCharacter(text)) {
    const inError = errorOf(() => utf8Bytes(text, path))
    return [{ code: path, path, actual: 'half of a character', inError }]
  }
  const bytes = utf8Length(text)
  if (bytes >= least && bytes <= most) return []
  const inError = { expected: `${least} to ${most} bytes`, actual: bytes }
  return [{ code: path, path, actual: `${bytes} bytes`, inError }]
}

function dataProblems(data: string, supply: bigint, { conditions }: Network): Problem[] {
  const path = 'data'
  const error = errorOf(() => hexText(data, path)) ?? lengthError(data)
  if (error !== undefined) {
    return [{ code: 'data', path, actual: data.slice(0, 100).toLowerCase(), inError: error }]
  }
  // tokeld lets such a token be divided
  if (supply === 1n || conditions === 'tokel') return []
  return [{ code: 'nftSupply', path: 'supply', expected: 1n, actual: supply }]
}

function lengthError(data: string): AntaraError | undefined {
  const bytes = data.length / 2
  if (bytes >= 1 && bytes <= tokenDataBytesMax) return undefined
  const expected = `1 to ${tokenDataBytesMax} bytes`
  return new AntaraError('data_length', { path: 'data', expected, actual: bytes })
}

/** Returns problems of the properties. Only tokeld has properties of tokens. */
function propertiesProblems(
  properties: TokelData,
  data: string | undefined,
  { conditions }: Network,
): Problem[] {
  const problem = { code: 'properties', path: 'properties' } as const
  if (data !== undefined) {
    const inError = argumentError(problem.path, 'nothing beside data', properties)
    return [{ ...problem, expected: 'no data beside them', inError }]
  }
  if (conditions !== 'tokel') {
    const inError = argumentError(problem.path, "none but on tokeld's chains", properties)
    return [{ ...problem, expected: 'a chain that tokeld runs', inError }]
  }
  const error =
    errorOf(() => encodeTokelData(properties)) ?? lengthError(encodeTokelData(properties))
  return error === undefined ? [] : [{ ...problem, actual: sentenceOf(error), inError: error }]
}

/** Only tokeld has two versions of tokens, so only its chains accept a `version`. */
function versionProblems(version: 1 | 2, { conditions }: Network): Problem[] {
  if (conditions === 'tokel') return []
  const path = 'version'
  const inError = argumentError(path, "1 or 2, on tokeld's chains alone", version)
  return [{ code: 'version', path, expected: 'none, on this network', actual: version, inError }]
}

/**
 * Returns problems of token data that a daemon accepts when it builds the creation. The chain then
 * refuses the creation itself, or every transfer of the token.
 */
export function tokenDataProblems(
  data: string,
  layout: TokenLayout,
  codes?: readonly number[],
): Problem[] {
  return [...movableProblems(data, 'data', layout, codes), ...tokelDataProblems(data, layout)]
}

/** Returns a problem of a token whose data name a module that no chain has. */
export function createdProblems(
  { extras, layout }: CreatePayload,
  path: string,
  codes?: readonly number[],
): Problem[] {
  const data = extras.find(({ kind }) => kind === 'nonFungible')?.data ?? ''
  // komodod treats such a token like a fungible one.
  if (layout === 'komodo-v1' && data.startsWith(byteHex(tokensEvalCode))) return []
  return movableProblems(data, path, layout, codes)
}

/** @param codes - the eval codes that the chain validates, if not the usual ones */
export function movableProblems(
  data: string,
  path: string,
  layout: TokenLayout,
  codes: readonly number[] = movableDataCodes[layout],
): Problem[] {
  if (data === '' || codes.includes(Number.parseInt(data.slice(0, 2), 16))) return []
  const expected = codes.map(byteHex).join(' or ')
  return [{ code: 'dataCode', path, expected, actual: data.slice(0, 2) }]
}

/**
 * Returns a problem of data that begin like properties and are malformed. tokeld builds such a
 * creation, and does not mine it.
 */
function tokelDataProblems(data: string, layout: TokenLayout): Problem[] {
  if (layout === 'komodo-v1' || !data.startsWith(byteHex(tokelDataEvalCode))) return []
  const inError = errorOf(() => decodeTokelData(data))
  if (inError === undefined) return []
  return [{ code: 'tokelData', path: 'data', actual: sentenceOf(inError), inError }]
}
