// Pages of the history. Anyone can make transactions that a source lists and that pay the wallet
// nothing.

import { expect, test } from 'vitest'

import { encodeTransaction, publicKeyOf } from '../../../src/index.ts'
import { pubkeyHashScript } from '../../../src/script/key-script.ts'
import { createWallet } from '../../../src/wallet/index.ts'
import { recordedSource } from './recorded-source.ts'
import { tampered } from './support.ts'

const pubkey = publicKeyOf('7'.padStart(64, '0'))
const own = pubkeyHashScript(pubkey)
/** Locked until a block that is far away, and then by the key of the wallet. */
const locked = `0400e1f505b17521${pubkey}ac`

function paying(script: string, at: number) {
  // The height of a coinbase makes its txid another one.
  const scriptSig = `02${at.toString(16).padStart(4, '0')}`
  const hex = encodeTransaction({
    ...{ version: 1, overwintered: false, lockTime: 0 },
    inputs: [{ txid: '00'.repeat(32), vout: 0xffffffff, scriptSig, sequence: 0xffffffff }],
    outputs: [{ value: 1000n, script }],
  })
  return { hex, height: at }
}

/** A history in which `count` outputs that pay the wallet nothing follow each own one. */
async function historyOf(payments: number, count: number) {
  const transactions = Array.from({ length: payments * (count + 1) }, (_, at) =>
    paying(at % (count + 1) === 0 ? own : locked, at + 1),
  )
  const source = recordedSource(transactions, 10_000)
  let calls = 0
  const chain = tampered(source, {
    history: (scripts, options) => source.history([...scripts, locked], options),
    async transactions(txids, options) {
      calls += 1
      return source.transactions(txids, options)
    },
  })
  const wallet = await createWallet({ publicKeys: [pubkey], chain })
  return { wallet, callsOf: () => calls }
}

test('a page is filled behind outputs that pay the wallet nothing', async () => {
  const { wallet, callsOf } = await historyOf(5, 120)
  const heights: (number | undefined)[] = []
  let before: string | undefined
  for (;;) {
    const page = await wallet.history({ limit: 2, ...(before !== undefined && { before }) })
    if (page.length === 0) break
    expect(page.length).toBe(heights.length < 4 ? 2 : 1)
    heights.push(...page.map(({ height }) => height))
    before = page.at(-1)!.txid
  }
  expect(heights).toEqual([485, 364, 243, 122, 1])
  // Pages of one transaction each would take 605 calls.
  expect(callsOf()).toBeLessThan(60)
  expect(await wallet.history({ limit: 0 })).toEqual([])
})

test('a source that gives no bytes of the newest transactions empties no page', async () => {
  const { hex, height } = paying(own, 1)
  const source = recordedSource([{ hex, height }], 10_000)
  const invented = Array.from({ length: 200 }, (_, at) => {
    return { txid: (at + 1).toString(16).padStart(64, 'f'), height: at + 2 }
  })
  const chain = tampered(source, {
    history: async (scripts, options) => [...(await source.history(scripts, options)), ...invented],
  })
  const wallet = await createWallet({ publicKeys: [pubkey], chain })
  expect((await wallet.history()).map((entry) => entry.height)).toEqual([1])
})
