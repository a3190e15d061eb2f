// Checks that block headers follow each other from a checkpoint, with the proof of work of each.

import { argumentError, requireArray, requireObject } from '../primitives/arguments.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { type ChainRules, type Checkpoint, easiestBits, sharedGenesis } from './chains.ts'
import { type CheckedHeader, parametersOf, readHeaders } from './header.ts'
import { targetOfBits, workOfTarget } from './work.ts'

/** A header breaks a rule, or is remarkable. */
export type HeaderFindingCode =
  /** Its previous hash is not the hash of the header before it, or not the checkpoint. */
  | 'header_link'
  /** The chain has another block at this height. */
  | 'header_checkpoint'
  /** Its proof of work does not hold. `actual` is the fault. */
  | 'header_solution'
  /**
   * Its compact target is negative, zero, too large for 256 bits, or easier than the chain allows.
   */
  | 'header_bits'
  /** Its hash is above its target. */
  | 'header_target'
  /** Its time is not after the median of the eleven blocks before it. */
  | 'header_time'
  /**
   * Its hash is above its own target, but below the easiest one, which this chain allows to some.
   */
  | 'header_easy'
  /** The only checkpoint below it is the genesis block that all chains of the family share. */
  | 'chain_unbound'

export interface HeaderFinding {
  readonly code: HeaderFindingCode
  /** A reject makes `ok` false and ends the check. */
  readonly severity: 'reject' | 'warn' | 'info'
  readonly height: number
  readonly expected?: string
  readonly actual?: string
}

export interface HeaderChainReport {
  /** True if every header holds. */
  readonly ok: boolean
  readonly findings: readonly HeaderFinding[]
  /** The last header that holds; absent if there is none. */
  readonly tip?: {
    readonly height: number
    readonly hash: string
    readonly time: number
    /** Median time of the last eleven blocks; absent if fewer were given. */
    readonly medianTime?: number
  }
  /** How many headers hold. */
  readonly count: number
  /**
   * How many hashes these headers take on average. Chains of this family have easy blocks and rules
   * of their own for the target, so compare it with the work of another branch and claim no more.
   */
  readonly work: bigint
  /** The highest checkpoint among the headers. */
  readonly checkpoint: Checkpoint
}

/** komodo src/chain.h, nMedianTimeSpan */
export const medianSpan = 11
/** More findings of allowed easy blocks add no information. */
const easyFindingsMax = 10

/**
 * Checks that headers follow each other from a checkpoint on, and the proof of work of each.
 *
 * The rule by which a chain sets its next target is not checked: it differs by chain. The header
 * after a false one is not read. Checking 2,000 headers takes about a tenth of a second.
 *
 * @param headers - hex of headers that follow each other, or several such texts. The first is the
 *   checkpoint's block, or the one after it.
 * @param checkpoint - a block that you vouch for
 * @param rules - of the chain: `komodoRules` for KMD
 * @returns whether every header holds, the findings, and the work in hashes
 * @throws {AntaraError} as `decodeBlockHeader`, for a malformed header
 * @throws {TypeError} for arguments of other types, and for no header at all
 * @see komodo src/pow.cpp, CheckProofOfWork; src/main.cpp, ContextualCheckBlockHeader
 * @example
 * const genesis = { height: 0, hash: komodoRules.checkpoints[0].hash }
 * verifyHeaderChain(hex, genesis, komodoRules).ok // true
 */
export function verifyHeaderChain(
  headers: string | readonly string[],
  checkpoint: Checkpoint,
  rules: ChainRules,
): HeaderChainReport {
  requireCheckpoint(checkpoint, 'checkpoint')
  const chain = new HeaderChain(checkpoint, rules)
  const texts = typeof headers === 'string' ? [headers] : headers
  requireArray(texts, 'headers')
  if (texts.length === 0) throw argumentError('headers', 'at least one header', texts)
  const parameters = parametersOf(rules.equihash)
  for (const text of texts) {
    for (const header of readHeaders(text, parameters, 0)) {
      if (!chain.add(header)) return chain.report()
    }
  }
  return chain.report()
}

function requireCheckpoint(value: unknown, path: string): asserts value is Checkpoint {
  requireObject(value, path)
  const { height, hash } = value as Partial<Checkpoint>
  if (!Number.isInteger(height) || height! < 0) {
    throw argumentError(`${path}.height`, 'a height', height)
  }
  if (!isHex32(hash)) {
    throw argumentError(`${path}.hash`, '32 bytes in lower-case hex', hash)
  }
}

/** Checks headers one after the other; the arguments as those of `verifyHeaderChain`. */
export class HeaderChain {
  readonly #rules: ChainRules
  readonly #limit: bigint
  readonly #checkpoints: ReadonlyMap<number, string>
  readonly #findings: HeaderFinding[] = []
  readonly #times: number[] = []
  /** The block that the next header names as its previous one. */
  #previous: Checkpoint
  #tip: (Checkpoint & { readonly time: number }) | undefined
  #checkpoint: Checkpoint
  #count = 0
  #work = 0n

