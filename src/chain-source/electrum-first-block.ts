// Compares the chain of the Electrum server in use with that of the others, by the hash of block 1.

import type { ElectrumClient } from '../electrum/client.ts'
import type { ConnectedServer } from '../electrum/connected-server.ts'
import { isRpcError, RpcError } from '../rpc/errors.ts'
import { blockText, nameChain, otherChain, readFirstBlock } from '../rpc/first-block.ts'
import { headerOf } from './electrum-answers.ts'
import type { ChainOptions, SameChainOptions } from './source.ts'
import type { Findings } from './source-findings.ts'

interface ElectrumFirstBlock {
  /** Returns true once the chain is named, or a server has shown it. */
  isKnown(): boolean
  /** Returns the hash of block 1, after the server in use has shown that it is of that chain. */
  hash(options?: SameChainOptions): Promise<string>
  /**
   * Ends the connection to each server that does not show block 1 of the chain, until one shows it.
   * Returns false if that is not the server that was asked before. The caller then asks again.
   *
   * @throws {RpcError} if no server is left to try
   */
  isOf(asked: ConnectedServer | undefined, options: ChainOptions): Promise<boolean>
  /** Asks one connection to a server of the known chain; any server while none is known. */
  read<T>(options: ChainOptions, ask: () => Promise<T>): Promise<T>
  /**
   * Sends once, to a server of the known chain; to any server while none is known.
   *
   * @throws {RpcError} `uncertain` if a server of another chain may have answered
   */
  send<T>(options: ChainOptions, ask: () => Promise<T>): Promise<T>
}

interface Servers {
  readonly client: ElectrumClient
  /** Their URLs. */
  readonly servers: readonly string[]
  /** The name of the source. */
  readonly name: string
  readonly findings: Findings
}

/**
 * @param named - the hash of block 1, if the caller names it. Otherwise the first server does
 * @param source - `hasBlocks` asks whether the chain has a block after the first; `forget` drops what
 *   servers of another chain answered
 */
