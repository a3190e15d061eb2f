// The entry of a coin in a coins file, and every way in which it can be wrong.

import { isJsonObject, type JsonValue, memberOf, stringifyJson } from '../../primitives/json.ts'
import { MmError } from './errors.ts'
import type { FrameworkPreset } from './presets.ts'
import { type Read, SerdeFault, unexpected, unknownVariant } from './read.ts'
import type { CoinConfig } from './script.ts'

/** In which part a coin is activated: errors have names of their own for each. */
type CoinRole = 'coin' | 'platform' | 'token'

export interface CoinProtocol {
  readonly type: string
  readonly protocol_data?: Readonly<Record<string, unknown>>
}

export interface CoinsFile {
  find(ticker: string): CoinConfig | undefined
  /** The protocol of a coin, which has to be `type`; `custom` is that of a request. */
  protocol(ticker: string, role: CoinRole, type: string, custom?: CoinProtocol | null): CoinProtocol
}

export function coinsFile(coins: readonly CoinConfig[], preset: FrameworkPreset): CoinsFile {
  // As the server looks: the first entry of a name counts.
  const byTicker = new Map<string, CoinConfig>()
  const read = protocolReader(preset)
  for (const coin of coins) if (!byTicker.has(coin.coin)) byTicker.set(coin.coin, coin)
  return {
    find: (ticker) => byTicker.get(ticker),
    protocol: (ticker, role, type, custom = null) => {
      const config = byTicker.get(ticker)
      if (config === undefined && custom === null) throw configNotFound(ticker, role)
      const found = custom ?? protocolOf(ticker, role, config?.protocol, read)
      if (found.type !== type) throw unexpectedProtocol(ticker, role, found, preset)
      return found
    },
  }
}

const roleNames = { coin: 'Coin', platform: 'Platform', token: 'Token' } as const

const traces: Readonly<Record<CoinRole, string>> = {
  coin: 'init_standalone_coin:0]',
  platform: 'platform_coin_with_tokens:302]',
  token: 'platform_coin_with_tokens:314] platform_coin_with_tokens:109]',
}

// Documentation of enable_tendermint_with_assets, error_trace.
const activationLines: Readonly<Record<CoinRole, string>> = {
  coin: '',
  platform: ' tendermint_with_assets_activation:92]',
  token: ' tendermint_with_assets_activation:101]',
}

function configNotFound(ticker: string, role: CoinRole): MmError {
  return new MmError(`${roleNames[role]} ${ticker} config is not found`, {
    status: 400,
    type: `${roleNames[role]}ConfigIsNotFound`,
    data: ticker,
    trace: `${traces[role]} prelude:79]`,
  })
}

function protocolError(ticker: string, role: CoinRole, error: string): MmError {
  const words = role === 'platform' ? 'Platform coin' : roleNames[role]
  return new MmError(`${words} ${ticker} protocol parsing failed: ${error}`, {
    status: role === 'coin' ? 400 : 500,
    type: role === 'token' ? 'TokenProtocolParseError' : 'CoinProtocolParseError',
    data: { ticker, error },
    trace: `${traces[role]} prelude:82]`,
  })
}

function unexpectedProtocol(
  ticker: string,
  role: CoinRole,
  protocol: CoinProtocol,
  preset: FrameworkPreset,
): MmError {
  const shown = preset.protocolText === 'debug' ? debugText(protocol) : stringifyJson(protocol)
  const words = role === 'token' ? 'token' : 'platform'
  return new MmError(`Unexpected ${words} protocol ${shown} for ${ticker}`, {
    status: 400,
    type: `Unexpected${roleNames[role]}Protocol`,
    data: { ticker, protocol },
    trace: `${traces[role]} prelude:90]${activationLines[role]}`,
  })
}

/** Members that a protocol's data must have. src: coins/lp_coins.rs CoinProtocol */
const dataMembers: Readonly<Record<string, readonly string[]>> = {
  BCH: ['slp_prefix'],
  TENDERMINT: ['decimals', 'denom', 'account_prefix', 'chain_id'],
  TENDERMINTTOKEN: ['platform', 'decimals', 'denom'],
  SLPTOKEN: ['platform', 'token_id', 'decimals'],
  ERC20: ['platform', 'contract_address'],
  QRC20: ['platform', 'contract_address'],
}

function protocolOf(
  ticker: string,
  role: CoinRole,
  protocol: unknown,
  read: Read<CoinProtocol>,
): CoinProtocol {
  try {
    return read((protocol ?? null) as JsonValue)
  } catch (error) {
    if (error instanceof SerdeFault) throw protocolError(ticker, role, error.message)
    throw error
  }
}

/** Reads a protocol as a coins file or a request has it. */
export function protocolReader({ protocols }: FrameworkPreset): Read<CoinProtocol> {
  return (value) => readProtocol(value, protocols)
}

function readProtocol(value: JsonValue, protocols: readonly string[]): CoinProtocol {
  if (!isJsonObject(value)) {
    throw new SerdeFault(
      `invalid type: ${unexpected(value)}, expected adjacently tagged enum CoinProtocol`,
    )
  }
  const type = memberOf(value, 'type')
  if (type === undefined) throw new SerdeFault('missing field `type`')
  if (typeof type !== 'string') {
    throw new SerdeFault(`invalid type: ${unexpected(type)}, expected variant identifier`)
  }
  if (!protocols.includes(type)) throw unknownVariant(type, protocols)
  const data = memberOf(value, 'protocol_data')
  const members = dataMembers[type]
  if (members === undefined) return isJsonObject(data) ? { type, protocol_data: data } : { type }
  if (data === undefined) throw new SerdeFault('missing field `protocol_data`')
  const missing = members.find((member) => memberOf(data, member) === undefined)
  if (missing !== undefined) throw new SerdeFault(`missing field \`${missing}\``)
  return { type, protocol_data: data as Readonly<Record<string, unknown>> }
}

/** As Rust prints it: `BCH { slp_prefix: "simpleledger" }`. */
function debugText({ type, protocol_data }: CoinProtocol): string {
  if (protocol_data === undefined) return type
  const members = Object.entries(protocol_data)
    .map(([name, value]) => `${name}: ${stringifyJson(value)}`)
    .join(', ')
  return `${type} { ${members} }`
}
