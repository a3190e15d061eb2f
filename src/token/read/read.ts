// Reads a token transaction by itself: its kind, and the role of each input and output.

import { moduleNames, tokensGlobalPubkey, tokensV2GlobalPubkey } from '../../chain/modules.ts'
import { defaultNetwork, type Network, networks } from '../../chain/network.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import { compressedKeyDigits, isCompressedKey } from '../../primitives/hex-forms.ts'
import { compactSizeBytes } from '../../primitives/wire.ts'
import { addressedScript } from '../../script/addressed-script.ts'
import { hasKeyForm, pubkeyHashScript } from '../../script/key-script.ts'
import { pushOf } from '../../script/push.ts'
import { addressesOfScripts } from '../../script/script.ts'
import { decodeTransaction } from '../../transaction/decode.ts'
import type { Transaction, TransactionInput } from '../../transaction/types.ts'
import { decodeTokenPayload } from '../payload/decode.ts'
import type { TokenLayout, TokenPayload } from '../payload/payload.ts'
import { conditionScriptsOf } from '../rules/condition-script.ts'
import { type FulfillmentKeys, fulfillmentsOf } from '../rules/fulfillment.ts'
import { droppedPayload } from '../rules/tokens-v2.ts'
import { conditionReader, type Found, nonFungibleCode } from './conditions.ts'
import type {
  TokenInput,
  TokenInputRole,
  TokenOutput,
  TokenTransaction,
} from './token-transaction.ts'

/**
 * Reads a token transaction: its kind, its token, and the role of each input and output.
 *
 * The function sees this one transaction only. It reads the role of an input from its scriptSig, so
 * an unsigned transaction shows less. It does not prove that the tokens are real: see
 * `proveTokenOutput`.
 *
 * @param source - wire bytes, or hex
 * @param network - the network whose form the addresses have. If absent, it is `networks.assetChain`
 *   for komodod's layout of payloads, and `networks.tokel` for tokeld's
 * @returns the transaction with its payload, and with the role of each input and output. Returns
 *   `undefined` for a transaction without a token payload. The payload is in the last output, or on
 *   tokeld's chains in an output that names its token itself
 * @throws {AntaraError} as `decodeTransaction`. For a malformed payload `truncated`,
 *   `non_canonical_length`, `length_over_limit`, `unknown_token_function`,
 *   `unknown_payload_version` or `pubkey_count`, with the byte offset in the transaction, and the
 *   `path` of the script
 * @throws {TypeError} if `source` is neither, its memory is shared or detached, or `network` is not
 *   a network
 * @see komodo src/cc/CCtokens.cpp, IsTokensvout
 * @example
 * decodeTokenTransaction(hex)?.outputs.map(({ role }) => role)
 * // ['destination', 'token-change', 'native-change', 'nulldata']
 */
export function decodeTokenTransaction(
  source: string | Uint8Array,
  network?: Network,
): TokenTransaction | undefined {
  const transaction = decodeTransaction(source)
  const last = payloadOf(transaction)
  const dropped = last === undefined ? droppedPayloads(transaction) : []
  const payload = last ?? dropped.find((it) => it !== undefined)
  if (payload === undefined) return undefined
  const { kind, layout } = payload
  const { txid } = transaction
  const chain = network ?? (layout === 'komodo-v1' ? defaultNetwork : networks.tokel)
  const inputs = readInputs(transaction, layout)
  const readCondition = conditionReader(payload, inputs, transaction.outputs)
  const readNative = nativeReader(payload, inputs)
  const nulldataAt = last === undefined ? -1 : transaction.outputs.length - 1
  const places = placesInFill(payload, inputs)
  const scripts = transaction.outputs.map(({ script }) => script)
  const addresses = addressesOfScripts(scripts, chain)
  const outputs = transaction.outputs.map(({ value, script }, at): TokenOutput => {
    const read: Found =
      at === nulldataAt ? { role: 'nulldata' } : (readCondition(script) ?? readNative(script))
    const found = places(read, at)
    const address = addresses[at]
    const own = dropped[at]
    return {
      ...found,
      value,
      script,
      ...(address !== undefined && { address }),
      ...(own?.kind === 'transfer' && { tokenid: own.tokenid }),
    }
  })
  const code = nonFungibleCode(payload, outputs)
  return {
    kind,
    layout,
    tokenid: payload.kind === 'create' ? txid : payload.tokenid,
    txid,
    inputs,
    outputs,
    ...(kind === 'create' && { supply: supplyOf(outputs) }),
    ...(code !== undefined && { nonFungibleEvalCode: code }),
    payload,
  }
}

