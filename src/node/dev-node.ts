// The development node: one chain, an identity or more, an in-process interface and HTTP servers on
// loopback.

import { hash160 } from '../engine/calls.ts'
import { requireBoolean, requireObject, requireUint32 } from '../primitives/arguments.ts'
import { parseJson, stringifyJson } from '../primitives/json.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { encodeAddress } from '../script/base58.ts'
import type { HttpServerOptions } from '../server/http-server.ts'
import type { Refused } from './consensus/verdict.ts'
import { blocksOf, dumpText, type LoadedNode, readDump } from './dump.ts'
import { type ElectrumServer, openElectrumServer } from './electrum/electrum-server.ts'
import { createEngine, type Engine } from './engine.ts'
import { faucetScript, minerScript, startingBlock } from './faucet.ts'
import { createFaults, type Faults } from './faults.ts'
import { identityKey } from './identities.ts'
import type {
  DevIdentities,
  DevIdentity,
  Identities,
  IdentitiesOf,
  IdentityOptions,
} from './identity-types.ts'
import { importInOrder } from './import.ts'
import type { Context } from './methods/context.ts'
import { type ChainProfile, defaultProfile } from './profile.ts'
import {
  answered,
  type CallReport,
  type HttpServer,
  plainReply,
  type Reply,
} from './request-handler.ts'
import { withEntry } from './state/ordered-map.ts'
import type { NodeState } from './state/view.ts'
import { emptyWallet, keyOfWif, type Wallet, type WalletKey, withKey } from './state/wallet.ts'

/**
 * When transactions that wait are put into a block: at once, every so many seconds, or on demand.
 */
export type Mining = 'auto' | 'manual' | number

export interface DevNodeOptions {
  /** How many identities, or which. Default 2. */
  readonly identities?: Identities | undefined
  /** Default `auto`. */
  readonly mine?: Mining
  /** Seconds since 1970 at which the node's clock stands; by default it goes as the wall's does. */
  readonly time?: number
  /** Parameters of the chain that differ from those of the recorded one. */
  readonly profile?: Partial<ChainProfile>
  /** Satoshis for addresses or scripts: from the first block, or in one after what is loaded. */
  readonly fund?: readonly { readonly to: string; readonly value: bigint }[]
  /** False for a node without a server; a port for the first identity, the next for the next. */
  readonly listen?:
    | false
    | Pick<HttpServerOptions, 'port' | 'host' | 'exposeToNetwork' | 'allowedOrigins'>
  /**
   * True for a server of the Electrum protocol over TCP, on loopback and any free port; or its
   * port. Default false.
   */
  readonly electrum?: boolean | { readonly port?: number }
  /** A text of `dump`, or a list of a chain's transactions with their heights. */
  readonly load?: string | undefined
  /**
   * True to solve the puzzle of each block that is mined, so that light clients accept its header.
   * It takes about 20 ms for a block. Default false: blocks have no solution, and say so.
   */
  readonly proofOfWork?: boolean
  /** Called after every call. What it throws or rejects with is ignored. */
  readonly onCall?: (call: CallReport) => unknown
  /** The password of all servers; drawn at random by default. */
  readonly password?: string
}

export interface RequestOptions {
  /** The identity whose daemon answers; the first by default. */
  readonly identity?: number
}

export type { DevIdentity, IdentityOptions } from './identity-types.ts'
export type { CallReport } from './request-handler.ts'

