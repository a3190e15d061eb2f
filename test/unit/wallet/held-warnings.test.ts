// Which warnings hold a payment that nobody is asked about: those that a false source can cause, and
// that could cost money. Honest sources cause none of them.

import { describe, expect, test } from 'vitest'

import {
  decodeTransaction,
  encodeTransaction,
  formatCase,
  networks,
  parseCase,
  publicKeyOf,
  signCase,
  transactionId,
} from '../../../src/index.ts'
import { memoryJournal } from '../../../src/journal/index.ts'
import { findingCodes, findingRow } from '../../../src/request/finding-table.ts'
import { conclude, type FindingCode, finding, type Report } from '../../../src/request/report.ts'
import { listPayments } from '../../../src/rpc/index.ts'
import { isHeldByWarning } from '../../../src/wallet/held-warnings.ts'
import {
  type ChainSource,
  createWallet,
  privateKeySigner,
  type Wallet,
} from '../../../src/wallet/index.ts'
import { recordedSource } from './recorded-source.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

const reportOf = (...codes: FindingCode[]): Report => ({
  ...conclude(codes.map((code) => finding(code, 'inputs[0]'))),
  hex: '',
  effects: [],
})
const warnings = findingCodes().filter((code) => findingRow(code)[0] === 'warn')
const always: readonly FindingCode[] = ['payee_module_key', 'payee_burn', 'payee_open']
/** Warnings of forms that cost nothing, of the caller's own terms, and of change in no block yet. */
const passing: readonly FindingCode[] = [
  'unconfirmed_input',
  'extra_input',
  'input_order',
  'ancestor_unconfirmed',
  'ancestor_unproven',
  'native_change_form',
  'output_order',
  'fee_below_relay',
  'fee_share',
  'fee_high',
  'nulldata_push',
  'ask_price_unenforced',
  'script_sig',
]
const heldOf = (sending: Parameters<typeof isHeldByWarning>[1]) =>
  warnings.filter((code) => isHeldByWarning(reportOf(code), sending))

describe('without an answer of confirm', () => {
  test('every warning holds, but for those that no source can make costly', () => {
    const held = heldOf({ isRecorded: false })
    expect(held).toEqual(warnings.filter((code) => !passing.includes(code)))
    expect(held).toContain('token_parent_unproven')
    expect(held).toContain('chain_unbound')
  })

  test('a warning passes that the call allows, or the request', () => {
    const allow: readonly FindingCode[] = ['payee_burn', 'token_parent_unproven']
    const held = heldOf({ isRecorded: false, allow, usualWarnings: ['bid_price_unenforced'] })
    for (const code of [...allow, 'bid_price_unenforced']) expect(held).not.toContain(code)
    expect(held).toContain('payee_open')
    const both = reportOf('token_parent_unproven', 'reward_unclaimed')
    expect(isHeldByWarning(both, { isRecorded: false, allow })).toBe(true)
  })
})

test('confirm decides about all warnings but those of a payee that loses the coins', () => {
  expect(heldOf({ isRecorded: false, confirm: () => true })).toEqual(always)
})

test('a transaction of the journal passed when it was made', () => {
  expect(heldOf({ isRecorded: true })).toEqual(always)
  expect(heldOf({ isRecorded: true, resumeOnly: true })).toEqual([])
})

test('a payment with an output that nodes refuse as dust is not recorded, so its id stays free', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const journal = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal })
  const member = { to: bob.address, amount: 5_000n }
  // komodo src/primitives/transaction.h, GetDustThreshold: 54 at 100 satoshis per kB
  const recipients = [member, { to: alice.address, amount: 53n }]
  const held = await wallet.pay({ recipients, id: 'hour 1' })
  expect(held).toMatchObject({ status: 'held', held: 'warned' })
  expect(held.report.findings).toContainEqual(
    expect.objectContaining({ code: 'dust', path: 'outputs[1].value' }),
  )
  expect(await listPayments(journal)).toEqual([])
  const paid = await wallet.pay({ recipients: [member], id: 'hour 1' })
  expect(paid).toMatchObject({ status: 'accepted' })
  const allowed = wallet.pay({ recipients, id: 'hour 2', allow: ['dust'] })
  await expect(allowed).rejects.toThrow('64: dust')
  await node.close()
})

