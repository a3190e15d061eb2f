// How often a verdict crosses to the engine: each crossing has a price, however little it carries.
// The first verdict of a process, when no key is known yet, is counted by modules made anew. They
// have an engine of their own, and what is called of those that this file imports is not counted.

import { expect, test, vi } from 'vitest'

import {
  decodeTransaction,
  type Evidence,
  networks,
  type TransferIntent,
  transactionId,
} from '../../../src/index.ts'
import { keys } from '../../support/komodod.ts'
import { putModulesBack } from '../../support/own-modules.ts'
import {
  c,
  evidenceFor,
  privateKeys,
  transfer,
  transferCases,
  transferHex,
  transferIntent,
} from '../../support/resigned.ts'
import { shareOf } from '../../support/share.ts'
import { sign } from '../../support/sign.ts'
import {
  createBaselines,
  orderBaselines,
  transferBaselines,
} from '../../support/tokel-baselines.ts'
import { hexOf, tipHeight } from '../../support/tokel-market.ts'
import { madeV2, tokelAncestors } from '../../support/tokeld.ts'

putModulesBack()

interface Checked {
  readonly hex: string
  readonly intent: TransferIntent
  readonly evidence: Evidence
}

const recorded = { hex: transferHex, intent: transferIntent, evidence: evidenceFor(transfer, 12) }
const { txid } = transfer
const attacks = transferCases.map(([what, change]): [string, Checked] => {
  const tx = change(transfer)
  const hex = sign({ tx }, { keys: privateKeys })
  return [what, { hex, intent: transferIntent, evidence: evidenceFor(tx, 12) }]
})
const recordedV2 = transferV2()

function transferV2(): Checked {
  const { hex, params } = madeV2.find(({ note }) => note === 'v2 A->B by pubkey')!
  const [tokenid, destination] = params.map(String) as [string, string]
  const intent = { tokenid, destination, amount: 100n, from: keys.A.pubkey }
  const isCreation = (raw: string) => transactionId(raw) === tokenid
  const isSpent = (raw: string) => hex.includes(transactionId(raw).match(/../g)!.reverse().join(''))
  const previousTransactions = tokelAncestors(hex).filter((raw) => isCreation(raw) || isSpent(raw))
  return {
    hex,
    intent: { ...intent, network: networks.tokel },
    evidence: { previousTransactions, tipHeight: 100 },
  }
}

/** Modules made anew take longer than what they are asked here, so a quick run tries one of so many. */
const fewAnew = 17

const crossings: string[] = []

/** The library as a process has it that has just started, its engine's functions counted. */
async function anew() {
  vi.resetModules()
  const { startEngine } = await import('../../../src/engine/call.ts')
  const engine = startEngine().engine as unknown as Record<string, unknown>
  for (const [name, original] of Object.entries(engine)) {
    if (typeof original !== 'function' || name === 'makeScratch') continue
    engine[name] = (...args: unknown[]): unknown => {
      crossings.push(name)
      return Reflect.apply(original, engine, args)
    }
  }
  return import('../../../src/index.ts')
}

/** Returns the calls into the engine for the first and the second verification, with known keys. */
async function crossingsOf({ hex, intent, evidence }: Checked): Promise<[string[], string[]]> {
  const { verifyTokenTransfer } = await anew()
  const verdict = () => {
    crossings.length = 0
    verifyTokenTransfer(hex, intent, evidence)
    return [...crossings]
  }
  const counted: [string[], string[]] = [verdict(), verdict()]
  // whatever else happens, it is decoded: this counts what it says it does
  for (const names of counted) expect(names).toContain('decodeWithTxid')
  return counted
}

test('a verdict on a transfer crosses to the engine a few times, and less once keys are known', async () => {
  const [first, second] = await crossingsOf(recorded)
  expect(first.length, first.join(' ')).toBeLessThanOrEqual(6)
  expect(second.length, second.join(' ')).toBeLessThanOrEqual(4)
})

