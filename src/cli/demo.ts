import { type Network, networks } from '../chain/network.ts'
import { createDevNode } from '../node/dev-node.ts'
import type { DevNode } from '../node/dev-node-types.ts'
import type { Tamper } from '../node/tamper.ts'
import { printable } from '../primitives/printable.ts'
import { redactKey } from '../primitives/redact-key.ts'
import type { Report } from '../request/report.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import { createDaemonClient } from '../rpc/daemon/client.ts'
import type { SafeFlowResult } from '../rpc/safe-flow/flow.ts'
import { createToken, transferToken } from '../rpc/safe-flow.ts'
import {
  type Command,
  exitAgrees,
  exitFindings,
  type ParsedArguments,
  UsageError,
} from './command.ts'

/** The tampered responses of the daemon, and how the screen describes them. */
const shown: readonly (readonly [tamper: Tamper, words: string])[] = [
  ['wrong_destination', 'pays the tokens to somebody else'],
  ['stolen_change', 'keeps the change'],
  ['other_token_burned', 'spends a coin of the other token too'],
  ['raised_fee', 'adds 0.01 coins to the fee'],
]

const supply = 1_000n
const amount = 400n

export const demo: Command = {
  usage: [''],
  about: `Makes and transfers a token on a chain of its own, and rejects the same transfer from daemons that
answer with tampered transactions.`,
  options: [
    {
      name: 'network',
      value: 'NAME',
      values: ['assetChain', 'tokel'],
      about: 'assetChain (default) for tokens of komodod, tokel for tokens v2 of tokeld',
    },
  ],
  async run(parsed, { print }) {
    if (parsed.positionals.length > 0) throw new UsageError('expected no arguments')
    const node = await createDevNode({ listen: false, network: servedNetworkOf(parsed) })
    try {
      return (await show(node, print)) ? exitAgrees : exitFindings
    } finally {
      await node.close()
    }
  },
}

function servedNetworkOf({ options }: ParsedArguments): Network {
  const name = options.get('network') ?? 'assetChain'
  if (name === 'assetChain' || name === 'tokel') return networks[name]
  throw new UsageError(
    `--network: assetChain or tokel expected, because only they have tokens; got ${redactKey(name)}`,
  )
}

interface Words {
  readonly daemon: string
  /** The beginning of the names of methods. */
  readonly token: 'token' | 'tokenv2'
}

const wordsOf: { readonly [conditions: string]: Words } = {
  komodo: { daemon: 'komodod', token: 'token' },
  tokel: { daemon: 'tokeld', token: 'tokenv2' },
}

/** Returns true if every honest answer was broadcast, and no tampered one. */
async function show(node: DevNode, print: (text: string) => void): Promise<boolean> {
  const { network } = node
  const { daemon, token } = wordsOf[network.conditions]!
  const [own, other] = node.identities
  const say = (...lines: string[]) => print(`${lines.join('\n')}\n`)
  say(`A ${daemon} for development, in this process. No network, throw-away keys.`)
  say('Two wallets: A makes and sends tokens, B receives them.', '')

  const create = (name: string, description: string) =>
    createToken(clientOf(node), { name, supply, description, owner: own!.pubkey, network })
  const gold = await create('GOLD', 'a token of the demo')
  say(...flowLines(`${token}create GOLD, ${supply} units`, gold))
  const silver = await create('SILVER', '')
  if (silver.txid === undefined) say(...flowLines(`${token}create SILVER`, silver))
  const tokenid = gold.txid
  if (tokenid === undefined || silver.txid === undefined) return false
  const listed = (await node.request(`${token}list`)) as string[]
  const isListed = listed.includes(tokenid) ? 'is' : 'is not'
  say(row(`${token}list`, `${listed.length} tokens, GOLD ${isListed} one`))

  const intent = { tokenid, from: own!.pubkey, destination: other!.pubkey, amount, network }
  const sent = await transferToken(clientOf(node), intent)
  say(...flowLines(`${token}transfer ${amount} to B`, sent))
  if (sent.txid === undefined) return false
  say(await balances(node, tokenid), '')

  say('The same transfer through a daemon whose correctly signed answer ...')
  let isAnySent = false
  for (const [tamper, words] of shown) {
    const takeBack = node.faults.add({ kind: 'tampered_hex', method: `${token}transfer`, tamper })
    const { report, txid } = await transferToken(clientOf(node), intent)
    takeBack()
    isAnySent ||= txid !== undefined
    say(
      `  ${words}: ${txid === undefined ? 'not broadcast' : 'BROADCAST'}`,
      `    ${reasonOf(report)}`,
    )
  }
  say('', await balances(node, tokenid))
  say('', 'antara-tx node serves this daemon to other programs. antara-tx verify checks any hex.')
  return !isAnySent
}

/**
 * Creates a client for one payment. A second call with the same intent through one client would
 * find the payment of the first, and request nothing.
 */
function clientOf(node: DevNode): DaemonClient {
  const { user, password } = node.identities[0]!
  return createDaemonClient({ url: 'http://127.0.0.1/', user, password, fetch: node.fetch })
}

function row(label: string, text: string): string {
  return label.padEnd(32) + text
}

async function balances(node: DevNode, tokenid: string): Promise<string> {
  const [ofA, ofB] = [await balanceOf(node, tokenid, 0), await balanceOf(node, tokenid, 1)]
  return row('balances', `A ${ofA}, B ${ofB}`)
}

async function balanceOf(node: DevNode, tokenid: string, identity: number): Promise<number> {
  const { token } = wordsOf[node.network.conditions]!
  const answer = await node.request(`${token}balance`, [tokenid], { identity })
  return (answer as { balance: number }).balance
}

function flowLines(label: string, { report, txid }: SafeFlowResult): string[] {
  const end =
    txid === undefined ? `not broadcast: ${reasonOf(report)}` : `broadcast and mined   ${txid}`
  return [row(label, verdict(report)), `  ${end}`]
}

function verdict({ ok, fee, findings }: Report): string {
  const codes = findings.filter(({ severity }) => severity === 'warn').map(({ code }) => code)
  const warnings = codes.length === 0 ? '' : `, warning ${printable(codes.join(', '))}`
  return `${ok ? 'does what was asked' : 'REFUSED'}, fee ${fee ?? 'unknown'} satoshis${warnings}`
}

function reasonOf({ findings }: Report): string {
  const [first] = findings.filter(({ severity }) => severity === 'reject')
  return first === undefined ? 'nothing was found' : printable(`${first.code}: ${first.message}`)
}
