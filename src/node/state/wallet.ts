// The keys and notes of one identity's wallet.

import type { Network } from '../../chain/network.ts'
import { hash160 } from '../../engine/calls.ts'
import { publicKeyFormsOf } from '../../engine/private-keys.ts'
import { bytesFromHex } from '../../primitives/hex.ts'
import { decodeWif, encodeWif } from '../../signing/wif.ts'
import type { Outpoint } from '../../transaction/types.ts'
import { type DaemonSettings, startSettings } from './daemon-settings.ts'
import { outpointKey } from './keys.ts'
import { emptyMap, entriesFrom, lookUp, type OrderedMap, withEntry } from './ordered-map.ts'
import { type IndexKey, indexTypes, type ScriptIndex } from './script-index.ts'

export interface WalletKey {
  readonly wif: string
  /** As outputs to it name it. */
  readonly publicKey: string
}

interface TransactionNote {
  readonly comment?: string
  readonly to?: string
}

/** The state of one identity besides the chain. */
export interface Wallet {
  /** -pubkey: the key that contract modules take for the node's. */
  readonly pubkey: string | undefined
  /** By hash of the public key. */
  readonly keys: OrderedMap<WalletKey>
  /** Scripts that are watched without their keys. */
  readonly watched: OrderedMap<true>
  /** By script hash. */
  readonly redeemScripts: OrderedMap<string>
  /** By outpoint. */
  readonly locked: OrderedMap<true>
  /** By txid. */
  readonly notes: OrderedMap<TransactionNote>
  /** By address: its account, mostly ''. */
  readonly accounts: OrderedMap<string>
  /** By account: the address that `getaccountaddress` last gave. */
  readonly accountAddresses: OrderedMap<string>
  /** Satoshis for 1000 bytes; 0 leaves it to the default. */
  readonly feeRate: bigint
  readonly settings: DaemonSettings
}

export const emptyWallet: Wallet = {
  pubkey: undefined,
  keys: emptyMap(),
  watched: emptyMap(),
  redeemScripts: emptyMap(),
  locked: emptyMap(),
  notes: emptyMap(),
  accounts: emptyMap(),
  accountAddresses: emptyMap(),
  feeRate: 0n,
  settings: startSettings,
}

/** @throws {AntaraError} `malformed_private_key` */
export function keyOfWif(wif: string, network: Network): WalletKey {
  const { privateKey, isCompressed } = decodeWif(wif, network)
  const [compressed, uncompressed] = publicKeyFormsOf(bytesFromHex(privateKey))
  return {
    wif: encodeWif(privateKey, network, { isCompressed }),
    publicKey: isCompressed ? compressed : uncompressed,
  }
}

export function withKey(wallet: Wallet, key: WalletKey): Wallet {
  return { ...wallet, keys: withEntry(wallet.keys, hash160(key.publicKey), key) }
}

/** The key whose public key has this hash. */
export function keyOf(wallet: Wallet, keyHash: string): WalletKey | undefined {
  return lookUp(wallet.keys, keyHash)
}

export type Ownership = 'spendable' | 'watched'

/**
 * Tells whether an output is the wallet's. Conditions belong to no wallet: modules look after them.
 *
 * @see komodo src/wallet/wallet_ismine.cpp, IsMine
 */
export function ownershipOf(
  wallet: Wallet,
  script: string,
  scripts: ScriptIndex,
): Ownership | undefined {
  if (isSpendable(wallet, script, scripts)) return 'spendable'
  return lookUp(wallet.watched, script) === undefined ? undefined : 'watched'
}

export function isLocked({ locked }: Wallet, { txid, vout }: Outpoint): boolean {
  return lookUp(locked, outpointKey(txid, vout)) !== undefined
}

/** Returns the script behind a script's hash, if the wallet has it. */
export function redeemScriptOf(
  { redeemScripts }: Pick<Wallet, 'redeemScripts'>,
  script: string,
  scripts: ScriptIndex,
): string | undefined {
  const [key] = scripts.keysOf(script)
  return key?.startsWith(indexTypes.script) ? lookUp(redeemScripts, key.slice(1)) : undefined
}

/** Several keys count only behind a script hash: a bare output to them can be watched at most. */
function isSpendable(
  wallet: Wallet,
  script: string,
  scripts: ScriptIndex,
  { isBehindHash = false } = {},
): boolean {
  const { type } = scripts.describe(script)
  const hashes = scripts.keysOf(script).map((key) => key.slice(1))
  const hasAll = hashes.length > 0 && hashes.every((hash) => keyOf(wallet, hash) !== undefined)
  switch (type) {
    case 'pubkey':
    case 'pubkeyhash':
      return hasAll
    case 'multisig':
      return hasAll && isBehindHash
    case 'scripthash': {
      const redeemScript = redeemScriptOf(wallet, script, scripts)
      if (redeemScript === undefined) return false
      return isSpendable(wallet, redeemScript, scripts, { isBehindHash: true })
    }
    default:
      return false
  }
}

/** Under which the chain's index may have outputs of the wallet. */
export function indexKeysOf(wallet: Wallet, scripts: ScriptIndex): IndexKey[] {
  const keys = [...entriesFrom(wallet.keys)].map(([hash]) => indexTypes.key + hash)
  const redeemed = [...entriesFrom(wallet.redeemScripts)].map(([hash]) => indexTypes.script + hash)
  const watched = [...entriesFrom(wallet.watched)].flatMap(([script]) => scripts.keysOf(script))
  return [...new Set([...keys, ...redeemed, ...watched])]
}
