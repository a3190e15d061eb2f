// A page in a real Chromium, with a wallet that reads and pays through an Electrum server over
// WebSocket and TLS.

import { build } from 'esbuild'
import { expect, onTestFinished } from 'vitest'

import { addressOf, networks, publicKeyOf } from '../../src/index.ts'
import { createDevNode } from '../../src/node/index.ts'
import { root } from '../support/built.ts'
import { noChromium, openPage } from '../support/chromium.ts'
import { testUnless } from '../support/skip.ts'
import { startServer } from './support/server.ts'
import { wssBridge } from './support/wss-bridge.ts'

const wif = '7'.padStart(64, '0')
const own = addressOf(publicKeyOf(wif), networks.assetChain)
const payee = addressOf(publicKeyOf('a'.padStart(64, '0')), networks.assetChain)

/** The page's program. It reports what it saw before and after a payment. */
const program = (url: string) => `
  import { createWallet, electrumChain, memoryJournal, privateKeySigner } from 'antara-tx/wallet'
  const report = (outcome) => fetch('/report', { method: 'POST', body: JSON.stringify(outcome) })
  try {
    const chain = electrumChain(['${url}'])
    const wallet = await createWallet({
      signers: [privateKeySigner('${wif}')],
      chain,
      journal: memoryJournal(),
      coinbaseMaturity: 1,
    })
    const before = (await wallet.balance()).total
    const sent = await wallet.pay({ to: '${payee}', amount: 1_000_000n })
    const { height } = await sent.confirmed()
    const after = (await wallet.balance()).total
    await fetch('/drop')
    const again = (await wallet.balance()).total
    const { trust } = chain.client.server()
    const coins = [before, after, again].map(String)
    await report({ coins, status: sent.status, txid: sent.txid, height, trust })
    chain.close()
  } catch (error) {
    await report({ failed: String(error?.stack ?? error) })
  }
`

testUnless(noChromium)(
  'a page reads a balance, pays, and goes on after a broken connection, over WSS',
  async () => {
    await using node = await createDevNode({ mine: 'auto', listen: false, electrum: true })
    node.fund(own, 50_000_000n)
    node.mine(101)
    await using bridge = await wssBridge(node.electrumUrl)
    const { outputFiles } = await build({
      stdin: { contents: program(bridge.url), resolveDir: root },
      ...{ bundle: true, write: false, format: 'esm', platform: 'browser', logLevel: 'error' },
    })
    const script = outputFiles[0]!.text
    let finish: (outcome: string) => void
    const finished = new Promise<string>((resolve) => {
      finish = resolve
    })
    const server = await startServer(({ path, body }, response) => {
      if (path === '/report') finish(body)
      if (path === '/drop') bridge.drop()
      const isScript = path === '/page.js'
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      response.end(
        isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>',
      )
    })
    // This certificate alone is accepted, as one that an authority signed would be.
    const flags = [`--ignore-certificate-errors-spki-list=${bridge.publicKeyHash}`]
    const closePage = openPage(server.url, flags)
    onTestFinished(async () => {
      await closePage()
      await server.close()
    })
    const outcome = JSON.parse(await finished)
    expect(outcome).toEqual({
      coins: ['50000000', '48990000', '48990000'],
      status: 'accepted',
      txid: expect.stringMatching(/^[0-9a-f]{64}$/),
      height: node.height,
      trust: 'authorities',
    })
    const paid = await node.request('getaddressbalance', [{ addresses: [payee] }])
    expect(paid).toMatchObject({ balance: 1_000_000 })
    expect(bridge.connections).toBe(2)
  },
  60_000,
)
