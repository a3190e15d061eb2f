import { type Network, networks } from '../chain/network.ts'
import { createDevNode } from '../node/dev-node.ts'
import type { DevNode } from '../node/dev-node-types.ts'
import type { Tamper } from '../node/tamper.ts'
import { printable } from '../primitives/printable.ts'
import type { Report } from '../request/report.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import { createDaemonClient } from '../rpc/daemon/client.ts'
import { createToken, transferToken } from '../rpc/safe-flow.ts'
import {
  type Command,
  chosenNetwork,
  exitAgrees,
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
      await show(node, print)
    } finally {
      await node.close()
    }
    return exitAgrees
  },
}

function servedNetworkOf(parsed: ParsedArguments): Network {
  const network = chosenNetwork(parsed)
  if (network === networks.assetChain || network === networks.tokel) return network
  throw new UsageError('--network: assetChain or tokel expected, because only they have tokens')
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

async function show(node: DevNode, print: (text: string) => void): Promise<void> {
  const { network } = node
  const { daemon, token } = wordsOf[network.conditions]!
  const [own, other] = node.identities
  const say = (...lines: string[]) => print(`${lines.join('\n')}\n`)
  say(`A ${daemon} for development, in this process. No network, throw-away keys.`, '')

  const gold = await createToken(clientOf(node), {
    name: 'GOLD',
    supply,
    description: 'a token of the demo',
    owner: own!.pubkey,
    network,
  })
  const tokenid = gold.txid!
  say(
    `${token}create GOLD, ${supply} units  ${verdict(gold.report)}`,
    `  broadcast and mined   ${tokenid}`,
  )
  const silver = { name: 'SILVER', supply, description: '', owner: own!.pubkey, network }
  await createToken(clientOf(node), silver)
  const listed = (await node.request(`${token}list`)) as string[]
  say(
    `${`${token}list`.padEnd(29)}${listed.length} tokens, GOLD ${listed.includes(tokenid) ? 'is' : 'is not'} one`,
  )

  const intent = { tokenid, from: own!.pubkey, destination: other!.pubkey, amount, network }
  const sent = await transferToken(clientOf(node), intent)
  say(
    `${`${token}transfer ${amount} to B`.padEnd(29)}${verdict(sent.report)}`,
    `  broadcast and mined   ${sent.txid}`,
  )
  say(
    `balances                     A ${await balanceOf(node, tokenid, 0)}, B ${await balanceOf(node, tokenid, 1)}`,
    '',
  )

  say('The same transfer through a daemon whose correctly signed answer ...')
  for (const [tamper, words] of shown) {
    const takeBack = node.faults.add({ kind: 'tampered_hex', method: `${token}transfer`, tamper })
    const { report, txid } = await transferToken(clientOf(node), intent)
    takeBack()
    say(
      `  ${words}: ${txid === undefined ? 'not broadcast' : 'BROADCAST'}`,
      `    ${reasonOf(report)}`,
    )
  }
  say(
    '',
    `balances                     A ${await balanceOf(node, tokenid, 0)}, B ${await balanceOf(node, tokenid, 1)}`,
  )
  say('', 'antara-tx node serves this daemon to other programs. antara-tx verify checks any hex.')
}

/** Creates a client without memory of other clients' payments. */
function clientOf(node: DevNode): DaemonClient {
  const { user, password } = node.identities[0]!
  return createDaemonClient({ url: 'http://127.0.0.1/', user, password, fetch: node.fetch })
}

async function balanceOf(node: DevNode, tokenid: string, identity: number): Promise<number> {
  const { token } = wordsOf[node.network.conditions]!
  const answer = await node.request(`${token}balance`, [tokenid], { identity })
  return (answer as { balance: number }).balance
}

function verdict({ ok, fee, findings }: Report): string {
  const warnings = findings.filter(({ severity }) => severity === 'warn').map(({ code }) => code)
  const warned = warnings.length === 0 ? '' : `, warning ${printable(warnings.join(', '))}`
  return `${ok ? 'does what was asked' : 'REFUSED'}, fee ${fee ?? '?'} satoshis${warned}`
}

function reasonOf({ findings }: Report): string {
  const [first] = findings.filter(({ severity }) => severity === 'reject')
  return first === undefined ? 'nothing was found' : printable(`${first.code}: ${first.message}`)
}
