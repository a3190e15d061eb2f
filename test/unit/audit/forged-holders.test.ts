// Outputs that look as if a key held them. Other keys can spend them, or must sign as well.

import { expect, test } from 'vitest'

import { balancesOfOwner, holdersOf, tokensIn } from '../../../src/audit/queries.ts'
import { run } from '../../../src/cli/run.ts'
import {
  burnPublicKeys,
  type ConditionTree,
  conditionScript,
  decodeTokenTransaction,
  decodeTransaction,
  encodeTransaction,
} from '../../../src/index.ts'
import { ledgerOf, many, network, noSqlite } from '../../support/ledgers.ts'
import { describeUnless } from '../../support/skip.ts'

const alice = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'
const bob = '02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275'
const burned = burnPublicKeys.tokel

const key = (publicKey: string): ConditionTree => ({ type: 'secp256k1-sha-256', publicKey })
const tokens: ConditionTree = { type: 'eval-sha-256', code: 'f5' }
const threshold = (count: number, subconditions: readonly ConditionTree[]): ConditionTree => ({
  type: 'threshold-sha-256',
  threshold: count,
  subconditions,
})

/** The form in which tokeld names keys beside a condition. */
function naming(tree: ConditionTree, m: number, pubkeys: readonly string[]): string {
  const params = { version: 2, evalCode: 0xf5, m, n: pubkeys.length, pubkeys, data: [] }
  return conditionScript(tree, { form: 'M', params })
}

/** Returns the hex of a recorded transfer whose 21 units are paid to a script. */
function payingTo(script: string): string {
  const transfer = decodeTransaction(many.at(-1)!.hex)
  const outputs = transfer.outputs.with(0, { value: 21n, script })
  return encodeTransaction({ ...transfer, outputs })
}

async function ledgerPayingTo(script: string) {
  const { database } = await ledgerOf(
    [...many.slice(0, -1), { height: 0, hex: payingTo(script) }],
    false,
  )
  const { tokenid } = tokensIn(database)[0]!
  const paid = holdersOf(database, tokenid, network).filter(({ amount }) => amount === 21n)
  return { database, paid }
}

async function decoded(script: string): Promise<string> {
  const output: string[] = []
  await run(['decode', payingTo(script), '--network', 'tokel'], {
    print: (text) => void output.push(text),
    printError: () => undefined,
    readStdin: async () => '',
    isInteractive: false,
    hasColor: false,
  })
  return output.join('')
}

describeUnless(noSqlite)('a holder', () => {
  test.each([
    ['the burn key, or bob', 2, [tokens, threshold(1, [key(burned)]), key(bob)], burned],
    ['the burn key, or anyone', 1, [tokens, threshold(1, [key(burned)])], burned],
    ['alice, or bob', 2, [tokens, threshold(1, [key(alice)]), key(bob)], alice],
    ['alice together with bob', 3, [tokens, threshold(1, [key(alice)]), key(bob)], alice],
  ])(
    'is not the key that a condition names where %s can spend',
    async (_, count, members, named) => {
      const script = naming(threshold(count, members), 1, [named])
      const { database, paid } = await ledgerPayingTo(script)
      expect(paid).toMatchObject([{ isBurned: false }])
      expect(paid[0]!.holder).not.toContain(named)
      const counted = balancesOfOwner(database, named, network).flatMap(({ outputs }) => outputs)
      expect(counted).not.toContainEqual(expect.objectContaining({ amount: 21n }))
      const [first] = decodeTokenTransaction(payingTo(script), network)!.outputs
      expect(first).toMatchObject({ role: 'destination' })
      expect(first).not.toHaveProperty('pubkeys')
    },
  )

  test('two keys that spend units together are named as two, neither alone', async () => {
    const script = naming(threshold(2, [tokens, threshold(2, [key(alice), key(bob)])]), 2, [
      alice,
      bob,
    ])
    const { paid } = await ledgerPayingTo(script)
    expect(paid.map(({ holder }) => holder)).toEqual([`2 of ${alice} ${bob}`])
    const [first] = decodeTokenTransaction(payingTo(script), network)!.outputs
    expect(first).toMatchObject({ pubkeys: [alice, bob], required: 2 })
    expect(await decoded(script)).toContain(`[0] 21 destination 2 of ${alice}, ${bob}\n`)
  })

  test('two keys that can each spend units are named as one or the other', async () => {
    const script = naming(threshold(2, [tokens, threshold(1, [key(alice), key(bob)])]), 1, [
      alice,
      bob,
    ])
    const { paid } = await ledgerPayingTo(script)
    expect(paid.map(({ holder }) => holder)).toEqual([`${alice} ${bob}`])
    expect(await decoded(script)).toContain(`[0] 21 token-change ${alice} or ${bob}\n`)
  })
})
