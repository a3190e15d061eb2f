// The keys of a wallet: a list that never changes, or a keychain of which more are found.

import type { Network } from '../chain/network.ts'
import type { ChainOptions, ChainSource } from '../chain-source/source.ts'
import type { Findings } from '../chain-source/source-findings.ts'
import { argumentError, requireObject, requireString } from '../primitives/arguments.ts'
import { isCompressedPoint } from '../script/public-key.ts'
import type { TransactionOutput } from '../transaction/types.ts'
import { untilAborted } from './aborting.ts'
import { listedEntries } from './history.ts'
import type { OwnScripts } from './own-scripts.ts'
import { readSigners, type WalletSigner } from './signer.ts'
import type { KnownTransactions } from './transactions.ts'

/**
 * Keys in a fixed order, such as those of an HD account. A signer can sign; a public key is only
 * watched. If a chain of keys throws, the next look reads it again from its first key on.
 */
export interface Keychain {
  /** Keys to be paid to, from the first one on; taken as they are needed. */
  keys(): AsyncIterable<WalletSigner | string>
  /** Keys for change. If absent, change goes to `keys` too. */
  changeKeys?(): AsyncIterable<WalletSigner | string>
}

export interface KeyRing {
  /** Compressed public keys, hex. Discovery only appends. */
  readonly publicKeys: readonly string[]
  /** Empty in a watch-only wallet. */
  readonly signers: readonly WalletSigner[]
  /**
   * Returns the first receiving key that was not paid. If all were paid, returns the last one that a
   * new process would find. A fixed list returns its first key.
   */
  unusedKey(): string
  /** Returns the key that gets the change of payments. */
  changeKey(): string
  /** Finds the keys that were paid, and watches `gapLimit` keys after the last of them. */
  discover(options: ChainOptions): Promise<void>
}

/** @throws {TypeError} for anything but compressed public keys */
export function watchedKeys(publicKeys: readonly unknown[], path: string): readonly string[] {
  return publicKeys.map((key, at) => {
    requireString(key, `${path}[${at}]`)
    const lower = key.toLowerCase()
    if (isCompressedPoint(lower)) return lower
    throw argumentError(`${path}[${at}]`, 'a compressed public key, 66 hexadecimal digits', key)
  })
}

export function fixedRing(
  publicKeys: readonly string[],
  signers: readonly WalletSigner[],
): KeyRing {
  const first = () => publicKeys[0]!
  return {
    publicKeys,
    signers,
    unusedKey: first,
    changeKey: first,
    discover: async () => undefined,
  }
}

interface RingContext {
  readonly chain: ChainSource
  readonly network: Network
  readonly own: OwnScripts
  readonly known: KnownTransactions
  readonly findings: Findings
}

interface RingLimits {
  /** Keys without a payment that are watched behind the last one that was paid. */
  readonly gapLimit: number
  /** Keys of one sequence that are watched at most. */
  readonly keysMax: number
}

/** The keys of one iterable of a keychain, as far as they were taken. */
interface KeySequence {
  readonly path: string
  /** Begins with the first key again. */
  readonly begin: () => AsyncIterator<WalletSigner | string>
  iterator: AsyncIterator<WalletSigner | string>
  readonly publicKeys: string[]
  isOver: boolean
  /** True if the iterator threw: its end is then not the end of the keys. */
  hasFailed: boolean
}

/**
 * Takes the first keys of a keychain.
 *
 * @throws {TypeError} for a keychain without a key, or with anything but signers and public keys
 */
