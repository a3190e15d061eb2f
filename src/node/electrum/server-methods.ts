// Methods that tell about the server and its fees.

import { type JsonValue, LosslessNumber } from '../../primitives/json.ts'
import { blockAt } from '../state/view.ts'
import { ofDaemon } from './daemon.ts'
import { type Methods, type Protocol, protocols } from './method.ts'
import { refused, textOf, wholeNumber } from './values.ts'

const software = 'antara-tx development node'

export const serverMethods: Methods = {
  'server.version': {
    required: [],
    optional: ['client_name', 'protocol_version'],
    answer({ session }, [, wanted]) {
      if (session.protocol !== undefined) throw refused('server.version already sent')
      const protocol = agreedProtocol(wanted)
      if (protocol === undefined) {
        throw refused(`unsupported protocol version: ${textOf(wanted)}`)
      }
      session.protocol = protocol
      return [software, protocol]
    },
  },
  'server.ping': { required: [], answer: () => null },
  'server.banner': { required: [], answer: () => `You are connected to an ${software}.` },
  'server.donation_address': { required: [], answer: () => '' },
  'server.peers.subscribe': { required: [], answer: () => [] },
  'server.features': {
    required: [],
    answer: ({ engine }) => ({
      hosts: {},
      pruning: null,
      server_version: software,
      protocol_min: protocols[0],
      protocol_max: protocols.at(-1),
      genesis_hash: blockAt(engine, 0)!.hash,
      hash_function: 'sha256',
      services: [],
    }),
  },
  'blockchain.estimatefee': {
    required: ['number'],
    optional: ['mode'],
    answer({ daemon }, [number, mode]) {
      const blocks = wholeNumber(number)
      if (mode !== undefined && mode !== null) throw refused('unknown estimatefee mode: None')
      return ofDaemon(daemon, 'estimatefee', [new LosslessNumber(`${blocks}`)])
    },
  },
  'blockchain.relayfee': {
    required: [],
    until: '1.6',
    answer: ({ daemon }) =>
      (ofDaemon(daemon, 'getnetworkinfo', []) as { relayfee: unknown }).relayfee,
  },
  'mempool.get_fee_histogram': { required: [], answer: () => [] },
}

/** The highest version that both sides speak: the client names one, or the least and the most. */
function agreedProtocol(wanted: JsonValue | undefined): Protocol | undefined {
  const [least, most] = Array.isArray(wanted) ? wanted : [wanted ?? '1.4', wanted ?? '1.4']
  const [low, high] = [placeOf(least), placeOf(most)]
  if (low === undefined || high === undefined) return undefined
  return protocols.findLast((it) => placeOf(it)! <= high && placeOf(it)! >= low)
}

/** `1.4.2` as 1004002. */
function placeOf(version: JsonValue | undefined): number | undefined {
  const match = typeof version === 'string' ? /^(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(version) : null
  if (match === null) return undefined
  const [, major, minor = '0', patch = '0'] = match
  return Number(major) * 1_000_000 + Number(minor) * 1_000 + Number(patch)
}