export function electrumFirstBlock(
  { client, servers, name, findings }: Servers,
  named: string | undefined,
  source: { hasBlocks(options: ChainOptions): Promise<boolean>; forget(): void },
): ElectrumFirstBlock {
  let isNamed = named !== undefined
  let known = named
  /** The URL of the server that showed it first, or the name of the source if that is unknown. */
  let knownBy = name
  /** The hash of block 1 that each server showed last, by URL; `undefined` if it showed none. */
  const shown = new Map<string, string | undefined>()
  /** The last connection whose server is of the chain. */
  let checkedBy: ConnectedServer | undefined

  async function hash({ firstBlock, ...options }: SameChainOptions = {}): Promise<string> {
    if (!isNamed && firstBlock !== undefined) {
      const before = known
      known = readFirstBlock(firstBlock)
      isNamed = true
      // An earlier call may have believed a server of another chain.
      if (known !== before) {
        checkedBy = undefined
        source.forget()
      }
    }
    await isOf(client.server(), options)
    // A new chain has no block 1 yet, and the server's refusal then is the answer.
    return known ?? (await firstBlockOf(options))
  }

  async function requireKnown(options: ChainOptions): Promise<void> {
    for (let moves = 1; !(await isOf(client.server(), options)); moves += 1) {
      requireFewMoves(moves, method)
    }
  }

  async function read<T>(options: ChainOptions, ask: () => Promise<T>): Promise<T> {
    if (known === undefined) return ask()
    for (let moves = 1; ; moves += 1) {
      await requireKnown(options)
      const asked = client.server()
      try {
        const answer = await ask()
        if (client.server() === asked) return answer
      } catch (error) {
        // The refusal of another server is no answer either: that one may be of another chain.
        if (client.server() === asked || !isRefusal(error)) throw error
      }
      requireFewMoves(moves, method)
    }
  }

  async function send<T>(options: ChainOptions, ask: () => Promise<T>): Promise<T> {
    if (known === undefined) return ask()
    await requireKnown(options)
    const answer = ask()
    await answer.catch((error: unknown) => {
      if (!isRefusal(error)) throw error
    })
    // The connection may be a new one, and a server of another chain refuses the transaction.
    if (await isOf(client.server(), options).catch(() => false)) return answer
    const of = 'blockchain.transaction.broadcast'
    const message = `${of}: the connection changed, and a server of another chain may have answered`
    throw new RpcError('transport', message, {
      method: of,
      reason: 'connection_lost',
      uncertain: true,
    })
  }

  async function firstBlockOf(options: ChainOptions): Promise<string> {
    const header = await client.call(method, [1], options)
    return headerOf(header, method).hash
  }

  /**
   * Refuses a server of another chain. The list may have one by mistake, and the same keys may have
   * coins there. A hostile server can claim any block.
   *
   * @throws {RpcError} of kind `shape`
   */
  async function requireSame(
    server: ConnectedServer | undefined,
    options: ChainOptions,
  ): Promise<void> {
    // A read that loses its connection is answered by the next server.
    const urlOf = () => (client.server() ?? server)?.url ?? name
    let received: string
    try {
      received = await firstBlockOf(options)
    } catch (error) {
      const isRefused = isRpcError(error, 'daemon')
      if (isRefused) shown.set(urlOf(), undefined)
      // A new chain has no such block yet.
      if (isRefused && known === undefined && !(await source.hasBlocks(options))) return
      throw error
    }
    shown.set(urlOf(), received)
    if (known === undefined) {
      known = received
      knownBy = urlOf()
    }
    if (received === known) return
    const by = isNamed ? 'as firstBlock names it' : `as by ${knownBy}`
    findings.add({
      code: 'source_disagrees',
      expected: `${blockText(known)}, ${by}`,
      actual: `${urlOf()}: ${received}`,
    })
    const details = { method, reason: 'unexpected_value', expected: known, received } as const
    const other = isNamed ? 'firstBlock names' : `${knownBy}, which answered first`
    const message = `${urlOf()} serves another chain than ${other}`
    throw new RpcError('shape', message, details)
  }

  /** Returns the error for servers of which none is of the chain. It names what each has shown. */
  function noServerOfChain(last: RpcError): RpcError {
    const isOther = last.expected !== undefined && last.expected === known
    const all = [...shown].map(([by, hash]) => ({ by, hash }))
    if (isNamed && (isOther || last.kind === 'daemon')) {
      const silent = servers.filter((url) => !shown.has(url)).map((by) => ({ by, hash: undefined }))
      return otherChain(known!, [...all, ...silent])
    }
    if (!isOther) return last
    const each = all.map(({ by, hash }) => `${by} shows ${blockText(hash)}`).join(', ')
    const message = `${last.message}: ${each}. Find out which is wrong, leave it out, and open the source again. ${nameChain}`
    const { reason, expected, received } = last
    return new RpcError('shape', message, { method, reason, expected, received })
  }

  async function isOf(asked: ConnectedServer | undefined, options: ChainOptions): Promise<boolean> {
    // While there is no connection, nobody knows whose answer is wrong. Such a round avoids no server.
    for (let round = 1, wrong = 0; ; round += 1) {
      const server = client.server()
      if (server !== undefined && server === checkedBy) return server === asked
      try {
        await requireSame(server, options)
        // A new chain has no block 1 yet, so its server is asked again.
        if (known !== undefined) checkedBy = server
        return server === asked && client.server() === server
      } catch (error) {
        if (!isRefusal(error)) throw error
        if (server !== undefined) {
          wrong += 1
          client.avoid?.(server, error)
        }
        const isLast = wrong >= servers.length || round >= 2 * servers.length
        if (client.avoid === undefined || isLast) throw noServerOfChain(error)
      }
    }
  }

  return { isKnown: () => known !== undefined, hash, isOf, read, send }
}

/** Returns true if a server answered, and the answer cannot be used. */
const isRefusal = (error: unknown) => isRpcError(error, 'daemon') || isRpcError(error, 'shape')

const method = 'blockchain.block.header'

/** How often a call is made again because its server has gone before its chain was known. */
const movesMax = 4

/** @throws {RpcError} of kind `transport` */
export function requireFewMoves(moves: number, of: string): void {
  if (moves <= movesMax) return
  const message = `${of}: the connection was lost again and again`
  throw new RpcError('transport', message, { method: of, reason: 'connection_lost' })
}
