import { readFileSync } from 'node:fs'
import { createDevNode } from '../node/dev-node.ts'
import type { DevNode } from '../node/dev-node-types.ts'
import type { CallReport } from '../node/request-handler.ts'
import { printable } from '../primitives/printable.ts'
import {
  type Command,
  exitAgrees,
  type ParsedArguments,
  refuseOptions,
  type Terminal,
  UsageError,
} from './command.ts'
import { listening } from './listening.ts'
import { chosenNetwork } from './network.ts'
import { forkOf, startError } from './node-fork.ts'
import {
  accessOf,
  electrumOf,
  faultsOf,
  fundOf,
  identitiesOf,
  inOptions,
  listenOf,
  maturityOf,
  miningOf,
  nodeOptions,
  ofDaemons,
  type PlainFault,
} from './node-options.ts'
import { keptIn, ofState, stateOf } from './node-state.ts'
import { unreadable } from './read.ts'
import { served } from './served.ts'

export const node: Command = {
  usage: ['[options]'],
  about: `Serves the interface of a komodod or a tokeld for development: one chain, in this process, with
real validation. Keys and coins are throw-away ones. The first interrupt ends it.`,
  options: nodeOptions,
  notes: `With --json the first line is one object: url, user, password, network, chain, height, and
identities, each with url, user, password, pubkey, wif and address. With --electrum it also has
electrumUrl; with --framework it has url, userpass and preset. Calls are logged to standard error.

With --fork, testmempoolaccept answers what the network would say about a signed transaction before
you send it. The daemon needs -txindex=1. Its credentials come from --conf, from the environment
(ANTARA_RPC_USER, ANTARA_RPC_PASSWORD), or from a prompt. Nothing is sent to it but methods that
read, and what you send to the fork stays there. Addresses below the fork are not indexed.`,
  async run(parsed, terminal) {
    if (parsed.positionals.length > 0) throw new UsageError('no arguments expected, only options')
    const script = parsed.options.get('framework')
    if (script !== undefined) {
      refuseOptions(parsed, ofDaemons, 'cannot be combined with --framework')
      const { serveFramework } = await import('./framework.ts')
      return serveFramework(script, parsed, terminal)
    }
    const state = parsed.options.get('state')
    const faults = faultsOf(parsed)
    const running = await startNode(parsed, terminal, state)
    try {
      for (const kind of faults) addFault(running, kind)
      const kept = state === undefined ? undefined : await keptIn(state, running, terminal)
      const first = { facts: facts(running), text: introduction(running) }
      await Promise.race([served(parsed, terminal, first), running.ended])
      await running.close()
      if (state !== undefined) ofState('write', state, () => kept?.end())
    } finally {
      // A server that listens would keep the process.
      await running.close()
    }
    return exitAgrees
  },
}

async function startNode(
  parsed: ParsedArguments,
  terminal: Terminal,
  state: string | undefined,
): Promise<DevNode> {
  const { kept, server } = await stateOf(state)
  const load = kept ?? fileText(parsed.options.get('load'))
  const access = await accessOf(parsed, server)
  const maturity = maturityOf(parsed)
  const below = await forkOf(parsed, terminal)
  const { seed } = Object.fromEntries(parsed.options)
  const begin = (keptPort?: number): Promise<DevNode> =>
    createDevNode({
      ...(parsed.options.has('network') && { network: chosenNetwork(parsed) }),
      ...access,
      ...below,
      ...maturity,
      ...(seed !== undefined && { seed }),
      ...identitiesOf(parsed, load !== undefined),
      mine: miningOf(parsed.options.get('mine') ?? 'auto'),
      // A chain that goes on had its coins when it began.
      fund: kept === undefined ? fundOf(parsed.options.get('fund')) : [],
      listen: listenOf(parsed, keptPort),
      ...electrumOf(parsed),
      proofOfWork: parsed.flags.has('proof-of-work'),
      ...(!parsed.flags.has('quiet') && {
        onCall: (call) => terminal.printError(logLine(call)),
      }),
      ...(load !== undefined && { load }),
    })
  try {
    return await listening(() =>
      begin(server?.port).catch((error) => {
        // Another program may have the port of the earlier run now.
        const isTaken = server !== undefined && (error as { code?: unknown }).code === 'EADDRINUSE'
        if (!isTaken || parsed.options.has('port')) throw error
        terminal.printError(
          `port ${server.port} of the earlier run is taken; it listens elsewhere\n`,
        )
        return begin()
      }),
    )
  } catch (error) {
    const isOfOptions = error instanceof TypeError || error instanceof RangeError
    if (isOfOptions) throw new UsageError(inOptions(error.message))
    throw startError(error)
  }
}

function fileText(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`--load: ${unreadable(path, error).message}`)
  }
}

function addFault(running: DevNode, kind: PlainFault): void {
  try {
    running.faults.add({ kind })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(error.message.replace(/^rule: /, '--fault: '))
  }
}

function facts({ url, electrumUrl, identities, network, chain, height }: DevNode): object {
  const { user, password } = identities[0]!
  return {
    ...(electrumUrl !== '' && { electrumUrl }),
    url,
    user,
    password,
    network: network.conditions === 'tokel' ? 'tokel' : 'assetChain',
    chain,
    height,
    identities,
  }
}

function introduction({ identities, electrumUrl, network, chain, height }: DevNode): string {
  const lines = identities.flatMap(({ url, user, password, address, pubkey, wif }, at) => [
    `identity ${at}  ${url}`,
    `  user     ${user}`,
    `  password ${password}`,
    `  address  ${address}`,
    `  pubkey   ${pubkey}`,
    `  key      ${wif}   (throw-away: everybody has it)`,
    '',
  ])
  const { url, user, password } = identities[0]!
  return [
    `A development node of the chain ${chain}${network.conditions === 'tokel' ? ', as tokeld runs it' : ''}, height ${height}. Nothing here is worth anything.`,
    '',
    ...(electrumUrl === '' ? [] : [`Electrum    ${electrumUrl}`, '']),
    ...lines,
    'Try it:',
    `  curl -s --user ${user}:${password} --data '{"method":"getinfo"}' ${url}`,
    '',
    '',
  ].join('\n')
}

function logLine({ identity, method, milliseconds, error, reason }: CallReport): string {
  const outcome = error === undefined ? 'ok' : `${error.code} ${error.message.split('\n')[0]}`
  const why = reason === undefined ? '' : `\n  ${printable(reason)}`
  return `${identity} ${printable(method)} ${milliseconds.toFixed(1)} ms ${printable(outcome)}${why}\n`
}
