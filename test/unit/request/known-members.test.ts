// A misspelt member would leave its limit to a default. Every function that takes a request, an
// intent or options refuses it before anything else, and names the member that was meant.

import { describe, expect, test } from 'vitest'

import * as library from '../../../src/index.ts'
import { memberNames, requireKnownMembers } from '../../../src/primitives/known-members.ts'
import { createToken, tradeToken, transferToken, withdrawAndSend } from '../../../src/rpc/index.ts'
import { textOf } from '../../support/files.ts'

const { note: _, ...transfer } = JSON.parse(textOf('examples/transfer-request.json'))
const pubkey = transfer.from as string
const id = transfer.tokenid as string
const tree = { type: 'eval-sha-256', code: 'f2' } as const
const evidence = { previousTransactions: [] }
const coins = { values: BigInt64Array.of(50_000n) }

type Call = (given: never) => unknown
type Row = readonly [misspelt: string, meant: string, call: Call]

const requests: { readonly [name: string]: readonly Row[] } = {
  buildPayment: [
    ['maxfee', 'maxFee', library.buildPayment],
    ['feerate', 'feeRate', library.buildPayment],
    ['redeemScript', 'redeemScripts', library.buildPayment],
    ['chnage', 'change', library.buildPayment],
    ['tiptime', 'tipTime', library.buildPayment],
  ],
  buildConsolidation: [
    ['maxFees', 'maxFee', library.buildConsolidation],
    ['maxInput', 'maxInputs', library.buildConsolidation],
  ],
  buildTokenTransfer: [
    ['maxfee', 'maxFee', library.buildTokenTransfer],
    ['fromkeys', 'fromKeys', library.buildTokenTransfer],
    ['Burn', 'burn', library.buildTokenTransfer],
  ],
  planTokenTransfer: [['max_fee', 'maxFee', library.planTokenTransfer]],
  buildTokenCreate: [
    ['maxfee', 'maxFee', library.buildTokenCreate],
    ['supplycoins', 'supplyCoins', library.buildTokenCreate],
    ['propertys', 'properties', library.buildTokenCreate],
  ],
  buildTokenAsk: [['orderExpiryheight', 'orderExpiryHeight', library.buildTokenAsk]],
  buildTokenBid: [['Price', 'price', library.buildTokenBid]],
  buildTokenFillAsk: [['prise', 'price', library.buildTokenFillAsk]],
  buildTokenFillBid: [['tokencoins', 'tokenCoins', library.buildTokenFillBid]],
  buildTokenCancelAsk: [['maxfee', 'maxFee', library.buildTokenCancelAsk]],
  buildTokenCancelBid: [['oder', 'order', library.buildTokenCancelBid]],
}
const cases = Object.entries(requests).flatMap(([name, rows]) =>
  rows.map(([misspelt, meant, call]) => [name, misspelt, meant, call] as const),
)

test.each(cases)('%s refuses %s', (_name, misspelt, meant, call) => {
  const reported = `request: unknown member ${misspelt}; did you mean ${meant}?`
  expect(() => call({ network: transfer.network, [misspelt]: 1n } as never)).toThrow(
    new TypeError(reported),
  )
})

test('every builder has a row', () => {
  const builders = Object.keys(library).filter((name) => /^(?:build|plan)[A-Z]/.test(name))
  expect(Object.keys(requests).toSorted()).toEqual(builders.toSorted())
})

test.each<[string, string, Call]>([
  ['buildTokenBid', 'priceMax', library.buildTokenBid],
  ['buildTokenCancelAsk', 'units', library.buildTokenCancelAsk],
  ['buildTokenFillAsk', 'priceMin', library.buildTokenFillAsk],
  ['buildTokenFillBid', 'priceMax', library.buildTokenFillBid],
  ['buildTokenAsk', 'recipients', library.buildTokenAsk],
  ['buildConsolidation', 'recipients', library.buildConsolidation],
  ['buildPayment', 'nativeChange', library.buildPayment],
])('%s refuses %s, which another request has', (_name, member, call) => {
  const given = { network: transfer.network, [member]: [] }
  expect(() => call(given as never)).toThrow(/^request: unknown member /)
})

test('a step of an order takes the kind of its intent, and no other', () => {
  const cancel = { ...transfer, order: id, recipients: undefined }
  const build = (kind: string) => library.buildTokenCancelBid({ ...cancel, kind } as never)
  expect(() => build('cancelAsk')).toThrow(/^kind: expected cancelBid, /)
  expect(() => build('cancelBid')).toThrow(library.AntaraError)
})

