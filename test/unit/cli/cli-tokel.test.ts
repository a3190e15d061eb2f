// The command line builds, signs and verifies the transactions of a recorded tokeld.

import { expect, test } from 'vitest'

import { decodeTransaction, encodeTransaction } from '../../../src/index.ts'
import { runCommand } from '../../support/cli.ts'
import { keys } from '../../support/komodod.ts'
import { tokelChain } from '../../support/tokeld.ts'
import { madeByTokeld } from '../../support/tokeld-made.ts'

const previousTransactions = tokelChain.map(({ hex }) => hex)

function unsigned(hex: string): string {
  const { inputs, ...rest } = decodeTransaction(hex)
  return encodeTransaction({ ...rest, inputs: inputs.map((it) => ({ ...it, scriptSig: '' })) })
}

/** A request for a recorded transaction: its native coin comes first, where it has one. */
function requestFor(note: string, tokenInputs: number, own: object) {
  const { hex } = madeByTokeld.find((it) => it.note === note)!
  const { inputs, expiryHeight } = decodeTransaction(hex)
  const outpoints = inputs.map(({ txid, vout }) => ({ txid, vout }))
  const tokenCoins = tokenInputs === 0 ? {} : { tokenCoins: outpoints.slice(-tokenInputs) }
  const tipHeight = expiryHeight - 201
  const coins = outpoints.slice(0, 1)
  const made = { network: 'tokel', coins, ...tokenCoins, previousTransactions, tipHeight, ...own }
  return { hex, request: JSON.stringify({ spend: 'all', ...made }) }
}

const { A, B } = keys
const tokenid = '76768c75fd0b2c0a371358786854c9adf76bcc6f5d4ad385250e3c7cd2b1d1b3'
const traded = '6d0ac36e19684ec7d04ed3361465c813f4104baca7e1f68d0485b4f3f69e8433'
const two = [A.pubkey, B.pubkey]

const asked: readonly [command: string, note: string, tokenInputs: number, own: object][] = [
  [
    'transfer',
    'v2 A->C by address',
    1,
    {
      tokenid,
      from: A.pubkey,
      recipients: [{ pubkey: 'RUC4vHRqYCsaUMgWp6f7o1pQQYg99a8vtK', amount: '50' }],
    },
  ],
  [
    'transfer',
    'transfermany one token',
    1,
    {
      tokenid,
      tokenids: [tokenid],
      from: A.pubkey,
      recipients: [{ pubkey: B.pubkey, amount: '5' }],
    },
  ],
  [
    'transfer',
    'A -> 2of2(A,B) 20',
    1,
    {
      tokenid,
      from: A.pubkey,
      recipients: [{ keys: { required: 2, pubkeys: two }, amount: '20' }],
    },
  ],
  [
    'transfer',
    'spend 2of2 by A (partial signature)',
    1,
    {
      tokenid,
      from: A.pubkey,
      fromKeys: { required: 2, pubkeys: two },
      recipients: [{ keys: { required: 1, pubkeys: [keys.C.pubkey] }, amount: '8' }],
    },
  ],
  [
    'create',
    'createtokel {"url":"x"}',
    0,
    { name: 'X', supply: '1', description: 'd', owner: A.pubkey, properties: { url: 'x' } },
  ],
  [
    'order',
    'A asks',
    1,
    {
      kind: 'ask',
      tokenid: traded,
      units: '100',
      price: '1000000',
      orderExpiryHeight: 40_363,
      from: A.pubkey,
    },
  ],
]

test.each(asked)('%s: %s', async (command, note, tokenInputs, own) => {
  const { hex, request } = requestFor(note, tokenInputs, own)
  const { status, output, errors } = await runCommand([command, '-'], request)
  expect({ status, errors }).toEqual({ status: 0, errors: '' })
  expect(JSON.parse(output).hex).toBe(unsigned(hex))
  const checked = await runCommand(['verify', '--json', '-'], output)
  const { findings } = JSON.parse(checked.output)
  const rejects = findings.filter((it: { severity: string }) => it.severity === 'reject')
  expect(new Set(rejects.map((it: { code: string }) => it.code))).toEqual(new Set(['unsigned']))
})

const wrong: readonly [command: string, own: object, claimed: string][] = [
  ['create', { name: 'X', supply: '1', owner: A.pubkey, version: 3 }, 'version'],
  [
    'transfer',
    {
      tokenid,
      from: A.pubkey,
      tokenCoins: [],
      recipients: [{ pubkey: A.pubkey, keys: { required: 1, pubkeys: two }, amount: '1' }],
    },
    'pubkey or keys',
  ],
]

test.each(wrong)('%s refuses what says too much or nonsense', async (command, own, claimed) => {
  const request = { network: 'tokel', coins: [], previousTransactions: [], tipHeight: 1, ...own }
  const { status, errors } = await runCommand([command, '-'], JSON.stringify(request))
  expect(status).toBe(2)
  expect(errors).toContain('malformed_case')
  expect(errors).toContain(claimed)
})
