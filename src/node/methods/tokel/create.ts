// Methods that create tokeld's tokens.

import {
  defaultFee,
  markerSats,
  tokenDescriptionBytesMax,
  tokenNameBytesMax,
} from '../../../chain/limits.ts'
import { tokelDataEvalCode } from '../../../chain/modules.ts'
import { isAntaraError } from '../../../errors/antara-error.ts'
import { isLosslessNumber, type JsonValue } from '../../../primitives/json.ts'
import { utf8Hex } from '../../../primitives/utf8.ts'
import { byteHex, compactSizeHex, vectorHex } from '../../../primitives/wire.ts'
import { encodeTokenPayload } from '../../../token/payload/encode.ts'
import { decodeTokelData } from '../../../token/payload/tokel-data.ts'
import { propertyProblem } from '../../../token/rules/tokel-data-rules.ts'
import { rulesOfVersion, type TokenVersion } from '../../../token/rules/tokel-output.ts'
import type { Builder } from '../../wallet/condition-builder.ts'
import { finalizedTokel, ownInputs } from '../../wallet/tokel-builder.ts'
import type { Answer } from '../answer.ts'
import { type MethodRow, type Methods, methodsIn } from '../context.ts'
import { failure } from '../failure.ts'
import { amount, lenientHex, type Params, text } from '../params.ts'
import { bothVersions, ModuleError, quotedObject, tokelMethod } from './method.ts'

const dataHelp =
  'tokens data - an optional hex string with token data. If the first byte is non-null it means a evalcode which these tokens will be routed into\n'
const propertiesHelp = (kind: string): string =>
  `tokens data - ${kind} tokel token properties:\n     { "url":<url-string>, "id":<token application id>, "royalty":<royalty 0..999>, "arbitrary":<arbitrary-data-hex> }\n`

export const tokelCreateMethods: Methods = methodsIn('tokens', [
  ...bothVersions('create', (name, version) =>
    creating(
      usageOf(name, {
        about: version === 1 ? 'create tokens' : 'create tokens version 2',
        description: 'optional description',
        data: dataHelp,
      }),
      version,
      (given) => {
        const data = lenientHex(text(given))
        if (data !== '') return data
        throw new ModuleError(version === 1 ? 'Token data incorrect' : 'Tokel token data incorrect')
      },
    ),
  ),
  ...bothVersions('createtokel', (name, version) =>
    creating(
      usageOf(name, {
        about: 'create tokens with tokel project data',
        description: 'opt description',
        data: propertiesHelp(
          version === 1 ? 'an optional json object with' : 'an opt json object with with',
        ),
      }),
      version,
      (given) => propertiesHex(given, version),
    ),
  ),
])

interface Usage {
  readonly about: string
  readonly description: string
  readonly data: string
}

/** The daemon's own text, in which a line break is missing. */
function usageOf(name: string, { about, description, data }: Usage): string {
  return [
    `${name} name supply [description] [tokens data]`,
    about,
    '  name - token name string',
    '  supply - token supply in coins',
    `  description - ${description}  ${data}`,
  ].join('\n')
}

function creating(
  usage: string,
  version: TokenVersion,
  dataOf: (given: JsonValue | undefined) => string,
): MethodRow {
  return tokelMethod(usage, [2, 4], (_, builder, params) => {
    const data = params.length > 3 ? dataOf(params[3]) : undefined
    return created(builder, params, { version, data })
  })
}

interface Asked {
  readonly version: TokenVersion
  readonly data: string | undefined
}

/** @see tokel src/rpc/tokensrpc.cpp, tokencreate; src/cc/CCtokens_impl.h, CreateTokenExt */
function created(builder: Builder, params: Params, { version, data }: Asked): Answer {
  const { pubkey, engine } = builder
  const name = text(params[0])
  // The daemon's words quote the wrong limit.
  if (name === '' || Buffer.byteLength(name) > tokenNameBytesMax) {
    throw new ModuleError('Token name must not be empty and up to 4096')
  }
  const supply = amount(params[1], engine.rules.network.maxMoney)
  if (supply === 0n) throw new ModuleError('Token supply must be positive')
  const description = params.length > 2 ? text(params[2]) : ''
  if (Buffer.byteLength(description) > tokenDescriptionBytesMax) {
    throw new ModuleError('Token description must be <= 4096')
  }
  const coins = ownInputs(builder, supply + defaultFee + markerSats)
  if (coins.length === 0) throw new ModuleError('cant find normal inputs')
  const rules = rulesOfVersion[version]
  const hex = finalizedTokel(builder, {
    version,
    coins,
    spends: [],
    outputs: [
      { value: markerSats, script: rules.marker },
      { value: supply, script: rules.issuanceScript(pubkey, data ?? '') },
    ],
    nulldata: encodeTokenPayload({
      layout: rules.layout as 'tokel-v1' | 'tokens-v2',
      kind: 'create',
      owner: pubkey,
      name,
      description,
      ...(data !== undefined && { extras: [{ kind: 'unknown', data }] }),
    }),
  })
  if (hex === undefined) throw new ModuleError('couldnt finalize token tx')
  return { result: 'success', hex }
}

const propertyIds: { readonly [name: string]: number } = { id: 1, url: 2, royalty: 3, arbitrary: 4 }

/**
 * Properties as the daemon writes them: in the order of the call, each as often as it was given.
 *
 * @see tokel src/cc/CCTokelData.cpp, ParseTokelJson
 */
function propertiesHex(given: JsonValue | undefined, version: TokenVersion): string {
  const object = quotedObject(given, 'parameter 4 must be a valid json object\n')
  if (object === undefined) {
    const words = 'parameter 4 must be a json object\n'
    throw version === 1 ? failure('misc', words) : new ModuleError(words)
  }
  let data = byteHex(tokelDataEvalCode) + byteHex(1)
  for (const [name, value] of Object.entries(object)) {
    const id = Object.hasOwn(propertyIds, name) ? propertyIds[name]! : undefined
    if (id === undefined) throw failure('misc', `invalid token data id: '${name}'`)
    data += byteHex(id) + propertyHex(name, value)
  }
  const problem = problemOf(data)
  if (problem !== undefined) throw failure('misc', `Tokel token data incorrect: ${problem}`)
  return data
}

/** The largest vector that the daemon reads. */
const sizeMax = 0x0200_0000n

function propertyHex(name: string, value: JsonValue): string {
  const invalid = (why: string) => failure('misc', `tokel data invalid: '${name}' ${why}`)
  if (name === 'id' || name === 'royalty') {
    if (!isLosslessNumber(value)) throw invalid('')
    const number = /^-?\d{1,18}$/.test(value.value) ? BigInt(value.value) : 0n
    if (number > sizeMax) throw invalid('value too big')
    // A negative number wraps around, and is then no size that the daemon could read.
    if (number < 0n)
      throw failure('misc', 'Tokel token data incorrect: could not parse tokel token data')
    return compactSizeHex(Number(number))
  }
  const written = typeof value === 'string' ? value : isLosslessNumber(value) ? value.value : ''
  if (name === 'url') return vectorHex(utf8Hex(written, 'url'))
  if (!/^[0-9a-fA-F]*$/.test(written)) throw invalid('not hex string')
  return vectorHex(lenientHex(written))
}

function problemOf(data: string): string | undefined {
  try {
    decodeTokelData(data)
    return undefined
  } catch (error) {
    if (isAntaraError(error)) return propertyProblem(error.code)
    throw error
  }
}
