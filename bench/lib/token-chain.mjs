// A chain of token transfers in the block files of a daemon: coins for each lane, then a token in
// each, then transfers of one unit, lane by lane.

import { hash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import {
  buildTokenCreate,
  buildTokenTransfer,
  decodeTransaction,
  encodeTransaction,
  networks,
  publicKeyOf,
  signTransaction,
  transactionId,
} from '../../dist/index.js'

export const lanes = 50
const network = networks.assetChain
const key = '11'.repeat(32)
const owner = publicKeyOf(key)
const others = Array.from({ length: 20 }, (_, at) => publicKeyOf(String(at + 2).padStart(64, '0')))
const funds = 100_000_000_000n
/** Transfers that are built and signed in each lane before copies of them follow. */
const originals = 2
/** A count that is written in three bytes: as many as that takes. */
const perBlock = 253
/** Daemons begin a new file after 128 MiB. */
const fileBytes = 128 << 20

const signed = ({ hex, coins }) => signTransaction(hex, [key], coins, network).hex
const hashTwice = (bytes) => sha256(sha256(bytes))
const sha256 = (bytes) => hash('sha256', bytes, 'buffer')

/**
 * With `isCopied`, later transfers have the signatures of the first ones.
 *
 * @returns {Generator<Buffer>} raw transactions
 */
export function* chainOf(transfers, isCopied = false) {
  const funding = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [
      { txid: '00'.repeat(32), vout: 0xffffffff, scriptSig: '510101', sequence: 0xffffffff },
    ],
    outputs: Array.from({ length: lanes }, () => ({ value: funds, script: `21${owner}ac` })),
    lockTime: 0,
  })
  yield Buffer.from(funding, 'hex')
  const tips = []
  for (let lane = 0; lane < lanes; lane += 1) {
    const tip = laneFrom(funding, lane)
    tips.push(tip)
    yield Buffer.from(tip.create, 'hex')
  }
  for (let at = 0; at < transfers; at += 1) {
    const tip = tips[at % lanes]
    if (isCopied && at >= originals * lanes) {
      tip.copies ??= copiesOf(tip.last)
      yield tip.copies.next().value
    } else {
      tip.last = transferFrom(tip, others[at % others.length])
      yield Buffer.from(tip.last, 'hex')
    }
  }
}

const common = { network, tipHeight: 10 }

function laneFrom(funding, lane) {
  const coins = [{ txid: transactionId(funding), vout: lane }]
  const previousTransactions = [funding]
  const terms = { name: `T${lane}`, supply: 100000000n, description: '', owner }
  const create = signed(buildTokenCreate({ ...common, ...terms, coins, previousTransactions }))
  return { create, tokenid: transactionId(create), last: create, token: 1, coin: 2 }
}

function transferFrom(tip, pubkey) {
  const txid = transactionId(tip.last)
  const { token, coin } = tip
  tip.coin = 2
  return signed(
    buildTokenTransfer({
      ...common,
      tokenid: tip.tokenid,
      from: owner,
      recipients: [{ pubkey, amount: 1n }],
      tokenCoins: [{ txid, vout: token }],
      coins: [{ txid, vout: coin }],
      previousTransactions: [tip.last, tip.create],
      tokenCreate: tip.create,
    }),
  )
}

/** The same transfer again and again, each from what the last one left: only these bytes differ. */
function* copiesOf(hex) {
  let raw = Buffer.from(hex, 'hex')
  const { inputs, outputs } = decodeTransaction(hex)
  const [paid, rest, change] = outputs
  const inputsAt = inputs.map(({ txid }) => Buffer.from(txid, 'hex').reverse()).map(placeIn(raw))
  const [restAt, changeAt] = [rest, change].map(({ value, script }) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(value)
    return raw.indexOf(Buffer.concat([bytes, Buffer.from([script.length / 2])]))
  })
  let id = hashTwice(raw)
  while (true) {
    raw = Buffer.from(raw)
    for (const at of inputsAt) id.copy(raw, at)
    raw.writeBigInt64LE(raw.readBigInt64LE(restAt) - paid.value, restAt)
    raw.writeBigInt64LE(raw.readBigInt64LE(changeAt) - 10000n, changeAt)
    id = hashTwice(raw)
    ids.set(raw, id)
    yield raw
  }
}

/** Hashes that are known already. */
const ids = new WeakMap()

/** Finds each of the same bytes after the one before it. */
function placeIn(raw) {
  let from = 0
  return (bytes) => {
    const at = raw.indexOf(bytes, from)
    from = at + bytes.length
    return at
  }
}

/** Writes a chain as a daemon does: `blk00000.dat` and so on, each block with its Merkle root. */
export function writeChain(folder, transfers, isCopied) {
  mkdirSync(folder, { recursive: true })
  const out = blockFiles(folder)
  let previous = Buffer.alloc(32)
  let block = []
  const flush = () => {
    const bytes = blockOf(previous, block)
    previous = hashTwice(bytes.subarray(0, headerBytes))
    out.write(bytes)
    block = []
  }
  for (const raw of chainOf(transfers, isCopied)) {
    block.push(raw)
    if (block.length === perBlock) flush()
  }
  while (block.length > 0 && block.length < perBlock) block.push(unrelated(block.length))
  if (block.length > 0) flush()
  out.close()
}

const headerBytes = 177

/** A version 4 header with a solution of 36 bytes, which nobody checks here. */
function blockOf(previous, transactions) {
  const head = Buffer.alloc(headerBytes + 3)
  head.writeUInt32LE(4, 0)
  previous.copy(head, 4)
  merkleRoot(transactions.map((raw) => ids.get(raw) ?? hashTwice(raw))).copy(head, 36)
  head.writeUInt32LE(0x200f0f0f, 104)
  head[140] = 36
  head[headerBytes] = 0xfd
  head.writeUInt16LE(transactions.length, headerBytes + 1)
  return Buffer.concat([head, ...transactions])
}

function merkleRoot(hashes) {
  let row = hashes
  while (row.length > 1) {
    const next = []
    for (let at = 0; at < row.length; at += 2) {
      next.push(hashTwice(Buffer.concat([row[at], row[at + 1] ?? row[at]])))
    }
    row = next
  }
  return row[0]
}

function blockFiles(folder) {
  let index = 0
  let file
  let length = 0
  return {
    write(bytes) {
      if (file === undefined || length + bytes.length + 8 > fileBytes) {
        this.close()
        file = openSync(`${folder}/blk${String(index).padStart(5, '0')}.dat`, 'w')
        index += 1
        length = 0
      }
      const record = Buffer.from('f9eee48d00000000', 'hex')
      record.writeUInt32LE(bytes.length, 4)
      writeSync(file, record)
      writeSync(file, bytes)
      length += bytes.length + record.length
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

function unrelated(at) {
  const hex = encodeTransaction({
    version: 1,
    overwintered: false,
    inputs: [{ txid: 'ff'.repeat(32), vout: at, scriptSig: '', sequence: 0 }],
    outputs: [{ value: 1n, script: '6a00' }],
    lockTime: 0,
  })
  return Buffer.from(hex, 'hex')
}