export interface DevNode<Who extends DevIdentities = DevIdentities> {
  /** The address of the first identity's server. */
  readonly url: string
  /** `tcp://127.0.0.1:PORT` of the Electrum server; empty where there is none. */
  readonly electrumUrl: string
  /** A tuple where the options tell how many there are: two by default. */
  readonly identities: Who
  /** -ac_name of the chain. */
  readonly chain: string
  readonly height: number
  readonly faults: Faults
  /**
   * Calls a method and gives its result as `JSON.parse` does; for exact amounts use a client over
   * `fetch`.
   *
   * @throws {RpcFailure} `code` and `message` of the daemon
   */
  request(method: string, params?: readonly unknown[], options?: RequestOptions): Promise<unknown>
  /** The server without a network, for `createDaemonClient({ fetch })` and other clients. */
  readonly fetch: typeof fetch
  /** Mines blocks, `spacing` seconds apart. @returns their hashes */
  mine(
    count?: number,
    options?: { readonly spacing?: number; readonly identity?: number },
  ): string[]
  /** Stops the clock at a time, in seconds since 1970. @throws {TypeError} for any other value */
  setTime(seconds: number): void
  /** Puts the clock forward; it stands from then on. */
  advance(seconds: number): void
  /** Keeps everything as it is now. */
  snapshot(): string
  /**
   * Puts everything back; the snapshot can be used again.
   *
   * @throws {RangeError} for an unknown id
   */
  revert(id: string): void
  /** Replaces the last blocks by as many others, without the transactions named. */
  reorg(depth: number, options?: { readonly drop?: readonly string[] }): string[]
  /**
   * Makes coins for an address or a script and mines them. @returns the transaction's id
   *
   * @throws {RangeError} for a value that no chain has
   */
  fund(to: string, value: bigint): string
  /**
   * Mines raw transactions of another chain; those whose parents are unknown are taken as they are.
   * Where they tell heights, those of one height make a block. What the chain has already is not
   * brought in again.
   *
   * @returns the hash of the last block
   * @throws {RangeError} for one that spends what is spent; none is brought in then
   */
  importTransactions(
    transactions: readonly (string | { readonly hex: string; readonly height?: number })[],
  ): string
  /** Returns the answer that sendrawtransaction would give, and the reason. */
  testMempoolAccept(
    hex: string,
  ): { readonly ok: true; readonly txid: string; readonly fee: bigint } | Refused
  /** Everything, as text that `load` takes. */
  dump(): string
  load(text: string): void
  /** Resolves once every identity's server has ended, by `close` or by the method `stop`. */
  readonly ended: Promise<void>
  /** Ends the server and every connection. May be called twice. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a development node.
 *
 * @throws {TypeError} for no identities, and for an unknown option
 * @throws {AntaraError} `malformed_private_key` for an identity's key; as `load` for its text
 * @example
 * await using node = await createDevNode()
 * await node.request('tokencreate', ['GOLD', '0.00001'])
 */
export async function createDevNode<
  const Given extends Identities | undefined = undefined,
  Load extends string | undefined = undefined,
>(
  given?: DevNodeOptions & { readonly identities?: Given; readonly load?: Load },
): Promise<DevNode<IdentitiesOf<Given, Load>>> {
  const options: DevNodeOptions = given ?? {}
  requireNodeOptions(options)
  const loaded = options.load === undefined ? undefined : readDump(options.load)
  const engine = createEngine({
    ...options,
    ...(options.profile === undefined &&
      loaded?.profile !== undefined && { profile: loaded.profile }),
  })
  const keys = identityKeys(engine, options.identities ?? loaded?.identities ?? 2)
  engine.state = {
    ...engine.state,
    wallets: keys.map(({ key, pubkey }) => walletOf(engine, key, pubkey)),
  }
  const node = nodeAround(
    engine,
    keys.map(({ key }) => key),
    options,
  )
  const { fund = [] } = options
  if (loaded === undefined) startingBlock(engine, fund)
  else {
    restore(engine, loaded)
    for (const { to, value } of fund) node.fund(to, value)
  }
  try {
    await node.listen()
  } catch (error) {
    // Identities that already listen would go on.
    await node.close()
    throw error
  }
  return node as never
}

const nodeMembers = memberNames<DevNodeOptions>({
  identities: true,
  mine: true,
  time: true,
  profile: true,
  fund: true,
  listen: true,
  load: true,
  onCall: true,
  password: true,
  electrum: true,
  proofOfWork: true,
})
const listenMembers = memberNames<Exclude<DevNodeOptions['listen'], false | undefined>>({
  port: true,
  host: true,
  exposeToNetwork: true,
  allowedOrigins: true,
})
const profileMembers = Object.keys(defaultProfile)
const identityMembers = memberNames<IdentityOptions>({ wif: true, pubkey: true })

function requireNodeOptions(options: DevNodeOptions): void {
  requireObject(options, 'options')
  requireKnownMembers(options, nodeMembers, 'options')
  const { profile = {}, listen, identities, fund = [], proofOfWork = false } = options
  requireBoolean(proofOfWork, 'options.proofOfWork')
  requireKnownMembers(profile, profileMembers, 'options.profile')
  if (typeof listen === 'object') requireKnownMembers(listen, listenMembers, 'options.listen')
  for (const [at, output] of fund.entries()) {
    requireKnownMembers(output, ['to', 'value'], `options.fund[${at}]`)
  }
  if (!Array.isArray(identities)) return
  for (const [at, identity] of identities.entries()) {
    requireKnownMembers(identity, identityMembers, `options.identities[${at}]`)
  }
}

interface IdentityKey {
  readonly key: WalletKey
  readonly pubkey: string | undefined
}

function identityKeys(
  { rules }: Engine,
  identities: number | readonly IdentityOptions[],
): IdentityKey[] {
  if (typeof identities === 'number') requireUint32(identities, 'identities')
  const list =
    typeof identities === 'number'
      ? Array.from({ length: identities }, (): IdentityOptions => ({}))
      : identities
  if (list.length === 0) throw new TypeError('identities: expected at least one')
  return list.map(({ wif, pubkey }, at) => {
    const key = wif === undefined ? identityKey(rules.network, at) : keyOfWif(wif, rules.network)
    return { key, pubkey: pubkey === false ? undefined : (pubkey ?? key.publicKey) }
  })
}

function walletOf(engine: Engine, key: WalletKey, pubkey: string | undefined): Wallet {
  const wallet = withKey({ ...emptyWallet, pubkey }, key)
  return { ...wallet, accounts: withEntry(wallet.accounts, addressOf(engine, key.publicKey), '') }
}

function addressOf({ rules }: Engine, publicKey: string): string {
  return encodeAddress(rules.network.pubKeyHashPrefix, hash160(publicKey))
}

function restore(engine: Engine, { blocks, mempool, time, wallets }: LoadedNode): void {
  for (const block of blocks) importInOrder(engine, block)
  for (const hex of mempool) engine.broadcast(hex, { allowHighFees: true })
  engine.state = {
    ...engine.state,
    time: time ?? engine.state.time,
    wallets: engine.state.wallets.map((wallet, at) => wallets?.[at] ?? wallet),
  }
}

interface ListeningNode extends DevNode {
  listen(): Promise<void>
}

function nodeAround(
  engine: Engine,
  keys: readonly WalletKey[],
  options: DevNodeOptions,
): ListeningNode {
  const mining = options.mine ?? 'auto'
  const password = options.password ?? randomWord()
  const snapshots = new Map<string, NodeState>()
  const servers: (HttpServer | undefined)[] = []
  const startedAt = Math.floor(Date.now() / 1000)
  const faults = createFaults(engine)
  let electrum: ElectrumServer | undefined
  let closed: Promise<void> | undefined
  const stopped = new Set<number>()
  let tellEnded: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    tellEnded = resolve
  })
  const mineBlock = (identity: number, time?: number): string =>
    engine.mine({ script: minerScript(engine, identity), ...(time !== undefined && { time }) }).hash
  const timer =
    typeof mining === 'number' ? setInterval(() => void mineBlock(0), mining * 1000) : undefined
  timer?.unref()

  const contextOf = (identity: number): Context => ({
    engine,
    identity,
    startedAt,
    rpcPort: servers[identity]?.port ?? 0,
    afterBroadcast: () => {
      if (mining === 'auto') mineBlock(identity)
    },
    mineBlock: () => mineBlock(identity),
    stop: () => {
      stopped.add(identity)
      void servers[identity]?.close()
      if (stopped.size === keys.length) tellEnded()
    },
  })
  const execute = (identity: number) => answered(contextOf, identity, { faults, ...options })
  /** All of it, or nothing. */
  const wholly = (change: () => void): void => {
    const before = engine.state
    try {
      change()
    } catch (error) {
      engine.state = before
      throw error
    }
  }

  const node: ListeningNode = {
    get url() {
      return servers[0]?.url ?? ''
    },
    get electrumUrl() {
      return electrum?.url ?? ''
    },
    get identities() {
      const identities = keys.map(({ wif, publicKey }, at): DevIdentity => {
        const pubkey = engine.state.wallets[at]?.pubkey ?? publicKey
        const url = servers[at]?.url ?? ''
        return { url, user: 'user', password, pubkey, wif, address: addressOf(engine, pubkey) }
      })
      return identities as unknown as DevIdentities
    },
    get chain() {
      return engine.rules.profile.name
    },
    get height() {
      return engine.state.chain.tip.height
    },
    faults,
    ended,
    async request(method, params = [], requestOptions = {}) {
      requireKnownMembers(requestOptions, ['identity'], 'options')
      const { identity = 0 } = requestOptions
      const given = parseJson(stringifyJson(params)) as never
      return JSON.parse(await execute(identity).call({ method, params: given }))
    },
    async fetch(input, init) {
      const url = input instanceof Request ? input.url : String(input)
      const identity = Math.max(
        0,
        servers.findIndex((server) => server !== undefined && url.startsWith(server.url)),
      )
      const body = await (input instanceof Request ? input : new Response(init?.body)).text()
      const reply: Reply = await plainReply(execute(identity), body)
      return new Response(reply.body, { status: reply.status, headers: { ...reply.headers } })
    },
    mine(count = 1, mineOptions = {}) {
      requireKnownMembers(mineOptions, ['spacing', 'identity'], 'options')
      const { spacing, identity = 0 } = mineOptions
      requireUint32(count, 'count')
      return Array.from({ length: count }, () => {
        if (spacing === undefined) return mineBlock(identity)
        const time = engine.state.chain.tip.time + spacing
        if (engine.state.time !== undefined) node.setTime(Math.max(engine.state.time, time))
        return mineBlock(identity, time)
      })
    },
    setTime(seconds) {
      if (seconds >>> 0 !== seconds) {
        throw new TypeError(
          `seconds: expected seconds since 1970, an integer below 2**32, got ${String(seconds)}`,
        )
      }
      engine.state = { ...engine.state, time: seconds }
    },
    advance(seconds) {
      node.setTime(engine.now() + seconds)
    },
    snapshot() {
      const id = `snapshot-${snapshots.size + 1}`
      snapshots.set(id, engine.state)
      return id
    },
    revert(id) {
      const state = snapshots.get(id)
      if (state === undefined) throw new RangeError(`${id}: no snapshot of this node`)
      engine.state = state
    },
    reorg(depth, reorgOptions = {}) {
      requireKnownMembers(reorgOptions, ['drop'], 'options')
      const { drop = [] } = reorgOptions
      requireUint32(depth, 'depth')
      const { height } = engine.state.chain.tip
      if (depth > height) throw new RangeError(`depth: ${depth} blocks, but there are ${height}`)
      const dropped = new Set(drop)
      for (let taken = 0; taken < depth; taken += 1) engine.disconnect(dropped)
      return node.mine(depth)
    },
    fund(to, value) {
      const faucetOutputs = [faucetScript(engine, { to, value })]
      const [coinbase] = engine.mine({ script: minerScript(engine, 0), faucetOutputs }).transactions
      return coinbase!.txid
    },
    importTransactions(transactions) {
      const blocks = blocksOf(transactions.map((it) => (typeof it === 'string' ? { hex: it } : it)))
      wholly(() => {
        for (const block of blocks) importInOrder(engine, block)
      })
      return engine.state.chain.tip.hash
    },
    testMempoolAccept(hex) {
      const verdict = engine.admit(hex)
      return verdict.ok ? { ok: true, txid: verdict.transaction.txid, fee: verdict.fee } : verdict
    },
    dump: () => dumpText(engine),
    load(text) {
      const loaded = readDump(text)
      wholly(() => {
        engine.clear()
        restore(engine, loaded)
      })
    },
    async listen() {
      if (options.electrum !== undefined && options.electrum !== false) {
        const { port = 0 } = options.electrum === true ? {} : options.electrum
        electrum = await openElectrumServer({ engine, faults, port, daemon: () => contextOf(0) })
      }
      if (options.listen === false) return
      for (const at of keys.keys()) {
        const port = options.listen?.port
        servers[at] = await execute(at).listen({
          ...options.listen,
          user: 'user',
          password,
          ...(port !== undefined && { port: port === 0 ? 0 : port + at }),
        })
      }
    },
    close() {
      clearInterval(timer)
      closed ??= Promise.all([...servers, electrum].map((it) => it?.close())).then(tellEnded)
      return closed
    },
    [Symbol.asyncDispose]: () => node.close(),
  }
  return node
}

function randomWord(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')
}
