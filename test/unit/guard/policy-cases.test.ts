// The table of decisions: what a policy allows, refuses or lets a person confirm, and by which rule.

import { expect, test } from 'vitest'
import { chainModules } from '../../../src/chain/modules.ts'
import { networks } from '../../../src/chain/network.ts'
import type { GuardedEffects, GuardedPayment } from '../../../src/guard/decision.ts'
import { pubkeyHashScript, pubkeyScript } from '../../../src/script/key-script.ts'
import { addressOfScript } from '../../../src/script/script.ts'
import { tokenScript } from '../../../src/token/rules/token-script.ts'
import {
  coin,
  generator,
  generatorHash,
  open,
  otherToken,
  pay,
  payment,
  start,
  strangerHash,
  Time,
  to,
  token,
} from './support.ts'

/** The generator in the form of 65 bytes: SEC 2, section 2.4.1. */
const longGenerator = `04${generator.slice(2)}483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8`
/** The hash in the address of the private key 1 in old wallets: 1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm. */
const longGeneratorHash = '91b24bf9f5288532960ac687abb035127b1d28a5'

const address = addressOfScript(pubkeyHashScript(generator), networks.komodo)!
const testnetAddress = addressOfScript(pubkeyHashScript(generator), networks.komodoTestnet)!
const tokenAddress = addressOfScript(tokenScript(generator), networks.tokel)!
const marker = pubkeyScript(chainModules.find(({ name }) => name === 'TOKENS')!.key!.publicKey)

const minute = 60_000
const hour = 60 * minute

interface Case {
  readonly name: string
  readonly rules: object
  /** Payments that left before, with the minutes that passed since each. */
  readonly before?: readonly { readonly coins: bigint; readonly minutes: number }[]
  readonly effects: Partial<GuardedEffects>
  readonly more?: Partial<GuardedPayment>
  /** Minutes after noon of a Monday. */
  readonly at?: number
  readonly decision: string
}

const limits = (limits: object) => ({ ...open, coins: limits })
const ofToken = (row: object) => ({ ...open, tokens: { [token]: row } })
const allow = (...names: string[]) => ({ ...open, recipients: { allow: names } })
const deny = (...names: string[]) => ({ ...open, recipients: { deny: names } })
const trade = (kind: 'ask' | 'bid' | 'fillAsk' | 'fillBid', units: bigint, price: bigint) => ({
  trade: { kind, tokenid: token, units, price },
})
const toKey = [to(generatorHash, coin)]
const toStranger = [to(strangerHash, coin)]
const p2pk = [
  { asset: 'coins', amount: coin, script: pubkeyScript(generator), keyHashes: [generatorHash] },
]
const tokensToKey = [
  {
    asset: token,
    amount: 5n,
    script: tokenScript(generator),
    keyHashes: [generatorHash],
    address: tokenAddress,
  },
]
const ofScript = (script: string) => [{ asset: 'coins', amount: coin, script, keyHashes: [] }]
const scriptHashScript = `a914${strangerHash}87`
const scriptAddress = addressOfScript(scriptHashScript, networks.komodo)!
const oneOfTwo = [
  { asset: 'coins', amount: coin, script: '51', keyHashes: [generatorHash, strangerHash] },
]

