// enable_tendermint_with_assets, in one call and as a task.

import { isLosslessNumber, type JsonValue, memberOf } from '../../primitives/json.ts'
import { type CoinProtocol, protocolReader } from './coins-file.ts'
import { MmError, scriptedError } from './errors.ts'
import type { FrameworkPreset } from './presets.ts'
import { flag, list, oneOf, type Read, struct, text, unsigned } from './read.ts'
import type { CoinConfig, CoinScript } from './script.ts'
import { type FrameworkState, latencyOf, scriptedCoin } from './state.ts'
import type { Plan, TaskFamily } from './tasks.ts'

export interface TokenRequest {
  readonly ticker: string
  /** The parameters of a custom token, which the coins file does not have. */
  readonly protocol: CoinProtocol | null
}

interface TendermintRequest {
  readonly ticker: string
  readonly nodes: readonly string[]
  readonly tokens: readonly TokenRequest[]
  readonly getBalances: boolean
  readonly policy: ActivationPolicy | undefined
  readonly clientId: number
}

type ActivationPolicy =
  | { readonly type: 'WalletConnect'; readonly topic: string }
  | { readonly type: 'WithPubkey' }

/** Thrown where the server's handler panics: it answers with a text that is not JSON. */
export class Panic extends Error {
  override readonly name = 'Panic'
}

/** @see komodo-defi-framework coins/tendermint, TendermintActivationParams */
export function tendermintRequest(preset: FrameworkPreset): Read<TendermintRequest> {
  const protocol = protocolReader(preset)
  const token = struct('TokenActivationRequest', ({ required, optional }) => ({
    ticker: required('ticker', text),
    protocol: optional('protocol', protocol, null),
  }))
  const node = struct('RpcNode', ({ required, optional }) => {
    optional('komodo_proxy', flag, false)
    return required('url', text)
  })
  return struct('EnablePlatformCoinWithTokensReq', ({ required, optional }) => {
    optional('tx_history', flag, false)
    optional('path_to_address', pathToAddress, undefined)
    return {
      ticker: required('ticker', text),
      nodes: required('nodes', list(node)),
      tokens: required('tokens_params', list(token)),
      getBalances: optional('get_balances', flag, true),
      policy: optional('activation_params', policyReader(preset.documentedPolicy), undefined),
      clientId: optional('client_id', unsigned('u64'), 0),
    }
  })
}

export const pathToAddress: Read<unknown> = struct('HDPathAccountToAddressId', ({ required }) => {
  required('account_id', unsigned('u32'))
  required('chain', oneOf('External', 'Internal'))
  required('address_id', unsigned('u32'))
})

function policyReader(documentedPolicy: boolean): Read<ActivationPolicy> {
  const session = struct('WalletConnect', ({ required }) => required('session_topic', text))
  return (value) => {
    if (documentedPolicy && memberOf(value, 'priv_key_policy') !== undefined) {
      const policy = struct('PrivKeyPolicy', ({ required }) => {
        required('type', oneOf('WalletConnect'))
        return required('data', text)
      })
      return { type: 'WalletConnect', topic: policy(memberOf(value, 'priv_key_policy') ?? null) }
    }
    return struct('TendermintPubkeyActivationParams', ({ required }): ActivationPolicy => {
      const type = required('type', oneOf('WalletConnect', 'WithPubkey'))
      if (type === 'WalletConnect') return { type, topic: required('params', session) }
      required('params', pubkey)
      return { type }
    })(value)
  }
}

const pubkey = struct('WithPubkey', ({ required }) => {
  required('is_ledger_connection', flag)
  required('pubkey', (key) => {
    const bytes = memberOf(key, 'value')
    const isByte = (item: JsonValue): boolean =>
      isLosslessNumber(item) && /^\d+$/.test(item.value) && Number(item.value) < 256
    // The server reads this with an `unwrap`.
    if (!Array.isArray(bytes) || !bytes.every(isByte)) throw new Panic('no array of bytes')
    struct('PublicKey', (members) => members.required('type', oneOf('secp256k1', 'ed25519')))(key)
  })
})

const lines = 'platform_coin_with_tokens:0]'

/** Checks that need no server: whether the coin is active, its configuration, its keys. */
function prepare(
  state: FrameworkState,
  { ticker, nodes, tokens, policy }: TendermintRequest,
): CoinScript {
  const { coins } = state
  if (state.active.has(ticker)) throw alreadyActivated(ticker)
  const { protocol_data: data } = coins.protocol(ticker, 'platform', 'TENDERMINT')
  const fail = (error: string): MmError => creationError(ticker, error)
  const fault = configFault(state, coins.find(ticker) ?? { coin: ticker }, data, policy)
  if (fault !== undefined) throw fail(fault)
  if (nodes.length === 0) throw fail('EmptyRpcUrls')
  for (const token of tokens) checkToken(state, ticker, token)
  const script = scriptedCoin(state, ticker)
  if (policy?.type === 'WalletConnect' && script.sessions?.includes(policy.topic) !== true) {
    throw fail(`Unable to fetch account for chain: ${sessionNotFound}`)
  }
  return script
}