describe('a source that withholds where the units of an order come from', () => {
  async function market() {
    const { node, alice, bob, chain } = await fundedNode()
    const seller = await openWallet(alice, chain)
    const { txid: tokenid = '', report } = await seller.createToken({ name: 'GOLD', supply: 10n })
    node.mine()
    const { txid: order = '' } = await seller.ask({ tokenid, amount: 5n, price: 5_000n })
    node.mine()
    const withheld = new Set(decodeTransaction(report.hex).inputs.map(({ txid }) => txid))
    const hiding = tampered(chain, {
      async transactions(txids, options) {
        const found = await chain.transactions(txids, options)
        return found.map((hex, at) => (withheld.has(txids[at]!) ? undefined : hex)) as string[]
      },
    })
    return { node, buyer: await openWallet(bob, hiding), order }
  }

  test('sells nothing to a caller who is not asked, and the next call may allow it', async () => {
    const { node, buyer, order } = await market()
    const request = { order, amount: 2n, price: 5_000n, id: 'gold' }
    const held = await buyer.fill(request)
    expect(held).toMatchObject({ status: 'held', held: 'warned' })
    expect(held.report.findings.map(({ code }) => code)).toContain('token_parent_unproven')
    expect(await node.request('getrawmempool')).toEqual([])
    const allowed = await buyer.fill({ ...request, allow: ['token_parent_unproven'] })
    expect(await node.request('getrawmempool')).toEqual([allowed.txid])
    await node.close()
  })

  test('sells to a caller whose confirm sees the warning', async () => {
    const { node, buyer, order } = await market()
    const seen: string[] = []
    const { status } = await buyer.fill({
      ...{ order, amount: 2n, price: 5_000n },
      confirm({ findings }) {
        seen.push(...findings.map(({ code }) => code))
        return true
      },
    })
    expect([status, seen.includes('token_parent_unproven')]).toEqual(['accepted', true])
    await node.close()
  })
})

describe('an honest source of KMD, where coins accrue a reward', () => {
  const key = '7'.padStart(64, '0')
  const to = publicKeyOf('9'.padStart(64, '0'))
  const lockTime = 1_660_000_000
  const tip = { height: 3_014_400, time: lockTime + 10 * 24 * 3600 }

  /** A chain with a coin of the key, to which a payment is added in no block. */
  async function opened() {
    const coin = encodeTransaction({
      version: 1,
      overwintered: false,
      inputs: [
        { txid: '00'.repeat(32), vout: 0xffffffff, scriptSig: '03c0c62d', sequence: 0xffffffff },
      ],
      outputs: [{ value: 10_000_000_000n, script: `21${publicKeyOf(key)}ac` }],
      lockTime,
    })
    const listed = [{ hex: coin, height: 3_000_000 }]
    const now = () => recordedSource(listed, tip.height)
    const chain: ChainSource = {
      name: 'KMD',
      tip: async () => ({ ...tip }),
      unspent: async (scripts) => now().unspent(scripts),
      history: async (scripts) => now().history(scripts),
      transactions: async (txids) => now().transactions(txids),
      async broadcast(hex) {
        listed.push({ hex, height: 0 })
        return transactionId(hex)
      },
    }
    const { komodo: network } = networks
    return {
      chain,
      network,
      wallet: await createWallet({ network, chain, publicKeys: [publicKeyOf(key)] }),
    }
  }

  test('holds no payment from change that is in no block yet', async () => {
    const { chain, network } = await opened()
    const wallet = await createWallet({ network, chain, signers: [privateKeySigner(key)] })
    const first = await wallet.pay({ to, amount: 50_000_000n })
    expect(first.status).toBe('accepted')
    const next = await wallet.pay({ to, amount: 60_000_000n })
    expect(next.status).toBe('accepted')
    const { inputs } = decodeTransaction(next.report.hex)
    expect(inputs.map(({ txid }) => txid)).toEqual([first.txid])
  })

  test.each([
    ['the wallet that prepared it', (wallet: Wallet) => wallet],
    [
      'a later process',
      (_: Wallet, { chain, network }: Awaited<ReturnType<typeof opened>>) =>
        createWallet({ network, chain, publicKeys: [publicKeyOf(key)] }),
    ],
  ])('holds no signed payment that comes back to %s', async (_, opening) => {
    const parts = await opened()
    const { case: made } = await parts.wallet.prepare.pay({ to, amount: 50_000_000n })
    const { hex } = signCase(parseCase(formatCase(made)), [key])
    const wallet = await opening(parts.wallet, parts)
    const sent = await wallet.submit({ ...parseCase(formatCase(made)), hex })
    expect(sent.report.findings.map(({ code }) => code)).toContain('reward_claimed')
    expect(sent.status).toBe('accepted')
  })
})
