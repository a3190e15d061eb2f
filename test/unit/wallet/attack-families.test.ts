// Every attack of the threat model through the wallet. A wallet builds what it signs, so bytes of
// others reach it in two ways: as what another machine signed, and in a journal that somebody
// edited. Neither may be signed or sent.

import { describe, expect, test } from 'vitest'

import { type Case, decodeTransaction, encodeTransaction, networks } from '../../../src/index.ts'
import { decodeRecord, encodeRecord } from '../../../src/journal/records.ts'
import { scriptHashOf } from '../../../src/script/key-script.ts'
import { createWallet, type KeySigner, memoryJournal } from '../../../src/wallet/index.ts'
import { type Given, hex, intent, rejected, tipHeight } from '../../support/attacks.ts'
import { ancestors, previousTransactions } from '../../support/komodod.ts'
import * as payments from '../../support/payments.ts'
import { type PaymentSigning, signPayment } from '../../support/payments.ts'
import {
  a,
  type Change,
  create,
  createCases,
  createIntent,
  privateKeys,
  transfer,
  unchanged,
} from '../../support/resigned.ts'
import { shareOf } from '../../support/share.ts'
import { sign } from '../../support/sign.ts'
import {
  createBaselines,
  orderBaselines,
  transferBaselines,
} from '../../support/tokel-baselines.ts'
import { resigned, rowsOf } from '../../support/tokel-changes.ts'
import * as market from '../../support/tokel-market.ts'
import { chain as komodod } from '../../support/vectors.ts'
import { type RecordedSource, recordedSource } from './recorded-source.ts'

const from = intent.from!

/** A key that counts how often it is asked to sign. */
function countingSigner(publicKey: string): KeySigner & { readonly asked: () => number } {
  let asked = 0
  const sign = (): Promise<string> => {
    asked += 1
    return Promise.reject(new Error('declined'))
  }
  return { publicKey, sign, asked: () => asked }
}

/** A source that has the chain of the transfer, and gives the bytes that an attack reports. */
function sourceOf({ hex: attack, evidence }: Given): RecordedSource {
  const chain = new Set([...descent(attack), ...descent(hex)])
  const reported = evidence?.previousTransactions
  const answers = new Map<string, string | undefined>()
  if (reported !== undefined) {
    for (const [at, parent] of previousTransactions(hex).entries()) {
      answers.set(decodeTransaction(parent).txid, reported[at])
    }
    for (const made of reported) answers.set(decodeTransaction(made).txid, made)
  }
  return recordedSource(
    [...chain].map((made) => ({ hex: made })),
    tipHeight,
    answers,
  )
}

function descent(of: string): string[] {
  try {
    return ancestors(of)
  } catch {
    return []
  }
}

const caseOf = ({ hex: attack, intent: changed }: Given): Case =>
  ({ operation: 'tokentransfer', intent: { ...intent, ...changed }, hex: attack }) as Case

/** A request for another chain goes to a wallet of that chain. */
const networkOf = ({ intent: changed }: Given) => changed?.network ?? networks.assetChain

test('the transfer itself is sent', async () => {
  const chain = sourceOf({ hex })
  const wallet = await createWallet({ publicKeys: [from], chain })
  expect(await wallet.submit(caseOf({ hex }))).toMatchObject({ status: 'accepted' })
  expect(chain.sent).toEqual([hex])
})

describe('as what another machine signed', () => {
  test.each(shareOf(rejected))('%i, %s: is neither signed nor sent', async (_, __, given, code) => {
    const attack = given()
    const chain = sourceOf(attack)
    const signer = countingSigner(from)
    const wallet = await createWallet({ network: networkOf(attack), signers: [signer], chain })
    const { status, report } = await wallet.submit(caseOf(attack))
    expect(status).toBe('rejected')
    const rejects = report.findings.filter(({ severity }) => severity === 'reject')
    // The wallet takes no other key for its own, so what that key spends is a stranger's.
    const isForeign = attack.intent?.from !== undefined && attack.intent.from !== from
    const expected = isForeign ? 'foreign_condition_input' : code
    expect(rejects.map((finding) => finding.code)).toContain(expected)
    expect(chain.sent).toEqual([])
    expect(signer.asked()).toBe(0)
  })
})

