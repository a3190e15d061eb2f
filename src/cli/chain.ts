// The chain source of the commands that use a wallet: a daemon, or Electrum servers.

import { dirname, join } from 'node:path'
import { fileCertificateStore } from '#sockets'
import { type Network, rewardsOf } from '../chain/network.ts'
import { daemonChain } from '../chain-source/daemon.ts'
import { electrumChain } from '../chain-source/electrum.ts'
import { hasKomodoBlock } from '../chain-source/komodo-block.ts'
import type { ChainOptions, ChainSource } from '../chain-source/source.ts'
import type { CertificateStore } from '../electrum/stream.ts'
import { makeFolders } from '../primitives/folders.ts'
import { printable } from '../primitives/printable.ts'
import { type ChainDifference, chainDifference } from '../rpc/daemon/chain-difference.ts'
import { createDaemonClient } from '../rpc/daemon/client.ts'
import { type ParsedArguments, refuseOptions, type Terminal, UsageError } from './command.ts'
import { argumentErrorAsUsage, daemonOptions } from './connection.ts'
import { connectionOptions, firstBlockOf } from './connection-options.ts'
import { stateFolder } from './state-folder.ts'

interface OpenedChain {
  readonly chain: ChainSource
  /**
   * Throws if the server runs a chain of another network: a payment would lose the reward of KMD's
   * coins.
   *
   * @throws {UsageError}
   */
  requireNetwork(options: ChainOptions): Promise<void>
  close(): void
}

/** Opens the chain source that the options name. */
export async function openChain(
  parsed: ParsedArguments,
  terminal: Terminal,
  network: Network,
): Promise<OpenedChain> {
  const servers = parsed.options.get('electrum')?.split(',')
  const named = firstBlockOf(parsed)
  if (servers === undefined) {
    const options = await daemonOptions(parsed, terminal)
    const client = await argumentErrorAsUsage(async () => createDaemonClient(options))
    return {
      chain: daemonChain(client, { network, name: 'the daemon', ...named }),
      async requireNetwork(given) {
        const difference = chainDifference(await client.getinfo({}, given), network)
        if (difference === undefined) return
        throw otherNetwork(network, difference)
      },
      close: () => undefined,
    }
  }
  const ofDaemon = connectionOptions.map(({ name }) => name)
  refuseOptions(parsed, ofDaemon, 'cannot be combined with --electrum')
  const tls = servers.some((url) => url.startsWith('ssl:')) ? firstUse(terminal) : {}
  const chain = await argumentErrorAsUsage(async () => electrumChain({ servers, ...tls }, named))
  return {
    chain,
    async requireNetwork(given) {
      const isOther = rewardsOf(network) === 'none' && (await hasKomodoBlock(chain, given))
      if (isOther) throw otherNetwork(network, { fact: 'the servers are of KMD', other: 'komodo' })
    },
    close: () => chain.close(),
  }
}

function otherNetwork({ name }: Network, { fact, other }: ChainDifference): UsageError {
  const remedy = other === undefined ? '' : `; name the network of the chain, such as ${other}`
  return new UsageError(`${fact}, and the network is ${printable(name)}${remedy}`)
}

function firstUse({ printError }: Terminal) {
  const folder = stateFolder()
  if (folder === undefined) {
    throw new UsageError('HOME is not set, so certificates of earlier runs cannot be found')
  }
  const path = join(folder, 'certificates')
  makeFolders(dirname(path), 0o700)
  const stored = fileCertificateStore(path)
  const store: CertificateStore = {
    get: (server) => stored.get(server),
    async put(server, fingerprint) {
      await stored.put(server, fingerprint)
      printError(
        `${printable(server)}: nobody vouches for its certificate yet; it is kept, and must stay the same\n`,
      )
    },
  }
  return { tls: { trust: 'first-use' as const, store } }
}
