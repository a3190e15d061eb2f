// Parameters of the methods that activate coins.

import { requireArray, requireObject, requireString } from '../../primitives/arguments.ts'

/** A node of a Tendermint chain. */
export interface CoinNode {
  readonly url: string
  /** Default false. */
  readonly komodo_proxy?: boolean
  /** Documented, but ignored by the server for these chains. */
  readonly api_url?: string
  readonly grpc_url?: string
  readonly ws_url?: string
}

/** A token to activate with its platform. */
export interface TokensRequest {
  readonly ticker: string
  /** Protocol of a custom token, which is not in the coins file. */
  readonly protocol?: CoinProtocol
  /** SLP only. Default: the token's entry in the coins file, else the platform's value. */
  readonly required_confirmations?: number
}

/** Protocol of a custom coin, tagged as in the coins file. */
export interface CoinProtocol {
  readonly type: string
  readonly protocol_data?: unknown
}

/** A path. Default: account 0, External, address 0; absent members are sent with these values. */
export interface PathToAddress {
  readonly account_id?: number
  readonly chain?: 'External' | 'Internal'
  readonly address_id?: number
}

/**
 * The source of a Tendermint key, if not the server's own wallet.
 *
 * The last form is the documented one. It fails to parse on every server whose source is known, so
 * it is sent as the first form.
 */
export type TendermintActivationParams =
  | { readonly type: 'WalletConnect'; readonly params: { readonly session_topic: string } }
  | {
      readonly type: 'WithPubkey'
      readonly params: {
        readonly pubkey: {
          readonly type: 'secp256k1' | 'ed25519'
          readonly value: readonly number[]
        }
        readonly is_ledger_connection: boolean
      }
    }
  | { readonly priv_key_policy: { readonly type: string; readonly data?: string } }

export interface EnableTendermintWithAssetsParams {
  /** The ticker of a coins file entry with protocol TENDERMINT; documented: ATOM, IRIS, OSMOSIS. */
  readonly ticker: string
  readonly nodes: readonly CoinNode[]
  /** May be empty. */
  readonly tokens_params: readonly TokensRequest[]
  /** Default false; must be true for `my_tx_history`. */
  readonly tx_history?: boolean
  /**
   * Default true. Without balances the answer comes sooner, and has the names of the tokens
   * instead.
   */
  readonly get_balances?: boolean
  readonly path_to_address?: PathToAddress
  readonly activation_params?: TendermintActivationParams
  /** Documented, but ignored by the server: the coins file decides. */
  readonly mm2?: 0 | 1
  /** Documented (default ContextPrivKey), but ignored by the server. */
  readonly priv_key_policy?: string
  /** Documented (default 3), but ignored by the server. */
  readonly required_confirmations?: number
  /** Documented (default false), but ignored by the server. */
  readonly requires_notarization?: boolean
}

/** The server's access to a UTXO chain. */
export type UtxoRpcMode =
  | { readonly rpc: 'Native' }
  | {
      readonly rpc: 'Electrum'
      readonly rpc_data: {
        readonly servers: readonly ElectrumServer[]
        readonly min_connected?: number
        readonly max_connected?: number
      }
    }

export interface ElectrumServer {
  /** `host:port` */
  readonly url: string
  /** Default TCP in native builds, WSS in browser builds. */
  readonly protocol?: 'TCP' | 'SSL' | 'WS' | 'WSS'
  readonly disable_cert_verification?: boolean
  readonly timeout_sec?: number
  /** Documented in the coins file; the server ignores it in a request. */
  readonly ws_url?: string
}

export type AddressFormat =
  | { readonly format: 'standard' | 'segwit' }
  | {
      readonly format: 'cashaddress'
      readonly network: 'bitcoincash' | 'bchtest' | 'bchreg'
      readonly pub_addr_prefix?: number
      readonly p2sh_addr_prefix?: number
    }

/**
 * The source of a UTXO key. The object with `type` is the documented form, which other coin
 * families use; it is sent as the plain name.
 */
export type UtxoPrivKeyPolicy =
  | 'ContextPrivKey'
  | 'Trezor'
  | { readonly type: 'ContextPrivKey' | 'Trezor' }
  | { readonly WalletConnect: { readonly session_topic: string } }

