// Proofs that a transaction is in a block, as the daemon gives and checks them, and the forms of a
// txid that its outputs are looked up by.

import { expect, test } from 'vitest'
import { useDevNode } from '../../src/node/vitest.ts'
import { parent, reversed } from '../support/merkle.ts'

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

const [one, other] = ['11'.repeat(32), '22'.repeat(32)]
const noFlags = { count: '01000000', hashes: [one], flags: '' }

/**
 * Asks for a tree whose root stands in its header. That of a block which nobody has is an error, so an
 * empty list is about the tree.
 */
async function answerTo(root: string, { count, hashes, flags }: typeof noFlags): Promise<unknown> {
  const { proof } = await provenPayment()
  const header = `${proof.slice(0, 72)}${root}${proof.slice(136, headerDigits)}`
  const sizes = [hashes.length, flags.length / 2].map((it) => it.toString(16).padStart(2, '0'))
  return ask(
    'verifytxoutproof',
    `${header}${count}${sizes[0]}${hashes.join('')}${sizes[1]}${flags}`,
  )
}

// komodo src/merkleblock.cpp, ExtractMatches.
test.each([
  ['no transactions', one, { count: '00000000', hashes: [one], flags: '00' }],
  ['69,906 transactions', one, { count: '12110100', hashes: [one], flags: '00' }],
  ['a byte of flags too many', one, { count: '01000000', hashes: [one], flags: '0000' }],
  ['no flags', one, noFlags],
  ['a hash too many', one, { count: '03000000', hashes: [one, other], flags: '00' }],
  [
    'two equal branches',
    reversed(parent(one, one)),
    { count: '02000000', hashes: [one, one], flags: '07' },
  ],
  ['another root', other, { count: '01000000', hashes: [one], flags: '00' }],
])('a tree of %s is answered with an empty list', async (_, root, tree) => {
  expect(await answerTo(root, tree)).toEqual([])
})

test.each([
  ['69,905 transactions', one, { count: '11110100', hashes: [one], flags: '00' }],
  [
    'two branches',
    reversed(parent(one, other)),
    { count: '02000000', hashes: [one, other], flags: '07' },
  ],
])('a tree of %s is looked for in the chain', async (_, root, tree) => {
  await expect(answerTo(root, tree)).rejects.toMatchObject({ code: -5 })
})

test('a changed hash is answered with an empty list, although the block is in the chain', async () => {
  const { proof } = await provenPayment()
  const at = headerDigits + 10
  const changed = `${proof.slice(0, at)}${one}${proof.slice(at + 64)}`
  expect(await ask('verifytxoutproof', changed)).toEqual([])
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