  constructor(checkpoint: Checkpoint, rules: ChainRules) {
    requireObject(rules, 'rules')
    const { limitBits = easiestBits, checkpoints } = rules
    requireArray(checkpoints, 'rules.checkpoints')
    for (const [at, it] of checkpoints.entries()) requireCheckpoint(it, `rules.checkpoints[${at}]`)
    const limit = targetOfBits(limitBits)
    if (typeof limit !== 'bigint') throw argumentError('rules.limitBits', 'a target', limitBits)
    this.#rules = rules
    this.#limit = limit
    this.#checkpoints = new Map(checkpoints.map(({ height, hash }) => [height, hash]))
    this.#checkpoint = checkpoint
    this.#previous = checkpoint
  }

  /** How many hashes the headers until now take on average. */
  get work(): bigint {
    return this.#work
  }

  /** Adds the next header. Returns false if it is false. */
  add(header: CheckedHeader): boolean {
    const isCheckpoint = this.#count === 0 && header.hash === this.#checkpoint.hash
    const height = this.#previous.height + (isCheckpoint ? 0 : 1)
    const rejected = this.#checkpointFault() ?? this.#faultOf(header, height, isCheckpoint)
    if (rejected !== undefined) {
      this.#findings.push({ severity: 'reject', height, ...rejected })
      return false
    }
    this.#count += 1
    this.#times.push(header.time)
    if (this.#times.length > medianSpan) this.#times.shift()
    this.#previous = { height, hash: header.hash }
    this.#tip = { height, hash: header.hash, time: header.time }
    if (this.#checkpoints.has(height)) this.#checkpoint = this.#previous
    return true
  }

  /** Returns the fault of a caller's checkpoint at whose height the chain has another block. */
  #checkpointFault(): Omit<HeaderFinding, 'severity'> | undefined {
    if (this.#count > 0) return undefined
    const { height, hash } = this.#previous
    const wanted = this.#checkpoints.get(height)
    if (wanted === undefined || wanted === hash) return undefined
    return { code: 'header_checkpoint', height, expected: wanted, actual: hash }
  }

  #faultOf(
    { hash, previousHash, time, bits, equihash }: CheckedHeader,
    height: number,
    isCheckpoint: boolean,
  ): Omit<HeaderFinding, 'severity' | 'height'> | undefined {
    const { hash: previous } = this.#previous
    if (!isCheckpoint && previousHash !== previous) {
      return { code: 'header_link', expected: previous, actual: previousHash }
    }
    const wanted = this.#checkpoints.get(height)
    if (wanted !== undefined && wanted !== hash) {
      return { code: 'header_checkpoint', expected: wanted, actual: hash }
    }
    // A chain with other parameters has the shared genesis block with KMD's solution.
    if (equihash !== undefined && hash !== sharedGenesis) {
      return { code: 'header_solution', actual: equihash }
    }
    const median = this.#median()
    if (median !== undefined && time <= median) {
      return { code: 'header_time', expected: `over ${median}`, actual: `${time}` }
    }
    return this.#workFault(hash, bits, height)
  }

  #workFault(
    hash: string,
    bits: number,
    height: number,
  ): Omit<HeaderFinding, 'severity' | 'height'> | undefined {
    const target = targetOfBits(bits)
    if (typeof target !== 'bigint') return { code: 'header_bits', actual: target }
    if (target > this.#limit) return { code: 'header_bits', actual: 'easier than the limit' }
    const value = BigInt(`0x${hash}`)
    if (value <= target) {
      this.#work += workOfTarget(target)
      return undefined
    }
    const expected = `at most ${target.toString(16).padStart(64, '0')}`
    if (this.#rules.allowsEasyBlocks !== true || value > this.#limit) {
      return { code: 'header_target', expected, actual: hash }
    }
    this.#work += workOfTarget(this.#limit)
    if (this.#findings.length < easyFindingsMax) {
      this.#findings.push({ code: 'header_easy', severity: 'info', height, expected, actual: hash })
    }
    return undefined
  }

  /** Returns the median time of the last eleven headers; `undefined` if there are fewer. */
  #median(): number | undefined {
    if (this.#times.length < medianSpan) return undefined
    return this.#times.toSorted((one, other) => one - other)[medianSpan >> 1]
  }

  report(): HeaderChainReport {
    const findings = [...this.#findings]
    const checkpoint = this.#checkpoint
    const isRejected = findings.some(({ severity }) => severity === 'reject')
    if (checkpoint.hash === sharedGenesis && !isRejected) {
      findings.push({ code: 'chain_unbound', severity: 'warn', height: checkpoint.height })
    }
    const medianTime = this.#median()
    return {
      ok: !isRejected && this.#count > 0,
      findings,
      ...(this.#tip !== undefined && {
        tip: { ...this.#tip, ...(medianTime !== undefined && { medianTime }) },
      }),
      count: this.#count,
      work: this.#work,
      checkpoint,
    }
  }
}
