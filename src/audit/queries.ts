// Answers questions about a ledger: tokens, holders, balances, orders and refused transactions.

import type { Network } from '../chain/network.ts'
import { append } from '../primitives/append.ts'
import { hashOfKey } from '../script/public-key.ts'
import { decodeAddress } from '../script/read-address.ts'
import { addressOfScript } from '../script/script.ts'
import { burnKeys, isBurnKey } from '../script/usable-key.ts'
import type { CreatePayload } from '../token/payload/payload.ts'
import { conditionKeys, readConditionScript } from '../token/rules/condition-script.ts'
import { rulesOf } from '../token/rules/network.ts'
import type { TokenPlaces } from '../token/rules/rules.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import { type AskMakers, askMakersAt, isAskScript } from './open-asks.ts'
import type { Database, Row, SqlValue } from './sqlite.ts'
import { blob, formAt, hexOf } from './store.ts'
import { Txids } from './txids.ts'

export interface TokenSummary {
  readonly tokenid: string
  readonly name: string
  readonly height: number
  readonly supply: bigint
  /** Units in unspent outputs: less than the supply if some were spent without being moved. */
  readonly held: bigint
}

/** The units of one token that one holder has. */
export interface Balance {
  readonly tokenid: string
  /**
   * Public keys, each of which can spend alone; `2 of` and public keys if two of them must sign;
   * the address if the keys are not known.
   */
  readonly holder: string
  readonly amount: bigint
  readonly isBurned: boolean
  readonly outputs: readonly TokenOutput[]
  /** Units in open asks that the holder made. A daemon's balance counts them for nobody. */
  readonly inOrders: bigint
  readonly orders: readonly TokenOutput[]
}

/** One output that holds tokens; its proof begins at its transaction. */
interface TokenOutput {
  readonly txid: string
  readonly vout: number
  readonly amount: bigint
  readonly height: number
}

export interface Refusal {
  readonly height: number
  readonly txid: string
  readonly tokenid: string
  readonly rule: string
  readonly expected?: string
  readonly actual?: string
}

/** The last block of a ledger. A list has no hashes, so its blocks have their Merkle roots. */
type LastBlock =
  | { readonly height: number; readonly hash: string }
  | { readonly height: number; readonly merkleRoot: string }

/** Returns the block up to which the ledger answers; `undefined` if it has none. */
export function lastBlockIn(database: Database): LastBlock | undefined {
  const row = database.prepare('SELECT height, hash FROM block ORDER BY height DESC LIMIT 1').get()
  if (row === undefined) return undefined
  const height = Number(row.height)
  const hash = hexOf(row.hash)
  return formAt(database, height) === 'list' ? { height, merkleRoot: hash } : { height, hash }
}

/** Returns every token with its supply, in the order of their creations. */
export function tokensIn(database: Database): TokenSummary[] {
  const rows = database
    .prepare(
      // One scan for all tokens, because a ledger has no index of balances during its first run.
      `SELECT t.txid, t.name, t.height, CAST(t.supply AS TEXT) supply,
         CAST(COALESCE(h.held, 0) AS TEXT) held
       FROM token t LEFT JOIN (SELECT token, SUM(amount) held FROM holding
         WHERE spent_by IS NULL GROUP BY token) h ON h.token = t.id
       ORDER BY t.id`,
    )
    .all()
  return rows.map((row) => ({
    tokenid: hexOf(row.txid),
    name: String(row.name),
    height: Number(row.height),
    supply: BigInt(String(row.supply)),
    held: BigInt(String(row.held)),
  }))
}

const publicKey = /^[0-9a-f]{66}$/

const holdingRows = `SELECT k.txid tokenid, p.holder, h.place, h.vout, CAST(h.amount AS TEXT) amount, x.txid, x.height
  FROM holding h JOIN tx x ON x.id = h.tx JOIN token k ON k.id = h.token JOIN place p ON p.id = h.place
  WHERE h.spent_by IS NULL`