export async function discoveringRing(
  keychain: Keychain,
  { chain, own, known, findings }: RingContext,
  { gapLimit, keysMax }: RingLimits,
): Promise<KeyRing> {
  requireObject(keychain, 'keychain')
  const receiving = sequenceOf('keychain.keys', () => keychain.keys())
  const changing =
    keychain.changeKeys === undefined
      ? receiving
      : sequenceOf('keychain.changeKeys', () => keychain.changeKeys!())
  const sequences = changing === receiving ? [receiving] : [receiving, changing]
  const publicKeys: string[] = []
  const signers: WalletSigner[] = []
  const used = new Set<string>()
  /** The used keys that a block has paid: a new process finds them, too. */
  let mined: ReadonlySet<string> = new Set()
  /** The watched keys that transactions pay, by txid. Decoding them again for each look takes time. */
  const paidIn = new Map<string, readonly string[]>()

  /** Watches more keys, so that enough of them follow the last one that was paid. */
  async function extend(): Promise<boolean> {
    let isLonger = false
    for (const keys of sequences) {
      const last = keys.publicKeys.findLastIndex((key) => used.has(key))
      const wanted = last + 1 + gapLimit
      if (wanted > keysMax) findings.add({ code: 'keychain_exhausted', actual: keys.path })
      while (!keys.isOver && keys.publicKeys.length < Math.min(wanted, keysMax)) {
        const { value, done } = await nextOf(keys)
        if (done === true) keys.isOver = true
        else add(keys, value)
        isLonger = true
      }
    }
    if (isLonger) paidIn.clear()
    return isLonger
  }

  function add(keys: KeySequence, given: WalletSigner | string): void {
    const path = `${keys.path}[${keys.publicKeys.length}]`
    const { publicKey, signer } = keyOf(given, path)
    if (publicKeys.includes(publicKey)) throw argumentError(path, 'another key', publicKey)
    if (signer !== undefined) signers.push(signer)
    keys.publicKeys.push(publicKey)
    publicKeys.push(publicKey)
    own.add(publicKey)
  }

  /**
   * A key counts as paid only if the bytes of a transaction pay it; a claim of the source is not
   * enough.
   */
  async function readHistory(options: ChainOptions): Promise<void> {
    const listed: readonly unknown[] = await chain.history(own.watched, options)
    // A search that was aborted meanwhile takes no keys.
    options.signal?.throwIfAborted()
    const entries = await listedEntries(listed, findings, async (highest) => highest)
    const txids = entries.flatMap(({ txid }) => (paidIn.has(txid) ? [] : [txid]))
    await known.fetch(txids, options)
    options.signal?.throwIfAborted()
    for (const txid of txids) {
      const { outputs } = known.get(txid) ?? {}
      if (outputs !== undefined) paidIn.set(txid, keysPaid(outputs))
    }
    const inBlocks = new Set<string>()
    for (const { txid, height } of entries) {
      for (const key of paidIn.get(txid) ?? []) {
        used.add(key)
        if (height > 0) inBlocks.add(key)
      }
    }
    mined = inBlocks
  }

  function keysPaid(outputs: readonly TransactionOutput[]): readonly string[] {
    return [...new Set(outputs.flatMap(({ script }) => own.ownerOf(script)?.publicKey ?? []))]
  }

  /** Searches run one after another, so that keys are taken in order. */
  let discovering: Promise<unknown> = Promise.resolve()
  const discoverOnce = async (options: ChainOptions): Promise<void> => {
    do await readHistory(options)
    while (await extend())
  }

  /**
   * All waiting payments but one may leave the mempool. A new process has to find the key of that
   * one, so the key is within the gap behind the last one that a block has paid.
   */
  function firstUnused({ publicKeys: keys }: KeySequence): string {
    const last = keys.findLastIndex((key) => mined.has(key))
    const near = keys.slice(0, last + 1 + gapLimit)
    return near.find((key) => !used.has(key)) ?? near.at(-1)!
  }

  await extend()
  if (publicKeys.length === 0) throw argumentError('keychain', 'at least one key', keychain)
  return {
    publicKeys,
    signers,
    unusedKey: () => firstUnused(receiving),
    changeKey: () => firstUnused(changing),
    discover(options) {
      // A source that never answers holds up other looks only until this one is aborted.
      const found = untilAborted(
        discovering.then(() => discoverOnce(options)),
        options.signal,
      )
      discovering = found.catch(() => undefined)
      return found
    },
  }
}

function sequenceOf(path: string, keys: () => AsyncIterable<WalletSigner | string>): KeySequence {
  const begin = () => {
    const iterator = keys()?.[Symbol.asyncIterator]?.()
    if (iterator === undefined) throw argumentError(path, 'an async iterable of keys', keys)
    return iterator
  }
  return { path, begin, iterator: begin(), publicKeys: [], isOver: false, hasFailed: false }
}

function keyOf(given: WalletSigner | string, path: string) {
  const signer = typeof given === 'string' ? undefined : readSigners([given])[0]!
  return { publicKey: signer?.publicKey ?? watchedKeys([given], path)[0]!, signer }
}

async function nextOf(keys: KeySequence): Promise<IteratorResult<WalletSigner | string>> {
  for (;;) {
    if (keys.hasFailed) await beginAgain(keys)
    const { iterator } = keys
    try {
      const result = await iterator.next()
      const isOther = keys.hasFailed || keys.iterator !== iterator
      // Two looks may wait for one generator. The second one sees its end where the first one
      // sees its error.
      if (result.done !== true || !isOther) return result
    } catch (error) {
      keys.hasFailed = true
      throw error
    }
  }
}

/** @throws {TypeError} if the known keys are not the first ones of the sequence any more */
async function beginAgain(keys: KeySequence): Promise<void> {
  const iterator = keys.begin()
  for (const [at, known] of keys.publicKeys.entries()) {
    const path = `${keys.path}[${at}]`
    const { value, done } = await iterator.next()
    const publicKey = done === true ? undefined : keyOf(value, path).publicKey
    if (publicKey !== known) throw argumentError(path, 'the same key as before', publicKey)
  }
  keys.iterator = iterator
  keys.hasFailed = false
}