describe('in a journal that was edited', () => {
  /** The records of an honest payment, of which the bytes are others by now. */
  async function editedJournal(attack: string) {
    const chain = sourceOf({ hex })
    const journal = memoryJournal()
    const honest = await createWallet({ publicKeys: [from], chain, journal })
    await honest.submit(caseOf({ hex }), { id: 'rent' })
    const edited = memoryJournal()
    let txid = '00'.repeat(32)
    try {
      txid = decodeTransaction(attack).txid
    } catch {
      // Malformed bytes have no txid.
    }
    for (const [index, text] of (await journal.read(0)).entries()) {
      const record = decodeRecord(text, index + 1)
      if (record.kind !== 'attempt') continue
      await edited.append(index + 1, encodeRecord({ ...record, hex: attack, txid }))
    }
    return edited
  }

  test('an honest one is sent again', async () => {
    const chain = sourceOf({ hex })
    const wallet = await createWallet({
      publicKeys: [from],
      chain,
      journal: await editedJournal(hex),
    })
    expect(await wallet.resume()).toMatchObject([{ result: { status: 'accepted' } }])
    expect(chain.sent).toEqual([hex])
  })

  const sameRequest = rejected.filter(([, , given]) => given().intent === undefined)

  test.each(shareOf(sameRequest))('%i, %s: is not sent again', async (_, __, given) => {
    const attack = given()
    const chain = sourceOf(attack)
    const signer = countingSigner(from)
    // The honest bytes are not an attack, and its own parents are hidden from this wallet.
    const journal = await editedJournal(attack.hex)
    const wallet = await createWallet({ signers: [signer], chain, journal })
    const resumed = await wallet.resume()
    expect(resumed).toHaveLength(1)
    expect(resumed[0]?.result?.status).not.toBe('accepted')
    expect(chain.sent).toEqual([])
    expect(signer.asked()).toBe(0)
  })
})

describe('a payment and a creation that are rightly signed and do something else', () => {
  const walletOf = async (height: number) => {
    // Everything before the transactions that are changed here.
    const before = komodod.filter((made) => ![create.txid, transfer.txid].includes(made.txid))
    const source = recordedSource(before, height)
    return { source, wallet: await createWallet({ publicKeys: [a], chain: source }) }
  }
  const submitPayment = async (change: Change, options: PaymentSigning = {}) => {
    const { source, wallet } = await walletOf(payments.tipHeight)
    const signed = signPayment(change(payments.payment), options)
    const { intent: asked } = payments
    const given = { operation: 'payment', intent: asked, hex: signed } as Case
    // The recorded coins bind a payment to no single chain, so the wallet asks its caller.
    const own = (asked.redeemScripts ?? []).map((it) => scriptHashOf(it))
    const { status } = await wallet.submit(given, { allow: ['chain_unbound'], own })
    return { status, sent: source.sent.length }
  }
  const submitCreation = async (change: Change) => {
    const { source, wallet } = await walletOf(create.expiryHeight - 201)
    const signed = sign({ tx: change(create) }, { keys: privateKeys })
    const given = { operation: 'tokencreate', intent: createIntent, hex: signed } as Case
    const { status } = await wallet.submit(given, { allow: ['chain_unbound'] })
    return { status, sent: source.sent.length }
  }

  test('unchanged, both are sent', async () => {
    expect(await submitPayment(unchanged)).toEqual({ status: 'accepted', sent: 1 })
    expect(await submitCreation(unchanged)).toEqual({ status: 'accepted', sent: 1 })
  })

  test.each(shareOf(payments.paymentCases))('payment, %s: is not sent', async (_, change) => {
    expect(await submitPayment(change)).toEqual({ status: 'rejected', sent: 0 })
  })

  test.each(shareOf(payments.paymentSignings))('payment, %s: is not sent', async (_, options) => {
    expect(await submitPayment(unchanged, options)).toEqual({ status: 'rejected', sent: 0 })
  })

  test.each(shareOf(createCases))('creation, %s: is not sent', async (_, change) => {
    expect(await submitCreation(change)).toEqual({ status: 'rejected', sent: 0 })
  })
})

