// The work of a proof that a hostile source keeps open: a long history costs it nothing to invent.

import { expect, test } from 'vitest'

import {
  decodeTokenTransaction,
  decodeTransaction,
  encodeTokenPayload,
  encodeTransaction,
  networks,
  publicKeyOf,
  tokenScript,
  transactionId,
} from '../../../src/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import { proveCoins } from '../../../src/wallet/proofs.ts'
import { createKnownTransactions } from '../../../src/wallet/transactions.ts'
import { sent } from '../../support/token-chains.ts'

const pubkey = publicKeyOf('7'.padStart(64, '0'))
const tokenid = 'aa'.repeat(32)

/** A scriptSig that spends tokens, of a real transfer: its signature signs no other one. */
async function tokenScriptSig(): Promise<string> {
  const node = await createDevNode({ listen: false })
  const created = await sent(node, 'tokencreate', ['GOLD', '0.00001', 'one'])
  const moved = await sent(node, 'tokentransfer', [created, node.identities[1]!.pubkey, '400'])
  const hex = (await node.request('getrawtransaction', [moved])) as string
  await node.close()
  const { inputs = [] } = decodeTokenTransaction(hex) ?? {}
  const at = inputs.findIndex(({ role }) => role === 'token')
  return decodeTransaction(hex).inputs[at]!.scriptSig
}

/** Proves the last of so many transfers, one after the other, of a creation that nobody has. */
async function proveChain(depth: number, scriptSig: string) {
  const hexes = new Map<string, string>()
  let last = 'bb'.repeat(32)
  for (let left = depth; left > 0; left -= 1) {
    const payload = {
      layout: 'komodo-v1',
      kind: 'transfer',
      tokenid,
      pubkeys: [pubkey],
      extras: [],
    }
    const hex = encodeTransaction({
      version: 4,
      overwintered: true,
      versionGroupId: 0x892f2085,
      lockTime: 0,
      expiryHeight: 0,
      inputs: [{ txid: last, vout: 0, scriptSig, sequence: 0 }],
      outputs: [
        { value: 5n, script: tokenScript(pubkey) },
        { value: 0n, script: encodeTokenPayload(payload as never) },
      ],
    })
    last = transactionId(hex)
    hexes.set(last, hex)
  }
  let [asked, reads] = [0, 0]
  const known = createKnownTransactions({
    async transactions(txids: readonly string[]) {
      asked += txids.length
      return txids.map((txid) => hexes.get(txid))
    },
  } as never)
  const counted = {
    ...known,
    get(txid: string) {
      reads += 1
      return known.get(txid)
    },
  }
  const coin = { txid: last, vout: 0 }
  const context = { known: counted, network: networks.assetChain }
  const { verdictOf } = await proveCoins(tokenid, [coin], context, {})
  return { verdict: verdictOf(coin), asked, reads }
}

test('a history without a beginning takes work in proportion to its length', async () => {
  const scriptSig = await tokenScriptSig()
  for (const depth of [300, 600]) {
    const { verdict, asked, reads } = await proveChain(depth, scriptSig)
    expect(verdict).toBe('open')
    // Every transfer, its missing first parent, and the creation.
    expect(asked).toBe(depth + 2)
    expect(reads / depth).toBeLessThan(40)
  }
})