const cases: readonly Case[] = [
  // Limits of one payment
  {
    name: 'a payment without limits',
    rules: open,
    effects: { outflows: toKey },
    decision: 'allow',
  },
  {
    name: 'a payment of exactly the limit',
    rules: limits({ perPayment: '1' }),
    effects: { outflows: toKey },
    decision: 'allow',
  },
  {
    name: 'a payment of one satoshi more',
    rules: limits({ perPayment: '1' }),
    effects: { outflows: [to(generatorHash, coin + 1n)] },
    decision: 'refuse coins.perPayment',
  },
  {
    name: 'two recipients that exceed the limit together',
    rules: limits({ perPayment: '1.5' }),
    effects: { outflows: [...toKey, ...toStranger] },
    decision: 'refuse coins.perPayment',
  },
  {
    name: 'tokens of exactly the limit',
    rules: ofToken({ perPayment: 5 }),
    effects: { outflows: tokensToKey },
    decision: 'allow',
  },
  {
    name: 'one unit of a token more than the limit',
    rules: ofToken({ perPayment: 4 }),
    effects: { outflows: tokensToKey },
    decision: `refuse tokens.${token}.perPayment`,
  },
  {
    name: 'a token that the policy does not name',
    rules: { ...open, tokens: { [otherToken]: { perPayment: 100 } } },
    effects: { outflows: tokensToKey },
    decision: 'refuse tokens',
  },
  {
    name: 'any token where the table is empty',
    rules: { ...open, tokens: {} },
    effects: { outflows: tokensToKey },
    decision: 'refuse tokens',
  },
  // Limits of an hour and a day
  {
    name: 'a payment that fills the hour to the last satoshi, fee included',
    rules: limits({ perHour: '2' }),
    before: [{ coins: coin, minutes: 30 }],
    effects: { outflows: [to(generatorHash, coin - 20_000n)] },
    decision: 'allow',
  },
  {
    name: 'one satoshi above what the hour has left',
    rules: limits({ perHour: '2' }),
    before: [{ coins: coin, minutes: 30 }],
    effects: { outflows: [to(generatorHash, coin - 19_999n)] },
    decision: 'refuse coins.perHour',
  },
  {
    name: 'a payment one millisecond before the first one leaves the hour',
    rules: limits({ perHour: '1.5' }),
    before: [{ coins: coin, minutes: 60 - 1 / minute }],
    effects: { outflows: toKey },
    decision: 'refuse coins.perHour',
  },
  {
    name: 'a payment 60 minutes after the first one',
    rules: limits({ perHour: '1.5' }),
    before: [{ coins: coin, minutes: 60 }],
    effects: { outflows: toKey },
    decision: 'allow',
  },
  {
    name: 'a payment within the day and outside the hour',
    rules: limits({ perHour: '1.5', perDay: '1.5' }),
    before: [{ coins: coin, minutes: 23 * 60 }],
    effects: { outflows: toKey },
    decision: 'refuse coins.perDay',
  },
  {
    name: 'a payment 24 hours after the first one',
    rules: limits({ perDay: '1.5' }),
    before: [{ coins: coin, minutes: 24 * 60 }],
    effects: { outflows: toKey },
    decision: 'allow',
  },
  {
    name: 'a payment to itself, when earlier fees have filled the hour',
    rules: limits({ perHour: '0.00015' }),
    before: [{ coins: 0n, minutes: 1 }],
    effects: { outflows: [] },
    decision: 'refuse coins.perHour',
  },
  {
    name: 'a payment to itself within the limits',
    rules: limits({ perPayment: '0.00001', perHour: '1' }),
    effects: { outflows: [] },
    decision: 'allow',
  },
  // Fees
  {
    name: 'a fee of exactly the limit',
    rules: { ...open, fee: '0.0001' },
    effects: { outflows: toKey },
    decision: 'allow',
  },
  {
    name: 'a fee of one satoshi more',
    rules: { ...open, fee: '0.0001' },
    effects: { outflows: toKey, fee: 10_001n },
    decision: 'refuse fee',
  },
  {
    name: 'a payment to itself that drains the wallet by its fee',
    rules: { ...open, fee: '0.001' },
    effects: { fee: 50n * coin },
    decision: 'refuse fee',
  },
  {
    name: 'a fee that is high for the size',
    rules: { ...open, feePerKilobyte: '0.0001' },
    effects: { outflows: toKey, fee: 2_501n },
    decision: 'refuse feePerKilobyte',
  },
  {
    name: 'a fee of exactly the limit for the size',
    rules: { ...open, feePerKilobyte: '0.0001' },
    effects: { outflows: toKey, fee: 2_500n },
    decision: 'allow',
  },
  // Recipients
  {
    name: 'an allowed public key that is paid by its address',
    rules: allow(generator),
    effects: { outflows: toKey },
    decision: 'allow',
  },
  {
    name: 'an allowed address that is paid as the holder of tokens',
    rules: allow(address),
    effects: { outflows: tokensToKey },
    decision: 'allow',
  },
  {
    name: 'an unknown recipient',
    rules: allow(generator),
    effects: { outflows: toStranger },
    decision: 'refuse recipients.allow',
  },
  {
    name: 'an unknown recipient beside an allowed one',
    rules: allow(generator),
    effects: { outflows: [...toKey, ...toStranger] },
    decision: 'refuse recipients.allow',
  },
  {
    name: 'an allowed key beside a foreign one in a script of either',
    rules: allow(generator),
    effects: { outflows: oneOfTwo },
    decision: 'refuse recipients.allow',
  },
  {
    name: 'a script of no key, where only keys are allowed',
    rules: allow(generator),
    effects: { outflows: ofScript('5151') },
    decision: 'refuse recipients.allow',
  },
  {
    name: 'an allowed script of no key',
    rules: allow('5151'),
    effects: { outflows: ofScript('5151') },
    decision: 'allow',
  },
  {
    name: 'an allowed address of a script',
    rules: allow(generator, scriptAddress),
    effects: { outflows: ofScript(scriptHashScript) },
    decision: 'allow',
  },
  {
    name: 'an allowed address of a key, where the script of the same hash is paid',
    rules: allow(address),
    effects: { outflows: ofScript(`a914${generatorHash}87`) },
    decision: 'refuse recipients.allow',
  },
  {
    name: 'coins for the key of a module, without a new token',
    rules: allow(generator),
    effects: {
      outflows: [{ asset: 'coins', amount: 10_000n, script: marker, keyHashes: [strangerHash] }],
    },
    decision: 'refuse recipients.allow',
  },
  {
    name: 'any recipient where the list is empty',
    rules: allow(),
    effects: { outflows: toKey },
    decision: 'refuse recipients.allow',
  },
  {
    name: 'the other party of an order of the wallet',
    rules: { ...ofToken({ price: { max: '1' } }), recipients: { allow: [generator] } },
    effects: { outflows: toStranger, ...trade('fillAsk', 5n, coin) },
    decision: 'allow',
  },
  {
    name: 'an order of another key, which gets the change and what is bought',
    rules: { ...ofToken({ price: { max: '1' } }), recipients: { allow: [generator] } },
    effects: {
      outflows: toStranger,
      trade: { ...trade('fillAsk', 5n, coin).trade, isForOther: true },
    },
    decision: 'refuse recipients.allow',
  },
  {
    name: 'a denied address that is paid as a public key',
    rules: deny(address),
    effects: { outflows: p2pk },
    decision: 'refuse recipients.deny',
  },
  {
    name: 'a denied public key that is paid by its address',
    rules: deny(generator),
    effects: { outflows: toKey },
    decision: 'refuse recipients.deny',
  },
  {
    name: 'a denied locking script of a key that is paid as a public key',
    rules: deny(pubkeyHashScript(generator)),
    effects: { outflows: p2pk },
    decision: 'refuse recipients.deny',
  },
  {
    name: 'a denied public key as a locking script that is paid by its address',
    rules: deny(pubkeyScript(generator)),
    effects: { outflows: toKey },
    decision: 'refuse recipients.deny',
  },
  {
    name: 'a denied public key that is paid in its form of 65 bytes',
    rules: deny(generator),
    effects: { outflows: [to(longGeneratorHash, coin)] },
    decision: 'refuse recipients.deny',
  },
  {
    name: 'a denied public key of 65 bytes that is paid in its form of 33',
    rules: deny(longGenerator),
    effects: { outflows: toKey },
    decision: 'refuse recipients.deny',
  },
  {
    name: 'an allowed public key of 65 bytes that is paid in its form of 33',
    rules: allow(longGenerator),
    effects: { outflows: toKey },
    decision: 'refuse recipients.allow',
  },
  {
    name: 'a denied public key that holds tokens',
    rules: deny(generator),
    effects: { outflows: tokensToKey },
    decision: 'refuse recipients.deny',
  },
  {
    name: 'a denied address with the prefix of another chain',
    rules: deny(testnetAddress),
    effects: { outflows: toKey },
    decision: 'refuse recipients.deny',
  },
  {
    name: 'a denied token address',
    rules: deny(tokenAddress),
    effects: { outflows: tokensToKey },
    decision: 'refuse recipients.deny',
  },
  {
    name: 'a denied key beside a foreign one in a script of either',
    rules: deny(generator),
    effects: { outflows: oneOfTwo },
    decision: 'refuse recipients.deny',
  },
  {
    name: 'a recipient that another recipient is denied beside',
    rules: deny(generator),
    effects: { outflows: toStranger },
    decision: 'allow',
  },
  // Burns
  {
    name: 'a burn',
    rules: open,
    effects: { outflows: [{ ...tokensToKey[0]!, isBurn: true }] },
    decision: 'refuse burn',
  },
  {
    name: 'a burn that the policy allows, within its limits',
    rules: { ...ofToken({ perPayment: 5 }), burn: true },
    effects: { outflows: [{ ...tokensToKey[0]!, isBurn: true }] },
    decision: 'allow',
  },
  {
    name: 'a burn that the policy allows, above its limits',
    rules: { ...ofToken({ perPayment: 4 }), burn: true },
    effects: { outflows: [{ ...tokensToKey[0]!, isBurn: true }] },
    decision: `refuse tokens.${token}.perPayment`,
  },
  {
    name: 'a burn that the policy allows, beside a list of recipients',
    rules: { ...ofToken({ perPayment: 5 }), burn: true, recipients: { allow: [generator] } },
    effects: { outflows: [{ ...to(strangerHash, 5n, token), isBurn: true }] },
    decision: 'allow',
  },
  // Orders
  {
    name: 'an order that sells all units for one satoshi',
    rules: ofToken({ price: { min: '0.5' } }),
    effects: trade('ask', 1_000n, 1n),
    decision: `refuse tokens.${token}.price.min`,
  },
  {
    name: 'an order that sells at exactly the lowest price',
    rules: ofToken({ price: { min: '0.5' } }),
    effects: trade('ask', 1_000n, 500n * coin),
    decision: 'allow',
  },
  {
    name: 'an order whose price is one satoshi below the bound for many units',
    rules: ofToken({ price: { min: '0.5', per: 1_000 } }),
    effects: trade('fillBid', 1_000n, coin / 2n - 1n),
    decision: `refuse tokens.${token}.price.min`,
  },
  {
    name: 'an order that bids 500 coins for a worthless token',
    rules: ofToken({ price: { max: '0.01' } }),
    effects: trade('bid', 1n, 500n * coin),
    decision: `refuse tokens.${token}.price.max`,
  },
  {
    name: 'an order of a token whose price has no bound',
    rules: open,
    effects: trade('ask', 1n, coin),
    decision: `refuse tokens.${token}.price.min`,
  },
  {
    name: 'an order that buys, where only sales have a bound',
    rules: ofToken({ price: { min: '0.5' } }),
    effects: trade('fillAsk', 1n, coin),
    decision: `refuse tokens.${token}.price.max`,
  },
  {
    name: 'an order that bids more coins than a payment may have',
    rules: { ...ofToken({ price: { max: '10' } }), coins: { perPayment: '5' } },
    effects: trade('bid', 1n, 6n * coin),
    decision: 'refuse coins.perPayment',
  },
  {
    name: 'an order that offers more units than a payment may have',
    rules: ofToken({ perPayment: 9, price: { min: '0.1' } }),
    effects: trade('ask', 10n, 10n * coin),
    decision: `refuse tokens.${token}.perPayment`,
  },
  {
    name: 'an order that fills a bid with more units than a payment may have',
    rules: ofToken({ perPayment: 9, price: { min: '0.1' } }),
    effects: trade('fillBid', 10n, 10n * coin),
    decision: `refuse tokens.${token}.perPayment`,
  },
  {
    name: 'an order that buys for more coins than a payment may have',
    rules: { ...ofToken({ price: { max: '10' } }), coins: { perPayment: '5' } },
    effects: trade('fillAsk', 1n, 6n * coin),
    decision: 'refuse coins.perPayment',
  },
  {
    name: 'an order that bids exactly the highest price for many units',
    rules: ofToken({ price: { max: '0.5', per: 1_000 } }),
    effects: trade('bid', 2_000n, coin),
    decision: 'allow',
  },
  {
    name: 'an order that bids one satoshi more than the highest price for many units',
    rules: ofToken({ price: { max: '0.5', per: 1_000 } }),
    effects: trade('bid', 2_000n, coin + 1n),
    decision: `refuse tokens.${token}.price.max`,
  },
  {
    name: 'the end of a bid whose price has no bound',
    rules: open,
    effects: { trade: { kind: 'cancelBid', tokenid: token, units: 0n, price: 0n } },
    decision: 'allow',
  },
  {
    name: 'the end of an order of a token that the policy does not name',
    rules: { ...open, tokens: { [otherToken]: { perPayment: 100 } } },
    effects: { trade: { kind: 'cancelAsk', tokenid: token, units: 0n, price: 0n } },
    decision: 'refuse tokens',
  },
  {
    name: 'the end of an order whose price has no bound',
    rules: open,
    effects: { trade: { kind: 'cancelAsk', tokenid: token, units: 0n, price: 0n } },
    decision: 'allow',
  },
  {
    name: 'a new token, whose marker pays the key of the module',
    rules: allow(generator),
    effects: {
      created: 100n,
      outflows: [{ asset: 'coins', amount: 10_000n, script: marker, keyHashes: [strangerHash] }],
    },
    decision: 'allow',
  },
  {
    name: 'a new token beside coins for an unknown recipient',
    rules: allow(generator),
    effects: { created: 100n, outflows: toStranger },
    decision: 'refuse recipients.allow',
  },
  {
    name: 'a new token of more coins than a payment may have',
    rules: limits({ perPayment: '1' }),
    effects: { created: coin + 1n },
    decision: 'refuse coins.perPayment',
  },
  // Hours
  {
    name: 'a payment in the first minute of quiet hours',
    rules: { ...open, quietHours: [{ from: '22:00', to: '06:00' }] },
    effects: { outflows: toKey },
    at: 10 * 60,
    decision: 'refuse quietHours',
  },
  {
    name: 'a payment in the first minute after quiet hours',
    rules: { ...open, quietHours: [{ from: '22:00', to: '06:00' }] },
    effects: { outflows: toKey },
    at: 18 * 60,
    decision: 'allow',
  },
  {
    name: 'a payment after midnight, in hours that began on a quiet day',
    rules: { ...open, quietHours: [{ from: '22:00', to: '06:00', days: ['mon'] }] },
    effects: { outflows: toKey },
    at: 13 * 60,
    decision: 'refuse quietHours',
  },
  {
    name: 'a payment on a day without quiet hours',
    rules: { ...open, quietHours: [{ from: '22:00', to: '06:00', days: ['sat', 'sun'] }] },
    effects: { outflows: toKey },
    at: 11 * 60,
    decision: 'allow',
  },
  // Confirmation
  {
    name: 'a payment of exactly what needs no confirmation',
    rules: { ...limits({ confirmAbove: '1' }), confirm: { command: ['/bin/true'] } },
    effects: { outflows: toKey },
    decision: 'allow',
  },
  {
    name: 'a payment of one satoshi more than needs no confirmation',
    rules: { ...limits({ confirmAbove: '1' }), confirm: { command: ['/bin/true'] } },
    effects: { outflows: [to(generatorHash, coin + 1n)] },
    decision: 'confirm coins.confirmAbove',
  },
  {
    name: 'a payment that needs a confirmation and breaks a limit',
    rules: {
      ...limits({ confirmAbove: '0.5', perPayment: '0.9' }),
      confirm: { command: ['/bin/true'] },
    },
    effects: { outflows: toKey },
    decision: 'refuse coins.perPayment',
  },
  // Users
  {
    name: "a payment of a user within everyone's limits and above the user's",
    rules: {
      ...open,
      users: { alice: { password: hash(), coins: { perPayment: '0.5' } } },
    },
    effects: { outflows: toKey },
    more: { user: 'alice' },
    decision: 'refuse users.alice.coins.perPayment',
  },
  {
    name: "a payment of a user within the user's limits and above everyone's",
    rules: {
      ...limits({ perPayment: '0.5' }),
      users: { alice: { password: hash(), coins: { perPayment: '5' } } },
    },
    effects: { outflows: toKey },
    more: { user: 'alice' },
    decision: 'refuse coins.perPayment',
  },
  {
    name: "an order of a user within everyone's bounds of the price",
    rules: { ...ofToken({ price: { max: '1' } }), users: { alice: { password: hash() } } },
    effects: trade('bid', 1n, coin),
    more: { user: 'alice' },
    decision: 'allow',
  },
  {
    name: "an order of a user for a token that the user's limits do not name",
    rules: {
      ...ofToken({ price: { max: '1' } }),
      users: { alice: { password: hash(), tokens: { [otherToken]: { perPayment: 5 } } } },
    },
    effects: trade('bid', 1n, coin),
    more: { user: 'alice' },
    decision: 'refuse users.alice.tokens',
  },
  {
    name: 'a payment of a user that the policy does not name',
    rules: { ...open, users: { alice: { password: hash() } } },
    effects: { outflows: toKey },
    more: { user: 'mallory' },
    decision: 'refuse users',
  },
]

