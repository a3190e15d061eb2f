// task::enable_bch and task::enable_utxo: one coin, watched from outside while it is activated.

import { type DeviceFault, talk } from './devices.ts'
import { internalError, MmError, noHardwareContext } from './errors.ts'
import { anything, flag, list, oneOf, type Read, struct, text, unsigned } from './read.ts'
import type { BalanceScript, CoinScript, StepScript } from './script.ts'
import { type FrameworkState, latencyOf, scriptedCoin } from './state.ts'
import type { Plan, Step, TaskFamily, UserAction } from './tasks.ts'
import { pathToAddress, scriptedFailure } from './tendermint.ts'

interface UtxoRequest {
  readonly ticker: string
  readonly clientId: number
  readonly usesTrezor: boolean
  /** `host:port` of each; none in native mode. */
  readonly servers: readonly string[] | undefined
  /** BCH only: whether SLP transactions would go unchecked without the user's word. */
  readonly isUnsafe: boolean
}

/** @see komodo-defi-framework coins/utxo/bch.rs BchActivationRequest */
export function utxoRequest(coin: 'bch' | 'utxo'): Read<UtxoRequest> {
  const server = struct('ElectrumConnectionSettings', ({ required, optional }) => {
    optional('protocol', oneOf('TCP', 'SSL', 'WS', 'WSS'), 'TCP')
    optional('disable_cert_verification', flag, false)
    return required('url', text)
  })
  const mode = struct('UtxoRpcMode', ({ required }) => {
    if (required('rpc', oneOf('Native', 'Electrum')) === 'Native') return undefined
    const data = struct('Electrum', (members) => members.required('servers', list(server)))
    return required('rpc_data', data)
  })
  const params = struct('UtxoActivationParams', ({ required, optional }) => {
    const servers = required('mode', mode)
    const urls = coin === 'bch' ? required('bchd_urls', list(text)) : ['']
    const isAllowed = optional('allow_slp_unsafe_conf', flag, false)
    optional('utxo_merge_params', mergeParams, undefined)
    optional('tx_history', flag, false)
    optional('required_confirmations', unsigned('u64'), undefined)
    optional('requires_notarization', flag, undefined)
    optional('address_format', addressFormat, undefined)
    optional('gap_limit', unsigned('u32'), undefined)
    optional('scan_policy', oneOf('do_not_scan', 'scan_if_new_wallet', 'scan'), undefined)
    optional('min_addresses_number', unsigned('u32'), undefined)
    optional('check_utxo_maturity', flag, undefined)
    optional('path_to_address', pathToAddress, undefined)
    const policy = optional('priv_key_policy', oneOf('ContextPrivKey', 'Trezor'), 'ContextPrivKey')
    return {
      servers,
      usesTrezor: policy === 'Trezor',
      isUnsafe: urls.length === 0 && !isAllowed,
    }
  })
  return struct('InitStandaloneCoinReq', ({ required, optional }) => ({
    ticker: required('ticker', text),
    clientId: optional('client_id', unsigned('u64'), 0),
    ...required('activation_params', params),
  }))
}

const mergeParams = struct('UtxoMergeParams', ({ required, optional }) => {
  required('merge_at', unsigned('usize'))
  optional('check_every', anything, undefined)
  optional('max_merge_at_once', unsigned('usize'), undefined)
})

const addressFormat = struct('UtxoAddressFormat', ({ required, optional }) => {
  if (required('format', oneOf('standard', 'segwit', 'cashaddress')) !== 'cashaddress') return
  required('network', oneOf('bitcoincash', 'bchtest', 'bchreg'))
  optional('pub_addr_prefix', unsigned('u8'), 0)
  optional('p2sh_addr_prefix', unsigned('u8'), 0)
})

/** Where errors of these tasks come up; documentation of task::enable_bch::cancel. */
export function standaloneFamily(name: string): TaskFamily {
  return {
    name,
    statusTrace: 'init_standalone_coin:119]',
    cancelTrace: 'init_standalone_coin:144]',
  }
}

/** Starts the task, unless the configuration is against it; answers its number. */
export function startUtxo(
  state: FrameworkState,
  family: TaskFamily,
  protocol: 'BCH' | 'UTXO',
  request: UtxoRequest,
): number {
  const { ticker } = request
  if (state.active.has(ticker)) {
    throw new MmError(`Coin ${ticker} is activated already`, {
      status: 400,
      type: 'CoinIsAlreadyActivated',
      data: { ticker },
      trace: 'init_standalone_coin:0]',
    })
  }
  state.coins.protocol(ticker, 'coin', protocol)
  const script = scriptedCoin(state, ticker)
  const plan = activation(state, request, script)
  return state.tableOf(family).start(plan, firstProgress, request.clientId)
}

