import type { FrameworkErrorType } from '../../../src/rpc/index.ts'

const tickerAndError = { ticker: 'IRIS', error: 'invalid type' }
const protocol = { type: 'BCH', protocol_data: { slp_prefix: 'simpleledger' } }

// Name on the wire, name in the types, status, data: the sources' and the documentation's.
export const errorTypes: [string, FrameworkErrorType, number, unknown][] = [
  ['CoinProtocolParseError', 'CoinProtocolParseError', 500, tickerAndError],
  ['InternalError', 'Internal', 500, 'text'],
  ['Internal', 'Internal', 500, 'text'],
  ['PlatformCoinCreationError', 'PlatformCoinCreationError', 500, tickerAndError],
  ['PlatformCoinCreationError', 'PlatformCoinCreationError', 500, 'text'],
  ['PlatformConfigIsNotFound', 'PlatformConfigIsNotFound', 400, 'WALDO'],
  ['PlatformIsAlreadyActivated', 'PlatformIsAlreadyActivated', 400, 'IRIS'],
  ['PrivKeyNotAllowed', 'PrivKeyPolicyNotAllowed', 500, 'text'],
  ['PrivKeyPolicyNotAllowed', 'PrivKeyPolicyNotAllowed', 500, 'text'],
  ['TokenConfigIsNotFound', 'TokenConfigIsNotFound', 400, 'GALT'],
  ['TokenProtocolParseError', 'TokenProtocolParseError', 500, tickerAndError],
  ['Transport', 'Transport', 502, 'text'],
  ['UnexpectedDerivationMethod', 'UnexpectedDerivationMethod', 500, 'ExpectedSingleAddress'],
  ['UnexpectedPlatformProtocol', 'UnexpectedPlatformProtocol', 400, { ticker: 'BCH', protocol }],
  ['UnexpectedTokenProtocol', 'UnexpectedTokenProtocol', 400, { ticker: 'KMD', protocol }],
  ['TaskTimedOut', 'TaskTimedOut', 408, { duration: { secs: 300, nanos: 5 } }],
  ['CoinCreationError', 'CoinCreationError', 400, tickerAndError],
  ['HwError', 'HwError', 410, 'NoTrezorDeviceAvailable'],
  ['TaskFinished', 'TaskFinished', 409, 3],
  ['NoSuchTask', 'NoSuchTask', 404, 3],
  ['CoinIsAlreadyActivated', 'CoinIsAlreadyActivated', 400, { ticker: 'BCH' }],
  ['UnexpectedDeviceActivationPolicy', 'UnexpectedDeviceActivationPolicy', 400, undefined],
  ['InvalidRequest', 'InvalidRequest', 400, 'unknown field `jsonrpc`'],
  ['NoSuchMethod', 'NoSuchMethod', 400, undefined],
  ['UserpassIsInvalid', 'UserpassIsInvalid', 403, { error_type: 'NbAttemptsLeft', error_data: 9 }],
  ['Banned', 'Banned', 403, undefined],
  ['LocalHostOnly', 'LocalHostOnly', 403, undefined],
]