test('a transfer to a wrong destination crosses as seldom', async () => {
  const [first] = await crossingsOf({ ...recorded, intent: { ...transferIntent, destination: c } })
  expect(first.length, first.join(' ')).toBeLessThanOrEqual(8)
})

test.each(shareOf(attacks, 0, fewAnew))(
  'a verification crosses seldom although %s',
  async (_, checked) => {
    const [first] = await crossingsOf(checked)
    expect(first.length, first.join(' ')).toBeLessThanOrEqual(8)
  },
)

test('a transfer of tokens v2 crosses as seldom', async () => {
  const [first, second] = await crossingsOf(recordedV2)
  expect(first.length, first.join(' ')).toBeLessThanOrEqual(8)
  expect(second.length, second.join(' ')).toBeLessThanOrEqual(6)
})

/** The first verdict makes the scripts of all parties and tokens, which are remembered. */
const firstAtMost = (name: string): number => {
  if (name === 'several tokens') return 14
  if (createBaselines.some((it) => it.name === name)) return 8
  // An address may belong to a key or a module's condition that must not be paid: the verifier
  // computes those addresses once.
  return transferBaselines.some((it) => it.name === name) ? 10 : 12
}

/** Each transaction of the evidence is decoded by itself: what comes beside that is counted. */
test.each(shareOf([...createBaselines, ...orderBaselines, ...transferBaselines], 0, fewAnew))(
  'any other transaction of tokeld crosses as seldom: $name',
  async ({ name, made, intent, evidence, verify }) => {
    const library = await anew()
    const spent = new Set(made.tx.inputs.map(({ txid }) => hexOf(txid)))
    const order = 'order' in intent ? [hexOf(intent.order)] : []
    const previousTransactions = [...new Set([...spent, ...order, evidence.tokenCreate!])]
    const given = new Set(previousTransactions.map(transactionId))
    const isChecked = (hex: string) =>
      decodeTransaction(hex).inputs.some(({ txid }) => given.has(txid))
    const verdict = () => {
      crossings.length = 0
      const check = library[verify] as typeof library.verifyTokenTransfer
      check(made.hex, intent as TransferIntent, { previousTransactions, tipHeight })
      // nor the signatures of those whose own parents are here
      return (
        crossings.length -
        previousTransactions.length -
        previousTransactions.filter(isChecked).length
      )
    }
    const first = verdict()
    expect(crossings).toContain('verifyInputs')
    expect(first, crossings.join(' ')).toBeLessThanOrEqual(firstAtMost(name))
    expect(verdict(), crossings.join(' ')).toBeLessThanOrEqual(name === 'several tokens' ? 7 : 5)
  },
)

test.each(
  shareOf(
    madeV2.map(({ note, hex }) => [note, hex] as const),
    0,
    fewAnew,
  ),
)(
  'reading a transaction of tokens v2 crosses as often however many outputs it has: %s',
  async (_, hex) => {
    const { decodeTokenTransaction } = await anew()
    crossings.length = 0
    decodeTokenTransaction(hex)
    expect(crossings).toContain('decodeTransaction')
    for (const name of ['readConditionScripts', 'describeScripts', 'encodeAddresses']) {
      expect(crossings.filter((it) => it === name).length, name).toBeLessThanOrEqual(1)
    }
    expect(crossings.length, crossings.join(' ')).toBeLessThanOrEqual(10)
  },
)

test('a decoded transaction repeats its txid without another call', async () => {
  const { decodeTransaction } = await anew()
  const tx = decodeTransaction(transferHex)
  expect(crossings).toContain('decodeTransaction')
  crossings.length = 0
  expect(tx.txid).toBe(txid)
  const first = crossings.length
  expect(first).toBeLessThanOrEqual(1)
  expect(tx.txid).toBe(txid)
  expect(crossings).toHaveLength(first)
})
