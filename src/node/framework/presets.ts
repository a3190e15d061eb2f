// Differences between versions of the framework, as far as its sources and its
// documentation tell.

export interface FrameworkPreset {
  /** The answer of the legacy method `version`. */
  readonly version: string
  /** Names of protocols that a coins file may have, in the order in which errors list them. */
  readonly protocols: readonly string[]
  /** Protocols in errors: as the source prints its own types, or as JSON. */
  readonly protocolText: 'debug' | 'json'
  /**
   * True if `get_enabled_coins` takes an empty `params`; older versions take no `params` at all.
   */
  readonly emptyParams: boolean
  /** True if a token of another platform is refused as `PlatformCoinMismatch`. */
  readonly platformMismatch: boolean
  /** True if the documented `activation_params.priv_key_policy` of Cosmos is read. */
  readonly documentedPolicy: boolean
  /** True if `task::init_trezor` must come before coins are activated on a device. */
  readonly hardwareContext: boolean
  /** True if the error of a task is wrapped in `result`, as documented. */
  readonly wrapsTaskErrors: boolean
  /** The error types that this version names differently, by their usual names. */
  readonly errorTypes: Readonly<Record<string, string>>
}

// coins/lp_coins.rs CoinProtocol
const protocols = [
  'UTXO',
  'QTUM',
  'QRC20',
  'ETH',
  'ERC20',
  'TRX',
  'SLPTOKEN',
  'BCH',
  'TENDERMINT',
  'TENDERMINTTOKEN',
  'LIGHTNING',
  'ZHTLC',
  'NFT',
]

const v251: FrameworkPreset = {
  version: '2.5.1-beta_a9fbf609',
  protocols,
  protocolText: 'json',
  emptyParams: false,
  platformMismatch: false,
  documentedPolicy: false,
  hardwareContext: true,
  wrapsTaskErrors: false,
  errorTypes: {},
}

const v260: FrameworkPreset = {
  ...v251,
  version: '2.6.0-beta_80766b00',
  emptyParams: true,
  platformMismatch: true,
}

const v300: FrameworkPreset = {
  ...v260,
  version: '3.0.0-beta_d56a7bc5',
  protocols: [...protocols, 'TRC20', 'SOLANA', 'SOLANATOKEN'],
}

/** The documented behaviour, where the sources of no version agree with it. */
const documented: FrameworkPreset = {
  ...v251,
  version: '2.0.996_mm2_3bb412578_Linux',
  // Documentation of enable_tendermint_with_assets, TokenProtocolParseError.
  protocols: [
    'UTXO',
    'QTUM',
    'QRC20',
    'ETH',
    'ERC20',
    'SLPTOKEN',
    'BCH',
    'TENDERMINT',
    'TENDERMINTTOKEN',
    'LIGHTNING',
    'SOLANA',
    'SPLTOKEN',
    'ZHTLC',
  ],
  protocolText: 'debug',
  documentedPolicy: true,
  hardwareContext: false,
  wrapsTaskErrors: true,
  errorTypes: { PrivKeyPolicyNotAllowed: 'PrivKeyNotAllowed', Internal: 'InternalError' },
}

export type FrameworkPresetName = '2.5.1' | '2.6.0' | '3.0.0' | 'docs'

/** Versions whose sources were read, and `docs`: the documentation's own samples. */
export const frameworkPresets: Readonly<Record<FrameworkPresetName, FrameworkPreset>> = {
  '2.5.1': v251,
  '2.6.0': v260,
  '3.0.0': v300,
  docs: documented,
}

/**
 * Values of `preset`: versions of the framework, and one that answers with the documented samples.
 */
export const frameworkPresetNames: readonly FrameworkPresetName[] = Object.keys(
  frameworkPresets,
) as FrameworkPresetName[]
