import type { JoinSplit, TransactionFields } from '../../src/index.ts'

// A second reading of the wire format, written from its specification and sharing nothing with the
// engine: slow, plain, and of the same opinion about every error and its offset.

export interface Refusal {
  readonly code: string
  readonly offset: number
}

export type Outcome = { readonly tx: TransactionFields } | { readonly refusal: Refusal }

class Refused extends Error {
  readonly refusal: Refusal
  constructor(code: string, offset: number) {
    super(code)
    this.refusal = { code, offset }
  }
}

const groupOfVersion = new Map([
  [3, 0x03c48270],
  [4, 0x892f2085],
])
const proofElements: readonly (readonly [bytes: number, leads: readonly number[]])[] = [
  [33, [2, 3]],
  [33, [2, 3]],
  [65, [10, 11]],
  [33, [2, 3]],
  [33, [2, 3]],
  [33, [2, 3]],
  [33, [2, 3]],
  [33, [2, 3]],
]

export function readByOracle(raw: Buffer): Outcome {
  try {
    if (raw.length === 0) throw new Refused('empty_input', 0)
    if (raw.length > 4_000_000) throw new Refused('input_over_limit', 4_000_000)
    return { tx: new Reader(raw).transaction() }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const isMarked = raw.length > 6 && raw[3]! < 0x80 && raw[4] === 0 && raw[5] === 1
    return { refusal: isMarked ? { code: 'segwit_unsupported', offset: 4 } : error.refusal }
  }
}

class Reader {
  readonly #raw: Buffer
  #position = 0

  constructor(raw: Buffer) {
    this.#raw = raw
  }

  transaction(): TransactionFields {
    const header = this.#u32()
    const overwintered = header >= 2 ** 31
    const version = header % 2 ** 31
    const versionGroupId = overwintered ? this.#u32() : 0
    if (overwintered && groupOfVersion.get(version) !== versionGroupId) {
      throw new Refused('unknown_transaction_format', 0)
    }
    const isSapling = overwintered && version === 4
    const inputs = this.#list(41, () => ({
      txid: reversedHex(this.#take(32)),
      vout: this.#u32(),
      scriptSig: this.#script(),
      sequence: this.#u32(),
    }))
    const outputs = this.#list(9, () => ({ value: this.#i64(), script: this.#script() }))
    const lockTime = this.#u32()
    const expiryHeight = overwintered ? this.#u32() : 0
    const valueBalance = isSapling ? this.#i64() : 0n
    const shieldedSpends = isSapling ? this.#list(384, () => this.#spend()) : []
    const shieldedOutputs = isSapling ? this.#list(948, () => this.#shieldedOutput()) : []
    const joinSplitBytes = isSapling ? 1698 : 1802
    const joinSplits =
      version >= 2 ? this.#list(joinSplitBytes, () => this.#joinSplit(isSapling)) : []
    const tx = {
      version,
      overwintered,
      versionGroupId,
      inputs,
      outputs,
      lockTime,
      expiryHeight,
      valueBalance,
      shieldedSpends,
      shieldedOutputs,
      joinSplits,
      ...(joinSplits.length > 0 && { joinSplitPubKey: this.#hex(32), joinSplitSig: this.#hex(64) }),
      ...(shieldedSpends.length + shieldedOutputs.length > 0 && { bindingSig: this.#hex(64) }),
    }
    if (this.#position < this.#raw.length) throw new Refused('trailing_bytes', this.#position)
    return tx
  }

  #take(count: number): Buffer {
    const end = this.#position + count
    if (end > this.#raw.length) throw new Refused('truncated', this.#position)
    const taken = this.#raw.subarray(this.#position, end)
    this.#position = end
    return taken
  }

  #hex = (bytes: number): string => this.#take(bytes).toString('hex')
  #u32 = (): number => this.#take(4).readUInt32LE()
  #i64 = (): bigint => this.#take(8).readBigInt64LE()

  #compactSize(): number {
    const start = this.#position
    const lead = this.#take(1)[0]!
    if (lead < 0xfd) return lead
    const bytes = 2 ** (lead - 0xfc)
    if (this.#position + bytes > this.#raw.length) throw new Refused('truncated', start)
    const payload = this.#take(bytes)
    const value = BigInt(`0x${reversedHex(payload)}`)
    const smallest = { 2: 0xfdn, 4: 0x10000n, 8: 0x100000000n }[bytes]!
    if (value < smallest) throw new Refused('non_canonical_length', start)
    if (value > 0x02000000n) throw new Refused('length_over_limit', start)
    return Number(value)
  }

  #script(): string {
    return this.#hex(this.#compactSize())
  }

  #list<Item>(bytesMin: number, read: () => Item): Item[] {
    const start = this.#position
    const count = this.#compactSize()
    if (count * bytesMin > this.#raw.length - this.#position) {
      throw new Refused('count_over_input', start)
    }
    return Array.from({ length: count }, read)
  }

  #spend() {
    return {
      cv: this.#hex(32),
      anchor: this.#hex(32),
      nullifier: this.#hex(32),
      rk: this.#hex(32),
      proof: this.#hex(192),
      spendAuthSig: this.#hex(64),
    }
  }

  #shieldedOutput() {
    return {
      cv: this.#hex(32),
      cmu: this.#hex(32),
      ephemeralKey: this.#hex(32),
      encCiphertext: this.#hex(580),
      outCiphertext: this.#hex(80),
      proof: this.#hex(192),
    }
  }

  #joinSplit(isGroth: boolean): JoinSplit {
    const pair = (bytes: number): [string, string] => [this.#hex(bytes), this.#hex(bytes)]
    return {
      vpubOld: this.#i64(),
      vpubNew: this.#i64(),
      anchor: this.#hex(32),
      nullifiers: pair(32),
      commitments: pair(32),
      ephemeralKey: this.#hex(32),
      randomSeed: this.#hex(32),
      macs: pair(32),
      proof: isGroth ? this.#hex(192) : this.#phgrProof(),
      ciphertexts: pair(601),
    }
  }

  #phgrProof(): string {
    return proofElements
      .map(([bytes, leads]) => {
        const start = this.#position
        const element = this.#take(bytes)
        if (!leads.includes(element[0]!)) throw new Refused('malformed_proof', start)
        return element.toString('hex')
      })
      .join('')
  }
}

function reversedHex(bytes: Buffer): string {
  return Buffer.from(bytes).reverse().toString('hex')
}