/** The operation of a case, by the library's name of its request. */
const operations = {
  ask: 'tokenask',
  bid: 'tokenbid',
  fillAsk: 'tokenfillask',
  fillBid: 'tokenfillbid',
  cancelAsk: 'tokencancelask',
  cancelBid: 'tokencancelbid',
} as const

/** Bytes that are malformed, for each transaction of tokeld's chain. */
const malformedCount = 7

const tokelBaselines = [...createBaselines, ...orderBaselines, ...transferBaselines]

test('1,788 attacks are replayed: none may be left out', () => {
  const edited = rejected.filter(([, , given]) => given().intent === undefined)
  const { paymentCases, paymentSignings } = payments
  const ofKomodod = [rejected, edited, paymentCases, paymentSignings, createCases]
  const resignedCount = tokelBaselines.reduce((sum, it) => sum + rowsOf(it).length, 0)
  const malformed = malformedCount * tokelBaselines.length
  expect(ofKomodod.reduce((sum, { length }) => sum + length, resignedCount + malformed)).toBe(1788)
})

describe.each(tokelBaselines)('$name on a chain of tokeld', (baseline) => {
  const { intent: asked, made } = baseline
  const operationOf = (): string => {
    if (baseline.verify === 'verifyTokenCreate') return 'tokencreate'
    if (baseline.verify === 'verifyTokenTransfer') return 'tokentransfer'
    return operations[(asked as { readonly kind: keyof typeof operations }).kind]
  }
  const owner = 'owner' in asked ? asked.owner : asked.from
  const open = async () => {
    // A source without the transaction itself, which spends what it spends.
    const others = market.everything().filter((it) => it !== made.hex)
    const chain = recordedSource(
      others.map((it) => ({ hex: it })),
      market.tipHeight,
    )
    const signer = countingSigner(owner as string)
    const wallet = await createWallet({ network: networks.tokel, signers: [signer], chain })
    // The wallet reads the history of one token, so it asks its caller about the others.
    // The token of the ask has a royalty of a tenth, about which the wallet asks too.
    const allow = [
      ...('tokenids' in asked ? (['token_parent_unproven'] as const) : []),
      ...('kind' in asked && asked.kind === 'ask' ? (['royalty_share'] as const) : []),
    ]
    const submit = (changed: string) =>
      wallet.submit({ operation: operationOf(), intent: asked, hex: changed } as Case, { allow })
    return { chain, signer, submit }
  }

  test('itself is sent', async () => {
    const { chain, submit } = await open()
    expect(await submit(made.hex)).toMatchObject({ status: 'accepted' })
    expect(chain.sent).toEqual([made.hex])
  })

  const rows = shareOf(rowsOf(baseline), 0, 30)
  test(`changed in ${rows.length} ways is neither signed nor sent`, async () => {
    const { chain, signer, submit } = await open()
    const sent: string[] = []
    for (const { what, change, signing } of rows) {
      const { status } = await submit(resigned(baseline, change, signing))
      if (status !== 'rejected') sent.push(what)
    }
    expect(sent).toEqual([])
    expect(chain.sent).toEqual([])
    expect(signer.asked()).toBe(0)
  })

  test('cut short, doubled and misspelt is neither signed nor sent', async () => {
    const { chain, submit } = await open()
    const { hex: whole, tx } = made
    const malformed = [
      whole.slice(0, -1),
      whole.slice(0, -2),
      `${whole}00`,
      whole + whole,
      '',
      `0x${whole}`,
      encodeTransaction({ ...tx, outputs: [] }),
    ]
    expect(malformed).toHaveLength(malformedCount)
    for (const changed of malformed) {
      expect((await submit(changed)).status).toBe('rejected')
    }
    expect(chain.sent).toEqual([])
  })
})