describe('the members of a request', () => {
  const payment = { own: [pubkey], coins: [], previousTransactions: [], tipHeight: 1 }
  const many = { pubkeys: [pubkey], required: 1 }
  const tokel = { ...transfer, network: library.networks.tokel }
  test.each<[string, () => unknown, string]>([
    [
      'a payee',
      () => {
        const payee = { address: 'R', amount: 1n, subtractFee: true }
        return library.buildPayment({ ...payment, recipients: [payee] })
      },
      'recipients[0]: unknown member subtractFee, expected only address, script, amount',
    ],
    [
      'a recipient',
      () => {
        const recipient = { pubkey, amount: 1n, key: many }
        return library.buildTokenTransfer({ ...tokel, recipients: [recipient] })
      },
      'recipients[0]: unknown member key; did you mean keys?',
    ],
    [
      'keys that hold together',
      () => library.buildTokenTransfer({ ...tokel, fromKeys: { ...many, requierd: 2 } as never }),
      'fromKeys: unknown member requierd; did you mean required?',
    ],
    [
      'properties',
      () => library.encodeTokelData({ Royalty: 5 } as never),
      'data: unknown member Royalty; did you mean royalty?',
    ],
  ])('%s', (_name, call, reported) => {
    expect(call).toThrow(new TypeError(reported))
  })
})

describe('the members of an intent', () => {
  const transferIntent = { tokenid: id, destination: pubkey, amount: 1n, from: pubkey }
  const verifyTransfer = (more: object) =>
    library.verifyTokenTransfer('', { ...transferIntent, ...more }, evidence)
  const verifyPayment = (more: object) =>
    library.verifyPayment('', { recipients: [], own: [pubkey], ...more }, evidence)
  const create = { name: 'N', supply: 1n, description: '', owner: pubkey }
  test.each<[string, () => unknown, string]>([
    [
      'a payee',
      () => verifyPayment({ recipients: [{ address: 'R', amount: 1n, Amount: 2n }] }),
      'intent.recipients[0]: unknown member Amount; did you mean amount?',
    ],
    [
      'a recipient',
      () => verifyTransfer({ recipients: [{ pubkey, amount: 1n, pubKey: pubkey }] }),
      'intent.recipients[0]: unknown member pubKey; did you mean pubkey?',
    ],
    [
      'keys that hold together',
      () => verifyTransfer({ fromKeys: { required: 1, pubkeys: [pubkey], pubkey } }),
      'intent.fromKeys: unknown member pubkey; did you mean pubkeys?',
    ],
    [
      'properties',
      () =>
        library.verifyTokenCreate('', { ...create, properties: { uri: 'u' } as never }, evidence),
      'intent.properties: unknown member uri; did you mean url?',
    ],
    [
      'of a withdrawal',
      () => {
        const intent = { coin: 'X', to: 'R', amount: 1n, own: [pubkey], maxfee: 1n }
        return library.verifyWithdraw({}, intent, evidence)
      },
      'intent: unknown member maxfee; did you mean maxFee?',
    ],
    [
      'evidence',
      () =>
        library.verifyPayment('', { recipients: [], own: [] }, {
          ...evidence,
          tipHight: 1,
        } as never),
      'evidence: unknown member tipHight; did you mean tipHeight?',
    ],
  ])('%s', (_name, call, reported) => {
    expect(call).toThrow(new TypeError(reported))
  })
})

