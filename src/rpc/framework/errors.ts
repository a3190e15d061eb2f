// Errors of the framework: their types and data.

import * as v from 'valibot'
import { isJsonObject, type JsonValue, memberOf } from '../../primitives/json.ts'
import { isRpcError, RpcError } from '../errors.ts'
import { count, type Schema, text } from '../fields.ts'

interface TickerAndError {
  readonly ticker: string
  readonly error: string
}

interface TickerAndProtocol {
  readonly ticker: string
  readonly protocol: { readonly type: string; readonly protocol_data?: unknown }
}

interface Duration {
  readonly secs: number
  readonly nanos: number
}

/**
 * `error_data` of each error type of the activation and task methods. The set is open: a server may
 * answer with another type.
 *
 * @see komodo-defi-framework coins_activation, rpc_task, crypto/src/hw_error.rs
 */
export interface FrameworkErrorData {
  // Before the method runs.
  InvalidRequest: string
  NoSuchMethod: undefined
  InvalidMmRpcVersion: string
  UserpassIsNotSet: undefined
  UserpassIsInvalid: { readonly error_type: 'NbAttemptsLeft'; readonly error_data: number }
  Banned: undefined
  LocalHostOnly: undefined
  // Activation of a platform coin with tokens.
  PlatformIsAlreadyActivated: string
  PlatformConfigIsNotFound: string
  CoinProtocolParseError: TickerAndError
  UnexpectedPlatformProtocol: TickerAndProtocol
  TokenConfigIsNotFound: string
  TokenProtocolParseError: TickerAndError
  UnexpectedTokenProtocol: TickerAndProtocol
  /** Documented as a string. */
  PlatformCoinCreationError: TickerAndError | string
  /** Documented as PrivKeyNotAllowed: see {@link isFrameworkError}. */
  PrivKeyPolicyNotAllowed: string
  UnexpectedDerivationMethod: unknown
  Transport: string
  AtLeastOneNodeRequired: string
  InvalidPayload: string
  FailedSpawningBalanceEvents: string
  /** Documented as InternalError. */
  Internal: string
  UnexpectedDeviceActivationPolicy: undefined
  CustomTokenError: unknown
  WalletConnectError: string
  PlatformCoinMismatch: undefined
  // Activation of one token.
  TokenIsAlreadyActivated: string
  PlatformCoinIsNotActivated: string
  UnsupportedPlatformCoin: {
    readonly platform_coin_ticker: string
    readonly token_ticker: string
  }
  CouldNotFetchBalance: string
  InvalidConfig: string
  // Activation of a single coin as a task.
  CoinIsAlreadyActivated: { readonly ticker: string }
  CoinConfigIsNotFound: string
  UnexpectedCoinProtocol: TickerAndProtocol
  CoinCreationError: TickerAndError
  TaskTimedOut: { readonly duration: Duration }
  HwError: HardwareFault
  // Tasks themselves.
  NoSuchTask: number
  TaskFinished: number
  // History.
  CoinIsNotActive: string
  InvalidTarget: string
  NotSupportedFor: string
  StorageIsNotInitialized: string
  StorageError: string
  RpcError: string
}

export type FrameworkErrorType = keyof FrameworkErrorData

/** Faults of a device that the user has to see. */
export type HardwareFault =
  | 'NoTrezorDeviceAvailable'
  | 'FoundMultipleDevices'
  | 'FoundUnexpectedDevice'
  | 'InvalidPin'
  | 'UnexpectedMessage'
  | 'ButtonExpected'
  | 'DataError'
  | 'PinExpected'
  | 'InvalidSignature'
  | 'ProcessError'
  | 'NotEnoughFunds'
  | 'NotInitialized'
  | 'WipeCodeMismatch'
  | 'InvalidSession'
  | 'FirmwareError'
  | 'FailureMessageNotFound'
  | 'UserCancelled'
  | 'PongMessageMismatch'
  | (string & {})

// Names of two types in the documentation.
const documentedTypes: ReadonlyMap<string, FrameworkErrorType> = new Map([
  ['PrivKeyNotAllowed', 'PrivKeyPolicyNotAllowed'],
  ['InternalError', 'Internal'],
])

/**
 * Returns true if `error` is a framework error of `type`, in an answer or in a failed task, and
 * narrows its data. `type` may have the source's or the documentation's name.
 *
 * @example
 * try {
 *   await framework.enableBch(params)
 * } catch (error) {
 *   if (isFrameworkError(error, 'HwError')) console.log('device:', error.errorData)
 *   else if (!isFrameworkError(error, 'CoinIsAlreadyActivated')) throw error
 * }
 */
export function isFrameworkError<Type extends FrameworkErrorType>(
  error: unknown,
  type: Type,
): error is RpcError & {
  readonly errorType: string
  readonly errorData: FrameworkErrorData[Type]
} {
  if (!isRpcError(error) || (error.kind !== 'framework' && error.kind !== 'task')) return false
  const given = error.errorType ?? ''
  return given === type || documentedTypes.get(given) === type
}

const tickerAndError = v.looseObject({ ticker: text, error: text })
const tickerAndProtocol = v.looseObject({
  ticker: text,
  protocol: v.looseObject({ type: text }),
})
const duration = v.looseObject({ secs: count, nanos: count })

// The types whose data have numbers or need validation. Other data stay unchanged.
const dataSchemas: { readonly [type: string]: Schema<unknown> } = {
  CoinProtocolParseError: tickerAndError,
  TokenProtocolParseError: tickerAndError,
  CoinCreationError: tickerAndError,
  UnexpectedPlatformProtocol: tickerAndProtocol,
  UnexpectedTokenProtocol: tickerAndProtocol,
  UnexpectedCoinProtocol: tickerAndProtocol,
  NoSuchTask: count,
  TaskFinished: count,
  TaskTimedOut: v.looseObject({ duration }),
  Timeout: duration,
  UserpassIsInvalid: v.looseObject({ error_type: text, error_data: count }),
}

function errorData(type: string, data: JsonValue | undefined): unknown {
  if (data === undefined) return undefined
  const schema = Object.hasOwn(dataSchemas, type) ? dataSchemas[type] : undefined
  const outcome = schema && v.safeParse(schema, data)
  return outcome?.success ? outcome.output : data
}

/** The type for errors of legacy methods, which have none. */
const untyped = 'Unspecified'

export function frameworkError(
  kind: 'framework' | 'task',
  details: JsonValue,
  facts: { readonly status?: number; readonly taskId?: number },
): RpcError {
  const textOf = (name: string): string | undefined => {
    const value = memberOf(details, name)
    return typeof value === 'string' ? value : undefined
  }
  const errorType = textOf('error_type') ?? untyped
  return new RpcError(kind, `${textOf('error') ?? 'failed without a reason'} (${errorType})`, {
    ...facts,
    errorType,
    errorData: errorData(errorType, memberOf(details, 'error_data')),
    errorPath: textOf('error_path'),
    errorTrace: textOf('error_trace'),
  })
}

export function isErrorAnswer(answer: JsonValue): boolean {
  return isJsonObject(answer) && typeof memberOf(answer, 'error') === 'string'
}