/** @see komodo-defi-framework coins_activation/src/utxo_activation */
function* activation(state: FrameworkState, request: UtxoRequest, script: CoinScript): Plan {
  const { ticker } = request
  const fail = (error: string): MmError => creationError(ticker, error)
  // A fault of the request shows in the task, not at its start.
  const fault = faultOf(state, request)
  if (fault !== undefined) {
    yield { waitMs: latencyOf(script) }
    throw fail(fault)
  }
  for (const step of script.steps ?? usualSteps(latencyOf(script))) {
    if ('device' in step) {
      if (request.usesTrezor) yield* unlock(state, ticker)
    } else if ('asks' in step) {
      yield { asks: step.asks, limitMs: pinLimitMs, late: () => timedOut(pinLimitMs) }
    } else {
      yield { progress: step.progress }
      yield { waitMs: step.ms ?? Number.POSITIVE_INFINITY }
    }
  }
  const failure = scriptedFailure(script)
  if (failure !== undefined) throw failure
  if (state.active.has(ticker)) throw fail(`Coin ${ticker} is activated already`)
  state.active.set(ticker, script)
  return {
    ticker,
    current_block: script.current_block ?? 0,
    wallet_balance: walletBalance(state, ticker, script),
  }
}

const firstProgress = 'ActivatingCoin'

/** The order of the source, which is not the one of the documentation. */
function usualSteps(ms: number): readonly StepScript[] {
  return [
    { progress: firstProgress, ms },
    { progress: 'RequestingWalletBalance', ms },
    { device: true },
    { progress: 'ActivatingCoin', ms },
  ]
}

/** @see komodo-defi-framework coins_activation/src/utxo_activation/init_bch_activation.rs */
function faultOf(
  { hardware, preset }: FrameworkState,
  { isUnsafe, servers, usesTrezor }: UtxoRequest,
): string | undefined {
  if (isUnsafe) return 'Using empty bchd_urls is unsafe for SLP users!'
  if (usesTrezor && hardware === undefined && preset.hardwareContext) {
    return noHardwareContext
  }
  return servers?.length === 0 ? 'Electrum servers list is empty' : undefined
}

const pinLimitMs = 300_000

function timedOut(ms: number): MmError {
  return new MmError(`Initialization task has timed out ${ms / 1_000}s`, {
    status: 408,
    type: 'TaskTimedOut',
    data: { duration: { secs: ms / 1_000, nanos: 0 } },
    trace: 'init_standalone_coin:0] hw_client:0]',
  })
}

function* unlock(
  state: FrameworkState,
  ticker: string,
): Generator<Step, void, UserAction | undefined> {
  yield* talk({
    devices: state.devices,
    connected: 'ActivatingCoin',
    connectionFailed: 'Finishing',
    pinLimitMs,
    expected: state.hardware,
    fault: (fault, words) =>
      ownFaults.has(fault) ? hardwareError(fault, words) : creationError(ticker, words),
    timedOut,
    unexpectedAction: (expected) => {
      const words = `RPC 'task' is awaiting '${expected}' user action`
      return internalError(words, 'init_standalone_coin:0] hw_rpc_task:0]')
    },
  })
}

/** Failures that arrive as an error of the device; the others are text in the coin's error. */
const ownFaults: ReadonlySet<DeviceFault> = new Set<DeviceFault>([
  'NoTrezorDeviceAvailable',
  'FoundMultipleDevices',
  'FoundUnexpectedDevice',
  'NotInitialized',
])

function hardwareError(fault: DeviceFault, words: string): MmError {
  const trace = 'init_standalone_coin:0] hw_client:0]'
  return new MmError(words, { status: 410, type: 'HwError', data: fault, trace })
}

function creationError(ticker: string, error: string): MmError {
  return new MmError(`Error on platform coin ${ticker} creation: ${error}`, {
    status: 400,
    type: 'CoinCreationError',
    data: { ticker, error },
    trace: 'lib:103] init_utxo_standard_activation:79] utxo_coin_builder:317]',
  })
}

function walletBalance(
  { script: { wallet = 'Iguana' } }: FrameworkState,
  ticker: string,
  { address, balance, accounts = [] }: CoinScript,
): object {
  if (wallet === 'Iguana') {
    return { wallet_type: 'Iguana', address, balance: { [ticker]: balance } }
  }
  return {
    wallet_type: 'HD',
    accounts: accounts.map(({ account_index, derivation_path, addresses }) => ({
      account_index,
      derivation_path,
      total_balance: { [ticker]: total(addresses.map((one) => one.balance)) },
      addresses: addresses.map((one) => ({ ...one, balance: { [ticker]: one.balance } })),
    })),
  }
}

function total(balances: readonly BalanceScript[]): BalanceScript {
  return {
    spendable: sum(balances.map(({ spendable }) => spendable)),
    unspendable: sum(balances.map(({ unspendable }) => unspendable)),
  }
}

/** Adds decimal texts digit by digit, without zeros at the end. */
function sum(amounts: readonly string[]): string {
  const places = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0))
  const scaled = amounts.reduce((total, amount) => {
    const [whole = '0', fraction = ''] = amount.split('.')
    return total + BigInt(whole + fraction.padEnd(places, '0'))
  }, 0n)
  const digits = String(scaled).padStart(places + 1, '0')
  const cut = digits.length - places
  return `${digits.slice(0, cut)}.${digits.slice(cut)}`.replace(/\.?0*$/, '') || '0'
}