const sessionNotFound = 'Session Error: Session topic not found'

/** @see komodo-defi-framework coins/tendermint, TendermintConf, and the checks before it */
function configFault(
  { script: { wallet } }: FrameworkState,
  { avg_blocktime: blockTime, derivation_path: path }: CoinConfig,
  data: CoinProtocol['protocol_data'],
  policy: ActivationPolicy | undefined,
): string | undefined {
  const decimals = Number(data?.decimals)
  if (decimals > 18) {
    return `'decimals' value is too high; it must be 18 or lower but the current value is ${decimals}`
  }
  if (blockTime === undefined) return 'avg_blocktime is missing in coin configuration'
  if (typeof blockTime !== 'number' || (blockTime & 0xff) !== blockTime) {
    return "avg_blocktime must be in-between '0' and '255'."
  }
  // Only a wallet with a tree of keys has to know where in the tree.
  const isMissing = wallet === 'HD' && policy === undefined && (path ?? null) === null
  return isMissing ? "'derivation_path' field is not found in config" : undefined
}

/** A custom token may not have the name of one that the coins file knows. */
export function refuseKnownTicker(
  { coins }: FrameworkState,
  { ticker, protocol }: TokenRequest,
  status: number,
): void {
  if (protocol === null || coins.find(ticker) === undefined) return
  const words = `Token with the same ticker already exists in coins configs, ticker in config: ${ticker}`
  throw new MmError(`Custom token error: ${words}`, {
    status,
    type: 'CustomTokenError',
    data: { DuplicateTickerInConfig: { ticker_in_config: ticker } },
    trace: `${lines} prelude:0]`,
  })
}

/** The protocol of an asset, which belongs to the chain where servers look at that. */
function checkToken(state: FrameworkState, platform: string, token: TokenRequest): void {
  refuseKnownTicker(state, token, 500)
  const { ticker, protocol } = token
  const { protocol_data: data } = state.coins.protocol(ticker, 'token', 'TENDERMINTTOKEN', protocol)
  if (!state.preset.platformMismatch || data?.platform === platform) return
  throw new MmError('Platform coin of the token is another one', {
    status: 400,
    type: 'PlatformCoinMismatch',
    trace: lines,
  })
}

function alreadyActivated(ticker: string): MmError {
  // The source has no text for this error, so its data are shown.
  return new MmError(ticker, {
    status: 400,
    type: 'PlatformIsAlreadyActivated',
    data: ticker,
    trace: 'platform_coin_with_tokens:297]',
  })
}

function creationError(ticker: string, error: string): MmError {
  return new MmError(`Error on platform coin ${ticker} creation: ${error}`, {
    status: 500,
    type: 'PlatformCoinCreationError',
    data: { ticker, error },
    trace: `${lines} tendermint_with_assets_activation:0]`,
  })
}

/** The error with which an activation ends, if the script has one. */
export function scriptedFailure(script: CoinScript): MmError | undefined {
  return script.fails && scriptedError(script.fails)
}

function finish(
  state: FrameworkState,
  { ticker, tokens, getBalances }: TendermintRequest,
  script: CoinScript,
): object {
  const failure = scriptedFailure(script)
  if (failure !== undefined) throw failure
  const assets = tokens.map((token) => [token.ticker, scriptedCoin(state, token.ticker)] as const)
  // A call that ran at the same time may have been faster.
  if (state.active.has(ticker)) throw alreadyActivated(ticker)
  state.active.set(ticker, script)
  for (const [name, asset] of assets) state.active.set(name, asset)
  const head = { ticker, address: script.address, current_block: script.current_block ?? 0 }
  if (!getBalances) return { ...head, tokens_tickers: assets.map(([name]) => name) }
  return {
    ...head,
    balance: script.balance,
    tokens_balances: Object.fromEntries(assets.map(([name, { balance }]) => [name, balance])),
  }
}

/** The call that answers once all is done. */
export async function enableTendermint(
  state: FrameworkState,
  request: TendermintRequest,
): Promise<object> {
  const script = prepare(state, request)
  await state.clock.sleep(latencyOf(script))
  return finish(state, request, script)
}

export const tendermintFamily: TaskFamily = {
  name: 'enable_tendermint',
  statusTrace: lines,
  cancelTrace: lines,
}

/** Starts the activation as a task. Only an active coin is refused at once. */
export function startTendermint(state: FrameworkState, request: TendermintRequest): number {
  if (state.active.has(request.ticker)) throw alreadyActivated(request.ticker)
  return state
    .tableOf(tendermintFamily)
    .start(activation(state, request), 'ActivatingCoin', request.clientId)
}

function* activation(state: FrameworkState, request: TendermintRequest): Plan {
  const script = prepare(state, request)
  yield { waitMs: latencyOf(script) }
  return finish(state, request, script)
}