/** Returns the holders of a token, largest balance first. */
export function holdersOf(database: Database, tokenid: string, network: Network): Balance[] {
  const token = blob(tokenid)
  const rows = database.prepare(`${holdingRows} AND k.txid = ? ORDER BY h.tx, h.vout`)
  const places = placesIn(database, network, token)
  const asks = new Map(
    places.flatMap((it) => (it.isAsks ? [...askMakersAt(database, it, network)] : [])),
  )
  const keys = keysOfHashes(places, [...knownKeys(database), ...asks.values()])
  const holder = (row: Row, maker?: string) => maker ?? keys.get(row.place!) ?? String(row.holder)
  return balancesOf(rows.iterate(token), asks, holder)
}

/**
 * Returns the keys of the places that show only the hash of one, as far as the keys are known. In
 * tokens v2 a key has two scripts, and the one to which transfers pay does not name it. Without
 * this, one holder would be two, and what a key burned would count as units of a holder.
 */
function keysOfHashes(
  places: readonly TokenPlace[],
  known: readonly string[],
): ReadonlyMap<SqlValue, string> {
  const hashed = places.filter(({ isShown }) => !isShown)
  const hashes = hashed.map(({ script }) => hashInScript(script))
  if (hashes.every((it) => it === undefined)) return new Map()
  const keys = new Map([...burnKeys, ...known].map((key) => [hashOfKey(key), key]))
  return new Map(
    hashed.flatMap(({ place, script, places }, at): [SqlValue, string][] => {
      const key = keys.get(hashes[at] ?? '')
      return key !== undefined && places?.finderOf(key)(script) === true ? [[place, key]] : []
    }),
  )
}

/** Returns the hash of the one key that a script shows by its hash. */
function hashInScript(script: string): string | undefined {
  const shown = readConditionScript(script)
  const { keyHashes } = shown === undefined ? { keyHashes: [] } : conditionKeys(shown)
  return keyHashes.length === 1 ? keyHashes[0] : undefined
}

/** A script with unspent outputs of one token. */
interface TokenPlace {
  readonly token: SqlValue
  readonly place: SqlValue
  readonly script: string
  readonly holder: string
  readonly isShown: boolean
  readonly places: TokenPlaces | undefined
  /** True if the script holds open asks of the token. */
  readonly isAsks: boolean
}

/** @param tokenid - default: every token */
function placesIn(database: Database, network: Network, tokenid?: Uint8Array): TokenPlace[] {
  const rules = rulesOf(network)
  const rows = database.prepare(
    `SELECT DISTINCT h.token, h.place, p.script, p.holder, p.shown, k.txid tokenid
       FROM holding h JOIN token k ON k.id = h.token JOIN place p ON p.id = h.place
       WHERE h.spent_by IS NULL ${tokenid === undefined ? '' : 'AND k.txid = ?'} ORDER BY h.token`,
  )
  const rawOf = rawsIn(database)
  let last: { readonly token: SqlValue; readonly created: CreatePayload | undefined } | undefined
  return rows.all(...(tokenid === undefined ? [] : [tokenid])).map((row) => {
    const token = row.token!
    if (last?.token !== token) {
      const payload = rules.payloadOf(decodeTransaction(rawOf(hexOf(row.tokenid))!).outputs)
      last = { token, created: payload?.kind === 'create' ? payload : undefined }
    }
    const { created } = last
    const script = hexOf(row.script)
    return {
      token,
      place: row.place!,
      script,
      holder: String(row.holder),
      isShown: row.shown === 1,
      places: created && rules.placesOf(created),
      isAsks: created !== undefined && isAskScript(script, created, network),
    }
  })
}

/**
 * Returns the balances of a public key by itself, or of an address, one per token, in the
 * order of the tokens' creations.
 *
 * The rules of the network decide for each script, because some tokens and daemons put data of
 * their own into the condition. A key's address finds only tokens v2, which are locked to its hash.
 */
