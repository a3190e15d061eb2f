// Every bit of real token transactions, flipped: none of the results may be taken for what was
// asked. Signatures cover all but themselves, and they are strictly encoded, so nothing is left
// over: the list of harmless flips is empty.

import { expect, test } from 'vitest'

import {
  networks,
  type Report,
  verifyTokenCreate,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import {
  chainTransaction,
  daemonMade,
  keys,
  type MadeTransaction,
  previousTransactions,
  tipHeightOf,
} from '../../support/komodod.ts'
import { acceptedFlips, shareOf } from '../../support/share.ts'
import { madeV2, tokelAncestors } from '../../support/tokeld.ts'

type Check = (hex: string) => Report

function transferChecks({ hex, params }: MadeTransaction, from: string): Check {
  const [tokenid, destination, amount] = params as [string, string, string]
  const intent = {
    tokenid,
    destination,
    amount: BigInt(amount),
    from,
    burn: destination.startsWith('02dead'),
  }
  const evidence = {
    previousTransactions: previousTransactions(hex),
    tokenCreate: chainTransaction(tokenid),
    tipHeight: tipHeightOf(hex),
  }
  return (changed) => verifyTokenTransfer(changed, intent, evidence)
}

function createChecks({ hex, params }: MadeTransaction, supply: bigint): Check {
  const [name, , description = '', data] = params as [string, string, string?, string?]
  const intent = { name, supply, description, owner: keys.A.pubkey, ...(data && { data }) }
  const evidence = {
    previousTransactions: previousTransactions(hex),
    tipHeight: tipHeightOf(hex),
  }
  return (changed) => verifyTokenCreate(changed, intent, evidence)
}

const made = (file: string, index = 0) =>
  daemonMade.filter((item) => item.file.startsWith(file))[index]!
const a = keys.A.pubkey
const b = keys.B.pubkey

const cases: [name: string, hex: string, check: Check][] = [
  ['a partial transfer', made('07-').hex, transferChecks(made('07-'), a)],
  ['a transfer to oneself', made('08-').hex, transferChecks(made('08-'), a)],
  ['a transfer of two coins', made('08-', 1).hex, transferChecks(made('08-', 1), a)],
  ['a transfer without token change', made('09-').hex, transferChecks(made('09-'), a)],
  ['a burn', made('10-', 1).hex, transferChecks(made('10-', 1), b)],
  ['a transfer of a non-fungible token', made('24-', 1).hex, transferChecks(made('24-', 1), a)],
  ['a creation', made('03-').hex, createChecks(made('03-'), 1000n)],
  ['a creation of a non-fungible token', made('24-').hex, createChecks(made('24-'), 1n)],
]

const madeOfV2 = (method: string) => madeV2.find((item) => item.method === method)!

/** The same checks, on tokeld's chain. */
const casesV2: typeof cases = [
  ['a transfer of tokens v2', 'tokenv2transfer'],
  ['a creation of tokens v2', 'tokenv2create'],
].map(([name, method]) => {
  const { hex, params } = madeOfV2(method!)
  const [first, second, third] = params.map(String) as [string, string, string]
  const network = networks.tokel
  const evidence = { previousTransactions: tokelAncestors(hex), tipHeight: tipHeightOf(hex) }
  const transfer = { tokenid: first, destination: second, amount: 100n, from: a, network }
  const creation = { name: first, supply: 1000n, description: third, owner: a, network }
  return [
    name!,
    hex,
    (changed) =>
      method === 'tokenv2create'
        ? verifyTokenCreate(changed, creation, evidence)
        : verifyTokenTransfer(changed, transfer, evidence),
  ]
})

test.each(shareOf([...cases, ...casesV2], 0, 3))('no bit of %s can be flipped', (_, hex, check) => {
  expect(check(hex).ok).toBe(true)
  expect(acceptedFlips(hex, (flipped) => check(flipped).ok).accepted).toEqual([])
})
