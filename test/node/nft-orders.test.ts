// Orders of non-fungible tokens, built offline, signed by `signCase` without further data, and
// mined. The token is locked by two eval codes while its owner has it, and by three while it is
// offered.

import { expect, test } from 'vitest'
import {
  buildTokenAsk,
  buildTokenBid,
  buildTokenCancelAsk,
  buildTokenCancelBid,
  buildTokenCreate,
  buildTokenFillAsk,
  buildTokenFillBid,
  formatCase,
  parseCase,
  signCase,
  type UnsignedTransaction,
} from '../../src/index.ts'
import { createDevNode } from '../../src/node/index.ts'

interface Unspent {
  txid: string
  outputIndex: number
}

test.each(['f1', 'f3'])(
  'a token whose data begin with %s is offered, sold and taken back',
  async (code) => {
    await using node = await createDevNode({ listen: false, time: 1_800_000_000 })
    const [maker, other] = node.identities
    const raw = async (txid: string) => (await node.request('getrawtransaction', [txid])) as string
    const known: string[] = []

    /** Coins of an identity, with their transactions and all that was sent. */
    async function own({ address, pubkey: from }: { address: string; pubkey: string }) {
      const unspent = (await node.request('getaddressutxos', [
        { addresses: [address] },
      ])) as Unspent[]
      const coins = unspent.map(({ txid, outputIndex }) => ({ txid, vout: outputIndex }))
      const txids = [...new Set(coins.map(({ txid }) => txid))]
      const previousTransactions = [...(await Promise.all(txids.map(raw))), ...known]
      return { from, coins, previousTransactions, tipHeight: node.height }
    }

    async function send({ wif }: { wif: string }, built: UnsignedTransaction): Promise<string> {
      const report = signCase(parseCase(formatCase(built)), [wif])
      expect(report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
      known.push(report.hex)
      return (await node.request('sendrawtransaction', [report.hex])) as string
    }

    const { from: owner, ...coinsOfMaker } = await own(maker!)
    const creation = { name: 'ART', supply: 1n, data: `${code}01`, owner }
    const tokenid = await send(maker!, buildTokenCreate({ ...creation, ...coinsOfMaker }))
    const token = { tokenid, units: 1n, price: 50_000n }
    const held = (txid: string, vout: number) => ({ tokenCoins: [{ txid, vout }] })

    const first = await send(
      maker!,
      buildTokenAsk({ ...token, ...(await own(maker!)), ...held(tokenid, 1) }),
    )
    const cancel = { tokenid, order: first, ...(await own(maker!)) }
    const back = await send(maker!, buildTokenCancelAsk(cancel))

    const ask = await send(
      maker!,
      buildTokenAsk({ ...token, ...(await own(maker!)), ...held(back, 0) }),
    )
    const purchase = { ...token, order: ask, ...(await own(other!)) }
    const bought = await send(other!, buildTokenFillAsk(purchase))

    const refused = await send(maker!, buildTokenBid({ ...token, ...(await own(maker!)) }))
    await send(maker!, buildTokenCancelBid({ tokenid, order: refused, ...(await own(maker!)) }))
    const bid = await send(maker!, buildTokenBid({ ...token, ...(await own(maker!)) }))
    const sale = { ...token, order: bid, ...(await own(other!)), ...held(bought, 1) }
    await send(other!, buildTokenFillBid(sale))

    const { balance } = (await node.request('tokenbalance', [tokenid, maker!.pubkey])) as {
      balance: number
    }
    expect(balance).toBe(1)
  },
)