export function balancesOfOwner(database: Database, owner: string, network: Network): Balance[] {
  const holder = holderOf(database, owner, network)
  const isOwn = (script: string, places: TokenPlaces | undefined): boolean => {
    if (holder === undefined) return addressOfScript(script, network) === owner
    return places?.finderOf(holder)(script) ?? false
  }
  const all = placesIn(database, network)
  const own = all.filter(({ script, places }) => isOwn(script, places))
  const asks = new Map<string, string>()
  const asking: TokenPlace[] = []
  for (const it of all.filter(({ isAsks }) => isAsks)) {
    for (const [txid, maker] of askMakersAt(database, it, network)) {
      // An ask belongs to the owner if the owner could spend units that its maker holds.
      if (!isOwn(it.places!.scriptsOf([maker])[0]!, it.places)) continue
      asks.set(txid, maker)
      asking.push(it)
    }
  }
  // The keys of one condition may be known from one script and only hashed in another.
  const known = own.find(({ isShown }) => isShown) ?? own[0]
  const [maker] = asks.values()
  const named =
    holder !== undefined && publicKey.test(holder) ? holder : (maker ?? String(known?.holder))
  const ownPlaces = new Set(own.map(({ token, place }) => `${token} ${place}`))
  const byToken = new Map<SqlValue, Set<SqlValue>>()
  for (const { token, place } of [...own, ...asking]) {
    byToken.set(token, (byToken.get(token) ?? new Set()).add(place))
  }
  const rows = database.prepare(
    `${holdingRows} AND h.token = ? AND h.place IN (SELECT value FROM json_each(?)) ORDER BY h.tx, h.vout`,
  )
  return [...byToken].flatMap(([token, places]) => {
    const found = rows.all(token, JSON.stringify([...places]))
    const isOwners = ({ place, txid, vout }: Row): boolean =>
      ownPlaces.has(`${token} ${place}`) || (vout === 0 && asks.has(hexOf(txid)))
    return balancesOf(found.filter(isOwners), asks, () => named)
  })
}

/** Returns the public key of an owner, or its hash; `undefined` if only the address is known. */
function holderOf(database: Database, owner: string, network: Network): string | undefined {
  if (publicKey.test(owner)) return owner
  const address = decodeAddress(owner)
  const { pubKeyHashPrefix } = network
  if (!findsByKeyHash(network) || address?.prefix !== pubKeyHashPrefix) return undefined
  const { hash160 } = address
  // Prefer the key, which creations name: it finds everything that its hash finds.
  return knownKeys(database).find((key) => hashOfKey(key) === hash160) ?? hash160
}

/** Returns the public keys that the transactions of the ledger name. */
function knownKeys(database: Database): string[] {
  const shown = database.prepare('SELECT DISTINCT holder FROM place WHERE shown = 1').all()
  const names = shown.flatMap(({ holder }) => String(holder).split(' '))
  return names.filter((name) => publicKey.test(name))
}

/** Returns true if a key's address finds its tokens: tokens v2 are locked to the key's hash. */
export function findsByKeyHash(network: Network): boolean {
  return rulesOf(network).layout === 'tokens-v2'
}

/** Returns true if a condition with this address holds tokens, or ever held them. */
export function isKnownPlace(database: Database, address: string, network: Network): boolean {
  const places = database.prepare('SELECT script FROM place').all()
  return places.some(({ script }) => addressOfScript(hexOf(script), network) === address)
}

/**
 * @param asks - makers of open asks
 * @param holderOf - returns the holder of a row
 */
function balancesOf(
  rows: Iterable<Row>,
  asks: AskMakers,
  holderOf: (row: Row, maker?: string) => string,
): Balance[] {
  const byHolder = new Map<string, { outputs: TokenOutput[]; orders: TokenOutput[] }>()
  let tokenid = ''
  for (const row of rows) {
    tokenid = hexOf(row.tokenid)
    const txid = hexOf(row.txid)
    const vout = Number(row.vout)
    const maker = vout === 0 ? asks.get(txid) : undefined
    const holder = holderOf(row, maker)
    const lists = byHolder.get(holder) ?? { outputs: [], orders: [] }
    byHolder.set(holder, lists)
    const list = maker === undefined ? lists.outputs : lists.orders
    list.push({ txid, vout, amount: BigInt(String(row.amount)), height: Number(row.height) })
  }
  const balances = [...byHolder].map(([holder, { outputs, orders }]) => ({
    tokenid,
    holder,
    amount: unitsIn(outputs),
    isBurned: isBurnKey(holder),
    outputs,
    inOrders: unitsIn(orders),
    orders,
  }))
  return balances.sort((one, other) => Number(unitsOf(other) - unitsOf(one)))
}

