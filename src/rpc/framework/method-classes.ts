// The class of every method of the framework, in both of its dispatchers.
// Source: komodo-defi-framework mm2_main/src/rpc/dispatcher/dispatcher.rs, dispatcher_legacy.rs.

import {
  classesOf,
  type MethodClass,
  type NamesByClass,
  wordsOf,
} from '../daemon/method-classes.ts'

/** Returns the class of a method. Names are case-sensitive, as they are for the server. */
export function classOfFrameworkMethod(method: string): MethodClass {
  return classes.get(method) ?? 'unknown'
}

/** Returns true for a method of the older dispatcher, whose parameters stand beside `method`. */
export function isLegacyMethod(method: string): boolean {
  return legacy.has(method)
}

export function isOnlyLegacy(method: string): boolean {
  return legacy.has(method) && !inBoth.has(method)
}

export function classedFrameworkMethods(): readonly string[] {
  return [...classes.keys()]
}

/** A method that starts trades spends coins later, so it counts as `build-and-send`. */
const names: NamesByClass = {
  read: `
    account_balance active_swaps best_orders get_current_mtp get_enabled_coins get_locked_amount
    get_my_address get_public_key get_public_key_hash get_raw_transaction get_token_info
    get_token_allowance get_wallet_names get_staking_infos max_maker_vol my_recent_swaps
    my_swap_status my_tx_history orderbook trade_preimage verify_message z_coin_tx_history
    ibc_chains ibc_transfer_channels tendermint_validators trezor_connection_status
    get_eth_estimated_fee_per_gas get_swap_transaction_fee_policy get_shared_db_id
    task::account_balance::init task::account_balance::status task::account_balance::cancel
    all_swaps_uuids_by_filter coins_needed_for_kick_start convertaddress convert_utxo_address
    get_directly_connected_peers get_gossip_mesh get_gossip_peer_topics get_gossip_topic_peers
    get_my_peer_id get_relay_mesh get_trade_fee help kmd_rewards_info list_banned_pubkeys
    max_taker_vol metrics min_trading_vol my_balance my_orders orders_history_by_filter
    order_status orderbook_depth stats_swap_status validateaddress version`,
  build: `
    withdraw withdraw_nft sign_raw_transaction 1inch_v6_0_classic_swap_create
    task::withdraw::init task::withdraw::status task::withdraw::user_action
    task::withdraw::cancel`,
  send: 'send_raw_transaction',
  'build-and-send': `
    buy sell setprice update_maker_order recover_funds_of_swap approve_token consolidate_utxos
    add_delegation remove_delegation tendermint_delegation recreate_swap_data
    start_simple_market_maker_bot
    lightning::channels::open_channel lightning::channels::close_channel
    lightning::payments::send_payment`,
  secret: `
    get_mnemonic show_priv_key get_private_keys change_mnemonic_password delete_wallet
    sign_message`,
  // An activation names servers, and may merge coins in the background.
  administration: `
    electrum enable disable_coin stop set_required_confirmations set_requires_notarization
    ban_pubkey unban_pubkeys import_swaps cancel_all_orders cancel_order
    enable_bch_with_tokens enable_slp enable_eth_with_tokens enable_erc20 enable_nft
    enable_tendermint_with_assets enable_tendermint_token get_new_address
    set_swap_transaction_fee_policy stop_simple_market_maker_bot send_asked_data
    add_node_to_version_stat remove_node_from_version_stat start_version_stat_collection
    stop_version_stat_collection update_version_stat_collection start_eth_fee_estimator
    stop_eth_fee_estimator clear_nft_db refresh_nft_metadata update_nft
    peer_connection_healthcheck
    ${tasks('enable_utxo enable_qtum enable_bch enable_eth enable_erc20 enable_tendermint')}
    ${tasks('enable_z_coin enable_sia enable_lightning init_trezor connect_metamask')}
    ${tasks('create_new_account get_new_address scan_for_new_addresses')}`,
}

function tasks(families: string): string {
  const verbs = ['init', 'status', 'user_action', 'cancel']
  const tasksOf = (family: string) => verbs.map((verb) => `task::${family}::${verb}`)
  return wordsOf(families).flatMap(tasksOf).join(' ')
}

const classes = classesOf(names)

const legacy = new Set(
  wordsOf(`
    active_swaps all_swaps_uuids_by_filter ban_pubkey best_orders buy cancel_all_orders
    cancel_order coins_needed_for_kick_start convertaddress convert_utxo_address disable_coin
    electrum enable get_enabled_coins get_directly_connected_peers get_gossip_mesh
    get_gossip_peer_topics get_gossip_topic_peers get_my_peer_id get_relay_mesh get_trade_fee help
    import_swaps kmd_rewards_info list_banned_pubkeys max_taker_vol metrics min_trading_vol
    my_balance my_orders my_recent_swaps my_swap_status my_tx_history orders_history_by_filter
    order_status orderbook orderbook_depth recover_funds_of_swap sell show_priv_key
    send_raw_transaction set_required_confirmations set_requires_notarization setprice
    stats_swap_status stop trade_preimage unban_pubkeys update_maker_order validateaddress version
    withdraw`),
)

/** Methods of the older dispatcher that mmrpc 2.0 has as well. */
const inBoth = new Set(
  wordsOf(`
    active_swaps best_orders get_enabled_coins my_recent_swaps my_swap_status my_tx_history
    orderbook trade_preimage withdraw`),
)