/** Returns each output's own payload. Only tokens v2 have them, where the last output has none. */
function droppedPayloads({ outputs }: Transaction): (TokenPayload | undefined)[] {
  return conditionScriptsOf(outputs).map((it) => it && droppedPayload(it))
}

/** Returns a function that reads the role of outputs with a condition. */
export function conditionsOf(
  transaction: Transaction,
  payload: TokenPayload,
): (script: string) => Found | undefined {
  const inputs = readInputs(transaction, payload.layout)
  return conditionReader(payload, inputs, transaction.outputs)
}

function readInputs(transaction: Transaction, layout: TokenLayout): TokenInput[] {
  const fulfillments = fulfillmentsOf(transaction)
  return transaction.inputs.map((input, at) => readInput(input, fulfillments[at], layout))
}

/**
 * Returns the payload of the last output, where chains look. An error gives its byte offset in the
 * transaction.
 */
function payloadOf(transaction: Transaction): TokenPayload | undefined {
  const { outputs } = transaction
  const last = outputs.at(-1)
  if (last === undefined) return undefined
  try {
    return decodeTokenPayload(last.script)
  } catch (error) {
    if (!(error instanceof AntaraError)) throw error
    const offset = lastScriptOffset(transaction) + (error.context.offset ?? 0)
    const path = `outputs[${outputs.length - 1}].script`
    throw new AntaraError(error.code, { ...error.context, offset, path }, { cause: error })
  }
}

function lastScriptOffset({ overwintered, inputs, outputs }: Transaction): number {
  const outpointAndSequence = 40
  let offset = overwintered ? 8 : 4
  offset += compactSizeBytes(inputs.length)
  for (const { scriptSig } of inputs) offset += outpointAndSequence + scriptBytes(scriptSig)
  offset += compactSizeBytes(outputs.length)
  for (const { script } of outputs) offset += 8 + scriptBytes(script)
  return offset - outputs.at(-1)!.script.length / 2
}

function scriptBytes(script: string): number {
  return compactSizeBytes(script.length / 2) + script.length / 2
}

const evalCodesOf: { readonly [Layout in TokenLayout]: { tokens: string; assets: string } } = {
  'komodo-v1': { tokens: 'f2', assets: 'e3' },
  'tokel-v1': { tokens: 'f2', assets: 'e3' },
  'tokens-v2': { tokens: 'f5', assets: 'f6' },
}

function readInput(
  { txid, vout, scriptSig }: TransactionInput,
  fulfillment: FulfillmentKeys | undefined,
  layout: TokenLayout,
): TokenInput {
  if (fulfillment === undefined) return { ...readSignature(scriptSig), txid, vout }
  const { pubkeys, evalCodes } = fulfillment
  const { tokens, assets } = evalCodesOf[layout]
  const role: TokenInputRole = evalCodes.includes(assets)
    ? 'order'
    : !evalCodes.includes(tokens)
      ? 'condition'
      : pubkeys[0] === tokensGlobalPubkey || pubkeys[0] === tokensV2GlobalPubkey
        ? 'marker'
        : 'token'
  const codes = evalCodes.map((code) => Number.parseInt(code.slice(0, 2), 16))
  return { role, txid, vout, pubkeys, evalCodes: codes }
}