function unitsIn(outputs: readonly TokenOutput[]): bigint {
  return outputs.reduce((sum, { amount }) => sum + amount, 0n)
}

function unitsOf({ amount, inOrders }: Balance): bigint {
  return amount + inOrders
}

/** Returns the transactions that claimed to move a token and broke a rule. */
export function refusalsIn(database: Database, tokenid?: string): Refusal[] {
  const where = tokenid === undefined ? '' : 'WHERE tokenid = ?'
  const rows = database.prepare(`SELECT * FROM refusal ${where} ORDER BY rowid`)
  return rows.all(...(tokenid === undefined ? [] : [blob(tokenid)])).map((row) => ({
    height: Number(row.height),
    txid: hexOf(row.txid),
    tokenid: hexOf(row.tokenid),
    rule: String(row.rule),
    ...(row.expected !== null && { expected: String(row.expected) }),
    ...(row.actual !== null && { actual: String(row.actual) }),
  }))
}

interface HoldingProof {
  readonly tokenid: string
  readonly amount: bigint
  /** True if a transaction of the ledger has spent it. The proof is the same before and after. */
  readonly isSpent: boolean
  /** The argument of `proveTokenOutput`: raw hex of the output's transaction and its ancestors. */
  readonly transactions: readonly string[]
}

/** Returns the proof of an output; `undefined` if it never held tokens. */
export function proofOf(database: Database, txid: string, vout: number): HoldingProof | undefined {
  const txids = new Txids(database)
  const holding = database
    .prepare(
      `SELECT h.tx, k.txid tokenid, CAST(h.amount AS TEXT) amount, h.spent_by FROM holding h
         JOIN token k ON k.id = h.token WHERE h.tx = ? AND h.vout = ?`,
    )
    .get(txids.idOf(txid) ?? null, vout)
  if (holding === undefined) return undefined
  const raws = database.prepare('SELECT raw FROM tx WHERE id = ?')
  const parent = database.prepare(
    'SELECT tx FROM holding WHERE tx = ? AND vout = ? AND spent_by = ?',
  )
  const reached = new Set<number>([Number(holding.tx)])
  const transactions: string[] = []
  for (const id of reached) {
    const hex = hexOf(raws.get(id)!.raw)
    transactions.push(hex)
    for (const { txid: from, vout: at } of decodeTransaction(hex).inputs) {
      const spent = parent.get(txids.idOf(from) ?? null, at, id)
      if (spent !== undefined) reached.add(Number(spent.tx))
    }
  }
  const tokenid = hexOf(holding.tokenid)
  append(transactions, fundingTransactions(database, tokenid))
  return {
    tokenid,
    amount: BigInt(String(holding.amount)),
    isSpent: holding.spent_by !== null,
    transactions: [...new Set(transactions)],
  }
}

/** Returns the creation of a token, and the transactions that funded it. */
function fundingTransactions(database: Database, tokenid: string): string[] {
  const rawOf = rawsIn(database)
  return decodeTransaction(rawOf(tokenid)!).inputs.flatMap(({ txid }) => rawOf(txid) ?? [])
}

/** Returns a function that returns the raw hex of a transaction that the ledger has. */
function rawsIn(database: Database): (txid: string) => string | undefined {
  const txids = new Txids(database)
  const raws = database.prepare('SELECT raw FROM tx WHERE id = ? AND txid = ?')
  return (txid) => {
    const row = raws.get(txids.idOf(txid) ?? null, blob(txid))
    return row === undefined ? undefined : hexOf(row.raw)
  }
}
