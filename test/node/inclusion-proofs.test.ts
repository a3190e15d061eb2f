// Proofs that a transaction is in a block, as the daemon gives and checks them, and the forms of a
// txid that its outputs are looked up by.

import { expect, test } from 'vitest'
import { useDevNode } from '../../src/node/vitest.ts'

const node = useDevNode({ time: 1_800_000_000, mine: 'manual' })
const ask = (method: string, ...params: unknown[]) => node().request(method, params)

/** Hex digits of the 140 bytes and the solution of 36 that come before the tree. */
const headerDigits = 2 * (140 + 1 + 36)

/** Pays several times in one block, and proves the first payment. */
async function provenPayment(): Promise<{ txid: string; proof: string; block: string }> {
  const address = await ask('getnewaddress')
  const [txid] = [await ask('sendtoaddress', address, 1), await ask('sendtoaddress', address, 2)]
  const [block] = node().mine()
  const proof = (await ask('gettxoutproof', [txid])) as string
  return { txid: txid as string, proof, block: block! }
}

// komodo src/rpc/rawtransaction.cpp, verifytxoutproof: `chainActive.Contains`.
test('a block beside the best chain proves nothing, until it is in the chain again', async () => {
  const { txid, proof, block } = await provenPayment()
  expect(await ask('verifytxoutproof', proof)).toEqual([txid])
  await ask('invalidateblock', block)
  await expect(ask('verifytxoutproof', proof)).rejects.toMatchObject({
    code: -5,
    message: expect.stringContaining('Block not found in chain'),
  })
  await ask('reconsiderblock', block)
  expect(await ask('verifytxoutproof', proof)).toEqual([txid])
})

test('a proof of a block that the node never met proves nothing', async () => {
  const { proof } = await provenPayment()
  const changed = `05${proof.slice(2)}`
  await expect(ask('verifytxoutproof', changed)).rejects.toMatchObject({ code: -5 })
})

// komodo src/merkleblock.cpp, ExtractMatches.
test('a tree that no node makes is answered with an empty list', async () => {
  const { proof } = await provenPayment()
  const header = proof.slice(0, headerDigits)
  const [tree, flags] = [proof.slice(headerDigits, -4), proof.slice(-2)]
  const hashes = Number.parseInt(tree.slice(8, 10), 16)
  const more = (hashes + 1).toString(16).padStart(2, '0')
  const trees = [
    ['no transactions', `00000000${tree.slice(8)}01${flags}`],
    ['too many transactions', `ffffffff${tree.slice(8)}01${flags}`],
    ['a byte of flags too many', `${tree}02${flags}00`],
    ['no flags', `${tree}00`],
    ['a hash too many', `${tree.slice(0, 8)}${more}${tree.slice(10)}${'11'.repeat(32)}01${flags}`],
    ['a changed hash', `${tree.slice(0, 10)}${'11'.repeat(32)}${tree.slice(74)}01${flags}`],
    ['two equal branches', `02000000${'02'}${'22'.repeat(64)}0107`],
  ]
  for (const [name, changed] of trees) {
    expect(await ask('verifytxoutproof', header + changed), name).toEqual([])
  }
  const root = `${header.slice(0, 72)}${'33'.repeat(32)}${header.slice(136)}`
  expect(await ask('verifytxoutproof', root + proof.slice(headerDigits))).toEqual([])
})

test.each([
  ['within its header', (proof: string) => proof.slice(0, 100)],
  ['after its header', (proof: string) => proof.slice(0, headerDigits)],
  ['within its hashes', (proof: string) => proof.slice(0, headerDigits + 30)],
])('a proof that ends %s is an error', async (_, cut) => {
  const { proof } = await provenPayment()
  await expect(ask('verifytxoutproof', cut(proof))).rejects.toMatchObject({ code: -1 })
})

// komodo src/rpc/blockchain.cpp, gettxout: `uint256S` of the text.
test('an output is found by every form of a txid that the daemon reads', async () => {
  const { txid } = await provenPayment()
  const output = await ask('gettxout', txid, 0)
  expect(output).toMatchObject({ confirmations: 1 })
  const forms = [txid.toUpperCase(), `0x${txid}`, ` \t${txid}`, `ab${txid}`, `${txid}, and more`]
  for (const form of forms) expect(await ask('gettxout', form, 0), form).toEqual(output)
  for (const form of ['', 'x', txid.slice(2)]) expect(await ask('gettxout', form, 0)).toBeNull()
})
