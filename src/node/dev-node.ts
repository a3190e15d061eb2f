// The development node: one chain, an identity or more, an in-process interface and HTTP servers on
// loopback.

import { parseJson, stringifyJson } from '../primitives/json.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { chainControl, mineBlock, restore } from './chain-control.ts'
import { chainProfileOf, type DevNodeOptions, requireNodeOptions } from './dev-node-options.ts'
import type { DevNode } from './dev-node-types.ts'
import { readDump } from './dump.ts'
import { createEngine, type Engine } from './engine.ts'
import { startingBlock } from './faucet.ts'
import { createFaults } from './faults.ts'
import type { Fork } from './fork/fork.ts'
import { addressOf, identityKeys, walletOf } from './identities.ts'
import type { DevIdentities, DevIdentity, Identities, IdentitiesOf } from './identity-types.ts'
import { nodeServers } from './node-servers.ts'
import { plainReply } from './request-handler.ts'
import { unsolved } from './state/block.ts'
import type { WalletKey } from './state/wallet.ts'

/**
 * Starts a development node.
 *
 * @param given - identities, profile, ports and more; all are optional
 * @returns the node: `request` in this process, and a `url` for JSON-RPC
 * @throws {TypeError} for an unknown option, a value of another form, and no identities
 * @throws {RangeError} for an amount in `fund` that the chain does not allow
 * @throws {AntaraError} `malformed_private_key` for an identity's key; as `load` for its text
 * @throws {ForkError} for a daemon that does not answer, or that has another chain
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
  // Most nodes neither fork nor solve their blocks, and start sooner without the code for that.
  const forks = options.fork && (await import('./fork/fork.ts'))
  const open = options.fork && (await forks?.openFork(options.fork))
  const profile = chainProfileOf(options, loaded, open?.facts)
  const below = open && forks?.forkFrom(open, profile.maxMoney)
  const seal =
    options.proofOfWork === true ? (await import('./state/proof-of-work.ts')).solved : unsolved
  const engine = createEngine({ ...options, profile, seal, ...(below && { chain: below.chain }) })
  const keys = identityKeys(engine, options.identities ?? loaded?.identities ?? 2, options.seed)
  engine.state = {
    ...engine.state,
    wallets: keys.map(({ key, pubkey }) => walletOf(engine, key, pubkey)),
  }
  const node = nodeAround(
    engine,
    keys.map(({ key }) => key),
    { ...options, below },
  )
  const { fund = [] } = options
  if (loaded === undefined && below === undefined) startingBlock(engine, fund)
  else {
    if (loaded !== undefined) restore(engine, loaded)
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

interface ListeningNode extends DevNode {
  listen(): Promise<void>
}

function nodeAround(
  engine: Engine,
  keys: readonly WalletKey[],
  options: DevNodeOptions & { readonly below: Fork | undefined },
): ListeningNode {
  const { mine: mining, below } = options
  const faults = createFaults(engine)
  const servers = nodeServers({
    engine,
    faults,
    below,
    identityCount: keys.length,
    options,
    mineBlock: (identity) => mineBlock(engine, identity),
  })
  const timer =
    typeof mining === 'number'
      ? // Engines fire a longer timer at once, without a pause between blocks.
        setInterval(() => void mineBlock(engine, 0), Math.min(mining * 1000, 2 ** 31 - 1))
      : undefined
  timer?.unref()

  const node: ListeningNode = {
    ...chainControl(engine),
    get url() {
      return servers.urlOf(0)
    },
    get electrumUrl() {
      return servers.electrumUrl()
    },
    get identities() {
      const { user, password } = servers
      const identities = keys.map(({ wif, publicKey }, at): DevIdentity => {
        const pubkey = engine.state.wallets[at]?.pubkey ?? publicKey
        const url = servers.urlOf(at)
        return { url, user, password, pubkey, wif, address: addressOf(engine, pubkey) }
      })
      return identities as unknown as DevIdentities
    },
    get network() {
      return engine.rules.network
    },
    get chain() {
      return engine.rules.profile.name
    },
    get height() {
      return engine.state.chain.tip.height
    },
    faults,
    ended: servers.ended,
    async request(method, params = [], requestOptions = {}) {
      requireKnownMembers(requestOptions, ['identity'], 'options')
      const { identity = 0 } = requestOptions
      const given = parseJson(stringifyJson(params)) as never
      return JSON.parse(await servers.handlerOf(identity).call({ method, params: given }))
    },
    async fetch(input, init) {
      const url = input instanceof Request ? input.url : String(input)
      const body = await (input instanceof Request ? input : new Response(init?.body)).text()
      const reply = await plainReply(servers.handlerOf(servers.identityAt(url)), body)
      return new Response(reply.body, { status: reply.status, headers: { ...reply.headers } })
    },
    listen: () => servers.listen(),
    close() {
      clearInterval(timer)
      return servers.close()
    },
    [Symbol.asyncDispose]: () => node.close(),
  }
  return node
}