/** Members that both ways of activating BCH read. */
export interface BchActivationParams {
  /**
   * gRPC servers that validate SLP transactions. The list may be empty only with the next member.
   */
  readonly bchd_urls: readonly string[]
  /** Default false. True risks invalid SLP transactions, which burn tokens. */
  readonly allow_slp_unsafe_conf?: boolean
  readonly mode: UtxoRpcMode
  /** Documented as required, but optional. */
  readonly utxo_merge_params?: {
    readonly merge_at: number
    /** Seconds, default 10. */
    readonly check_every?: number
    /** Default 100. */
    readonly max_merge_at_once?: number
  }
  /** Default false; the documentation states both. Must be true for `my_tx_history`. */
  readonly tx_history?: boolean
  /** Default: coins file, else 1 (documented: 3). */
  readonly required_confirmations?: number
  /** Default: coins file, else false (documented: true). Without effect on BCH. */
  readonly requires_notarization?: boolean
  /** Default: coins file. */
  readonly address_format?: AddressFormat
  /** HD wallets: default 20. */
  readonly gap_limit?: number
  /** HD wallets: default `scan_if_new_wallet`. */
  readonly scan_policy?: 'do_not_scan' | 'scan_if_new_wallet' | 'scan'
  readonly min_addresses_number?: number
  /** Default ContextPrivKey. */
  readonly priv_key_policy?: UtxoPrivKeyPolicy
  /** Default: coins file. */
  readonly check_utxo_maturity?: boolean
  readonly path_to_address?: PathToAddress
}

export interface EnableBchParams {
  /** BCH or tBCH. */
  readonly ticker: string
  readonly activation_params: BchActivationParams & {
    /**
     * Documented as required, and sent if you give it. The server ignores it: this task activates
     * no SLP token. Use `enableSlp` afterwards, or `enableBchWithTokens`.
     */
    readonly slp_tokens_requests?: readonly TokensRequest[]
    /** Documented (default true), but ignored by the server. */
    readonly get_balances?: boolean
  }
  /** Id of the client of the event stream; the `events` option sets it. */
  readonly client_id?: number
}

export interface EnableBchWithTokensParams extends BchActivationParams {
  readonly ticker: string
  readonly slp_tokens_requests: readonly TokensRequest[]
  /** Default true. */
  readonly get_balances?: boolean
}

export interface EnableSlpParams {
  readonly ticker: string
  readonly activation_params?: { readonly required_confirmations?: number }
  readonly protocol?: CoinProtocol
}

export interface EnableTendermintTokenParams {
  readonly ticker: string
  /** Required by the server, which ignores its members. */
  readonly activation_params?: { readonly required_confirmations?: number }
  readonly protocol?: CoinProtocol
}

/**
 * Returns the wire's form of the parameters. Throws `TypeError` for a required member of the wrong
 * type.
 */
export function tendermintParams(params: EnableTendermintWithAssetsParams): object {
  requireString(params.ticker, 'ticker')
  requireArray(params.nodes, 'nodes')
  requireArray(params.tokens_params, 'tokens_params')
  return {
    ...params,
    ...pathToAddress(params),
    ...(params.activation_params && {
      activation_params: tendermintActivation(params.activation_params),
    }),
  }
}

function tendermintActivation(params: TendermintActivationParams): object {
  if (!('priv_key_policy' in params)) return params
  const { type, data } = params.priv_key_policy
  return { type, ...(data !== undefined && { params: { session_topic: data } }) }
}

function pathToAddress({ path_to_address: path }: { path_to_address?: PathToAddress }): object {
  if (path === undefined) return {}
  return { path_to_address: { account_id: 0, chain: 'External', address_id: 0, ...path } }
}

export function enableBchParams(params: EnableBchParams): object {
  requireString(params.ticker, 'ticker')
  requireObject(params.activation_params, 'activation_params')
  return { ...params, activation_params: bchActivation(params.activation_params) }
}

export function enableBchWithTokensParams(params: EnableBchWithTokensParams): object {
  requireString(params.ticker, 'ticker')
  requireArray(params.slp_tokens_requests, 'slp_tokens_requests')
  return bchActivation(params)
}

function bchActivation(params: BchActivationParams): object {
  requireArray(params.bchd_urls, 'bchd_urls')
  requireObject(params.mode, 'mode')
  const { priv_key_policy: policy } = params
  return {
    ...params,
    ...pathToAddress(params),
    ...(typeof policy === 'object' && 'type' in policy && { priv_key_policy: policy.type }),
  }
}

export function tokenActivationParams(
  params: EnableSlpParams | EnableTendermintTokenParams,
): object {
  requireString(params.ticker, 'ticker')
  return { activation_params: {}, ...params }
}
