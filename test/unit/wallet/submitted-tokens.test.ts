// A request about tokens may have members that the wallet's own requests lack. It is signed
// elsewhere, and `submit` has to tell two of them apart.

import { describe, expect, test } from 'vitest'

import { type Case, networks } from '../../../src/index.ts'
import { createWallet, memoryJournal } from '../../../src/wallet/index.ts'
import { b } from '../../support/sign-tokel.ts'
import { createBaselines, transferBaselines } from '../../support/tokel-baselines.ts'
import * as market from '../../support/tokel-market.ts'
import { recordedSource } from './recorded-source.ts'

const operations = {
  verifyTokenCreate: 'tokencreate',
  verifyTokenTransfer: 'tokentransfer',
} as const

async function submitting(name: string) {
  const baselines = [...createBaselines, ...transferBaselines]
  const { intent, made, verify } = baselines.find((it) => it.name === name)!
  const others = market.everything().filter((it) => it !== made.hex)
  const chain = recordedSource(
    others.map((hex) => ({ hex })),
    market.tipHeight,
  )
  const owner = 'owner' in intent ? intent.owner : intent.from
  const journal = memoryJournal()
  const { tokel: network } = networks
  const wallet = await createWallet({ network, publicKeys: [owner as string], chain, journal })
  const operation = operations[verify as keyof typeof operations]
  const submit = (changes: object, id: string) => {
    const given = { operation, intent: { ...intent, ...changes }, hex: made.hex } as Case
    return wallet.submit(given, { id, allow: ['token_parent_unproven'] })
  }
  return { wallet, journal, submit }
}

describe.each([
  ['several tokens', { tokenids: [market.tokenid] }],
  ['from keys', { fromKeys: { required: 1, pubkeys: [b] } }],
  ['a creation with properties', { properties: { royalty: 999 } }],
])('the request of %s', (name, changes) => {
  test('is another one under the same id once that member is changed', async () => {
    const { submit } = await submitting(name)
    expect(await submit({}, 'rent')).toMatchObject({ status: 'accepted' })
    await expect(submit(changes, 'rent')).rejects.toMatchObject({ code: 'id_conflict' })
  })

  test('is the same one when it comes again, and is passed over by resume', async () => {
    const { wallet, submit } = await submitting(name)
    const first = await submit({}, 'rent')
    expect(await submit({}, 'rent')).toMatchObject({ status: 'accepted', txid: first.txid })
    expect(await wallet.resume()).toEqual([])
  })
})