describe('options and terms', () => {
  const terms = { baseBytes: 10, changeBytes: 34, changeSpendBytes: 148, fixedFee: 1n }
  const hex = transfer.previousTransactions[0] as string
  test.each<[string, () => unknown, string]>([
    [
      'selectCoins',
      () => library.selectCoins(coins, { ...terms, target: 1n, maxinputs: 1 } as never),
      'terms: unknown member maxinputs; did you mean maxInputs?',
    ],
    [
      'selectCoins, of the coins',
      () => library.selectCoins({ ...coins, inputbytes: 1 } as never, { ...terms, target: 1n }),
      'coins: unknown member inputbytes; did you mean inputBytes?',
    ],
    [
      'selectTokenCoins',
      () => {
        const given = { ...terms, amount: 1n, tokenChangeBytes: 1, maxTokeninputs: 1 }
        return library.selectTokenCoins(coins, coins, given as never)
      },
      'terms: unknown member maxTokeninputs; did you mean maxTokenInputs?',
    ],
    [
      'selectTokenCoins, of the tokens',
      () => library.selectTokenCoins({ ...coins, value: 1 } as never, coins, {} as never),
      'tokens: unknown member value; did you mean values?',
    ],
    [
      'selectTokenCoins, of the coins',
      () => library.selectTokenCoins(coins, { ...coins, value: 1 } as never, {} as never),
      'coins: unknown member value; did you mean values?',
    ],
    [
      'signatureHash',
      () => library.signatureHash(hex, 0, { scriptCode: '', value: 0n, hashtype: 2 } as never),
      'options: unknown member hashtype; did you mean hashType?',
    ],
    [
      'signatureHashes',
      () => library.signatureHashes(hex, [], { branchid: 2 } as never),
      'options: unknown member branchid; did you mean branchId?',
    ],
    [
      'createTokenProver',
      () => library.createTokenProver([], { signature: true } as never),
      'options: unknown member signature; did you mean signatures?',
    ],
    [
      'tokenScript',
      () => library.tokenScript(pubkey, { evalcodes: [1] } as never),
      'options: unknown member evalcodes; did you mean evalCodes?',
    ],
    [
      'moduleCondition',
      () => library.moduleCondition([pubkey], { evalCodes: [1], require: 2 } as never),
      'options: unknown member require; did you mean required?',
    ],
    [
      'conditionScript',
      () => library.conditionScript(tree, { from: 'condition' } as never),
      'options: unknown member from; did you mean form?',
    ],
    [
      'decodeFulfillment',
      () => library.decodeFulfillment('00', { checkkeys: true } as never),
      'options: unknown member checkkeys; did you mean checkKeys?',
    ],
    [
      'encodeFulfillment',
      () => library.encodeFulfillment(tree, { mixed: true } as never),
      'options: unknown member mixed, expected only form',
    ],
    [
      'decodeCondition',
      () => library.decodeCondition('00', { rule: 'daemon' } as never),
      'options: unknown member rule; did you mean rules?',
    ],
    [
      'conditionToJson',
      () => library.conditionToJson(tree, { Dialect: 'tokel' } as never),
      'options: unknown member Dialect; did you mean dialect?',
    ],
    [
      'describeTransaction',
      () => library.describeTransaction(hex, { netwrok: 1 } as never),
      'options: unknown member netwrok; did you mean network?',
    ],
    [
      'encodeWif',
      () =>
        library.encodeWif('11'.repeat(32), library.networks.komodo, {
          iscompressed: false,
        } as never),
      'options: unknown member iscompressed; did you mean isCompressed?',
    ],
    [
      'formatReport',
      () =>
        library.formatReport({ ok: false, broadcast: 'no', findings: [], hex: '', effects: [] }, {
          colour: true,
        } as never),
      'options: unknown member colour; did you mean color?',
    ],
    [
      'verifyMany',
      () => library.verifyMany([], { concurency: 1 } as never),
      'options: unknown member concurency; did you mean concurrency?',
    ],
  ])('%s', (_name, call, reported) => {
    expect(call).toThrow(new TypeError(reported))
  })

  test('a misspelt option of an asynchronous call rejects', async () => {
    const reported = 'options: unknown member Signal; did you mean signal?'
    const options = { Signal: AbortSignal.abort() } as never
    const asked = { recipients: [], own: [pubkey] }
    await expect(library.verifyPaymentAsync('', asked, evidence, options)).rejects.toThrow(reported)
    const network = library.networks.komodo
    await expect(library.verifyInputsAsync(hex, [], network, options)).rejects.toThrow(reported)
  })
})

test('every safe flow refuses a misspelt option before it sends anything', async () => {
  const options = { dryrun: true } as never
  const reported = 'options: unknown member dryrun; did you mean dryRun?'
  // a client that cannot be used: nothing of it is touched
  const client = {} as never
  await expect(transferToken(client, {} as never, options)).rejects.toThrow(reported)
  await expect(createToken(client, {} as never, options)).rejects.toThrow(reported)
  await expect(tradeToken(client, {} as never, options)).rejects.toThrow(reported)
  await expect(withdrawAndSend(client, {} as never, options)).rejects.toThrow(reported)
})

describe('requireKnownMembers', () => {
  const known = memberNames<{ one?: number; another?: number }>({ one: true, another: true })
  const check = (given: object) => () => requireKnownMembers(given, known, 'it')

  test('takes known members, and any that is undefined', () => {
    expect(check({ one: 1, another: 2, third: undefined })).not.toThrow()
    expect(known).toEqual(['one', 'another'])
  })

  test('names the known members where none is near', () => {
    expect(check({ nothing: 1 })).toThrow(
      new TypeError('it: unknown member nothing, expected only one, another'),
    )
    expect(check({ toString: 1 })).toThrow('it: unknown member toString')
    expect(check(JSON.parse('{ "__proto__": 1, "constructor": 1 }'))).toThrow(
      'it: unknown member __proto__',
    )
  })

  test('repeats no private key', () => {
    const key = 'U'.repeat(52)
    expect(check({ [key]: 1 })).toThrow('it: unknown member what may be a private key')
  })
})