// A DER signature with its hash type has 9 to 73 bytes.
const signatureOnly = /^(0[9a-f]|[1-3][0-9a-f]|4[0-9])30/
const signatureAndKey = /(?:21(0[23].{64})|41(0[467].{128}))$/

/** Reads a signature for pay-to-pubkey, or a signature and a key for pay-to-pubkey-hash. */
function readSignature(scriptSig: string): Pick<TokenInput, 'role' | 'pubkeys'> {
  const [, length] = signatureOnly.exec(scriptSig) ?? []
  if (length === undefined) return { role: 'unknown' }
  const end = 2 + 2 * Number.parseInt(length, 16)
  if (scriptSig.length < end) return { role: 'unknown' }
  const rest = scriptSig.slice(end)
  if (rest === '') return { role: 'native' }
  const [key, compressed, other] = signatureAndKey.exec(rest) ?? []
  if (key !== rest) return { role: 'unknown' }
  return { role: 'native', pubkeys: [(compressed ?? other)!] }
}

/**
 * Returns a function that reads the role of native outputs, by the keys that belong to the sender.
 */
function nativeReader(
  payload: TokenPayload,
  inputs: readonly TokenInput[],
): (script: string) => Found {
  const shown = inputs.flatMap(({ pubkeys }) => pubkeys?.slice(0, 1) ?? [])
  const keys = new Set([...shown, ...senderNamed(payload)])
  for (const key of moduleNames.keys()) keys.delete(key)
  const own = new Map(
    [...keys].filter(hasKeyForm).flatMap((key) => [
      [`${pushOf(key)}ac`, key],
      [pubkeyHashScript(key), key],
    ]),
  )
  return (script) => {
    const key = own.get(script)
    if (key !== undefined) return { role: 'native-change', pubkeys: [key] }
    const paid = addressedScript(script)
    if (paid?.type !== 'pubkey') return { role: paid === undefined ? 'unexpected' : 'payment' }
    if (paid.key.length > compressedKeyDigits) return { role: 'payment' }
    return isCompressedKey(paid.key)
      ? { role: 'payment', pubkeys: [paid.key] }
      : { role: 'unexpected' }
  }
}

/** Returns the sender's own keys that a payload names: a creation's owner, and keys of orders. */
function senderNamed(payload: TokenPayload): readonly string[] {
  if (payload.kind === 'create') return [payload.owner]
  const order = payload.extras.find((it) => it.order !== undefined)?.order
  switch (order?.action) {
    case 'bid':
    case 'ask':
      return [order.origin]
    case 'fillAsk':
    case 'cancelAsk':
      return payload.pubkeys
    default:
      return []
  }
}

/** The output of a filled bid that pays the bidder; tokens after it go back to the filler. */
const bidderAt = 2

/**
 * Returns a function that reads roles in a filled bid by position: when bidders fill their own
 * bids, both outputs pay one key, and only the position tells them apart.
 */
function placesInFill(
  { extras }: TokenPayload,
  inputs: readonly TokenInput[],
): (found: Found, at: number) => Found {
  if (!extras.some(({ order }) => order?.action === 'fillBid')) return (found) => found
  const sellers = inputs.flatMap(({ role, pubkeys = [] }) =>
    role === 'token' ? pubkeys.slice(0, 1) : [],
  )
  return (found, at) => {
    if (at === bidderAt && found.role === 'token-change') return { ...found, role: 'destination' }
    const isSellers = found.pubkeys?.every((key) => sellers.includes(key)) === true
    const isChange = found.role === 'destination' && at > bidderAt && isSellers
    return isChange ? { ...found, role: 'token-change' } : found
  }
}

function supplyOf(outputs: readonly TokenOutput[]): bigint {
  return outputs.reduce((sum, { role, value }) => (role === 'issuance' ? sum + value : sum), 0n)
}