/** A stored form of a password. Its digits decide nothing here. */
function hash(): string {
  return `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
}

test('the table has at least 40 cases, each with a name of its own', () => {
  expect(cases.length).toBeGreaterThanOrEqual(40)
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
})

test.each(cases)(
  '$name: $decision',
  async ({ rules, before = [], effects, more, at, decision }) => {
    const time = new Time()
    const guard = await start(rules, { time })
    const longest = Math.max(0, ...before.map(({ minutes }) => minutes))
    let passed = 0
    for (const { coins, minutes } of before) {
      time.pass((longest - minutes) * minute - passed)
      passed = (longest - minutes) * minute
      const earlier = payment({ outflows: coins === 0n ? [] : [to(strangerHash, coins)] })
      expect(await pay(guard, earlier)).toBe('allow')
    }
    time.pass(longest * minute - passed)
    if (at !== undefined) time.pass(at * minute)
    expect(await pay(guard, payment(effects, more))).toBe(decision)
  },
)

test('an hour is one of any 60 minutes, so the turn of the clock opens nothing', async () => {
  const time = new Time()
  const guard = await start(limits({ perHour: '1.5' }), { time })
  time.pass(59 * minute)
  expect(await pay(guard, payment({ outflows: toKey }))).toBe('allow')
  time.pass(2 * minute)
  expect(await pay(guard, payment({ outflows: toKey }))).toBe('refuse coins.perHour')
  time.pass(hour - 2 * minute)
  expect(await pay(guard, payment({ outflows: toKey }))).toBe('allow')
})
