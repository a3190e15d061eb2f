// The code samples in the docstrings of the clients, the nodes and the guards run, on a development
// node and a development framework.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { createFrameworkGuard, createGuard } from '../../src/guard/index.ts'
import * as library from '../../src/index.ts'
import { createDevFramework, createDevNode } from '../../src/node/index.ts'
import * as rpc from '../../src/rpc/index.ts'
import { daemonConfPath, daemonFromConf, frameworkFromConf, parseConf } from '../../src/rpc/node.ts'
import { filesBelow, textOf } from '../support/files.ts'
import { docstringSamples, runSample } from '../support/samples.ts'

const node = await createDevNode()
const [alice, bob] = node.identities
const daemon = rpc.createDaemonClient(alice)
/** A response of the framework whose transaction is not one, so that it is rejected. */
const withdrawn = {
  tx_hex: '00',
  tx_hash: '',
  from: [],
  to: [],
  total_amount: '0',
  spent_by_me: '0',
  received_by_me: '0',
  my_balance_change: '0',
  block_height: 0,
  timestamp: 0,
  fee_details: { type: 'Utxo', amount: '0' },
  coin: 'KMD',
  internal_id: '',
}
/** Each sample has a server of its own, because a coin is activated only once. */
const startFramework = () =>
  createDevFramework({
    preset: 'docs',
    script: {
      coins: {
        BCH: {
          address: 'bitcoincash:qq6qvc33strtjwnfktdqswwvxuhrhs2ussavvhv3a0',
          current_block: 895348,
          balance: { spendable: '1.5', unspendable: '0' },
        },
      },
      methods: {
        get_public_key: { result: { public_key: '03ab' } },
        withdraw: { result: withdrawn },
      },
    },
  })
const folder = mkdtempSync(join(tmpdir(), 'samples-'))
const confPath = join(folder, 'TOKTEST.conf')
const frameworkPath = join(folder, 'MM2.json')
writeFileSync(
  confPath,
  `rpcport=${new URL(alice.url).port}\nrpcuser=${alice.user}\nrpcpassword=${alice.password}\n`,
)
writeFileSync(frameworkPath, JSON.stringify({ rpcport: 7783, rpc_password: 'secret' }))

const supply = 100_000_000n
const { txid: tokenid } = await rpc.createToken(daemon, {
  name: 'GOLD',
  supply,
  description: '',
  owner: alice.pubkey,
})
const { txid: order } = await rpc.tradeToken(daemon, {
  kind: 'ask',
  tokenid: tokenid!,
  units: 100n,
  price: 1_000_000n,
  from: alice.pubkey,
})
node.mine(6)

const opened: { close(): Promise<void> }[] = []
/** Starts what a sample starts, and keeps it to be closed. */
const kept =
  <Options, Started extends { close(): Promise<void> }>(
    start: (options: Options) => Promise<Started>,
  ) =>
  async (options: Options): Promise<Started> => {
    const started = await start(options)
    opened.push(started)
    return started
  }
afterAll(async () => {
  for (const one of [...opened, node]) await one.close()
  rmSync(folder, { recursive: true })
})

const activation = {
  bchd_urls: ['https://bchd.example'],
  mode: { rpc: 'Electrum', rpc_data: { servers: [{ url: 'electrum.example:20055' }] } },
}

const scope = {
  ...library,
  ...rpc,
  parseConf,
  createDevNode,
  createDevFramework,
  createGuard: kept(createGuard),
  createFrameworkGuard: kept(createFrameworkGuard),
  // The samples name files and servers that are not on this machine.
  daemonConfPath: (chain: string) =>
    daemonConfPath(chain, { platform: 'linux', home: '/home/you' }),
  daemonFromConf: () => daemonFromConf(confPath),
  frameworkFromConf: () => frameworkFromConf(frameworkPath),
  createDaemonClient: (options: object) => rpc.createDaemonClient({ ...options, ...alice }),
  useDevNode: () => () => node,
  test: (_title: string, run: () => Promise<void>) => run(),
  daemon,
  url: alice.url,
  user: alice.user,
  password: alice.password,
  userpass: 'secret',
  journal: rpc.memoryJournal(),
  error: new rpc.RpcError('daemon', 'still starting', { code: -28 }),
  tokenid,
  order,
  txid: tokenid,
  from: alice.pubkey,
  pubkey: alice.pubkey,
  owner: alice.pubkey,
  own: [alice.address],
  destination: bob.pubkey,
  address: bob.address,
  to: bob.address,
  coin: 'KMD',
  network: library.networks.komodo,
  params: { ticker: 'BCH', activation_params: activation },
  activation_params: activation,
  console: { log: () => undefined },
}

const samples = ['src/rpc', 'src/node', 'src/guard'].flatMap((below) =>
  filesBelow(below).flatMap((path) => docstringSamples(path, textOf(path))),
)
const asJavaScript = (code: string) => code.replaceAll(' as const', '')

test('there are samples to run', () => expect(samples.length).toBeGreaterThan(20))

test.each(samples)('$from: $code', async ({ from, code }) => {
  const server = await startFramework()
  opened.push(server)
  const framework = rpc.createFrameworkClient(server)
  const createFrameworkClient = (options: rpc.FrameworkClientOptions) =>
    String(options.url).includes(':7783') ? framework : rpc.createFrameworkClient(options)
  const own = { framework, createFrameworkClient }
  const results = await runSample({ from, code: asJavaScript(code) }, { ...scope, ...own })
  expect(results.map(({ actual }) => actual)).toEqual(results.map(({ reported }) => reported))
})
