// Answers of real daemons to methods of wallet and blocks that no recording plays, and false ones.

import { describe, expect, test } from 'vitest'
import { isLosslessNumber, parseJson } from '../../../src/primitives/json.ts'
import { isTypedMethod, resultSchemaOf } from '../../../src/rpc/daemon/methods.ts'
import { isRpcError } from '../../../src/rpc/errors.ts'
import { readValue, type Schema } from '../../../src/rpc/fields.ts'
import { exactJson, plain, typedValue } from '../../contract/support/oracle.ts'
import { readVectors } from '../../support/vectors.ts'

interface Class {
  readonly class: string
  readonly examples: readonly { readonly komodod: string }[]
}

const { classes } = readVectors<{ classes: readonly Class[] }>('komodod/lockstep.json')

/** The answers that are whole: the vectors cut long ones. */
const answers = classes.flatMap(({ class: name, examples }) => {
  const method = name.replace(/^BAD /, '').split(' ')[0] ?? ''
  return examples.flatMap(({ komodod }) => {
    try {
      const { result, error } = parseJson(komodod.trim()) as { result: never; error: unknown }
      // Recordings play every method of tokens.
      const isOfTokens = /token|^assets/.test(method)
      return error === null && isTypedMethod(method) && !isOfTokens
        ? [{ method, result, text: komodod }]
        : []
    } catch {
      return []
    }
  })
})

test('answers of two daemons keep each digit of each amount', () => {
  const counts: Record<string, number> = {}
  for (const { method, result, text } of answers) {
    const exact = (exactJson(text.trim()) as { result: never }).result
    expect(plain(readValue(resultSchemaOf(method), result)), `${method}: ${text}`).toEqual(
      typedValue(method, exact),
    )
    counts[method] = (counts[method] ?? 0) + 1
  }
  expect(counts).toEqual({
    coinsupply: 8,
    decodeccopret: 2,
    getaddressmempool: 2,
    getaddresstxids: 1,
    getbalance: 4,
    getblock: 3,
    getchaintxstats: 6,
    getmempoolinfo: 2,
    getmininginfo: 2,
    getrawmempool: 5,
    getreceivedbyaddress: 6,
    gettransaction: 2,
    gettxoutsetinfo: 2,
    listaddressgroupings: 10,
    listreceivedbyaddress: 4,
    listtransactions: 4,
  })
})

describe('a false answer is refused by name', () => {
  const txid = 'ab'.repeat(32)
  const entry = {
    txid,
    confirmations: 1,
    walletconflicts: [],
    time: 1,
    timereceived: 1,
    category: 'receive',
    amount: 1,
    vout: 0,
  }
  const number = (text: string) => parseJson(text)
  const totals = { transparent: '1.00', private: '0.00', total: '1.00' }
  /** A template whose only transaction has other members. */
  const template = (other: object) =>
    wire({
      ...{ capabilities: [], version: 4, previousblockhash: txid },
      transactions: [{ data: 'ab', hash: txid, depends: [], fee: 1, sigops: 1, ...other }],
    })
  test.each<[string, string, unknown, string]>([
    ['getbalance', '1e-9', number('1e-9'), 'result'],
    ['getbalance', 'a text that is not an amount', 'ten', 'result'],
    ['getbalance', 'nothing', null, 'result'],
    ['getbestblockhash', '63 digits', 'a'.repeat(63), 'result'],
    ['getblockhash', 'a number', number('5'), 'result'],
    ['getblockheader', 'a header without a hash', { height: number('1') }, 'result.hash'],
    ['getmempoolinfo', 'a negative size', { size: number('-1') }, 'result.size'],
    ['gettxoutproof', 'no hex', 'zz', 'result'],
    ['verifytxoutproof', 'an object', {}, 'result'],
    ['listtransactions', 'an object', { 0: entry }, 'result'],
    [
      'listtransactions',
      'an amount finer than a satoshi',
      [wire({ ...entry, amount: 0.000000001 })],
      'result.0.amount',
    ],
    ['listtransactions', 'a position below 0', [wire({ ...entry, vout: -1 })], 'result.0.vout'],
    ['sendtoaddress', 'an object', { txid }, 'result'],
    [
      'fundrawtransaction',
      'the hex 0',
      { hex: '0', fee: number('0'), changepos: number('0') },
      'result.hex',
    ],
    ['signrawtransaction', 'no completeness', { hex: 'abcd' }, 'result.complete'],
    ['createrawtransaction', 'half a byte', 'abc', 'result'],
    [
      'getblocktemplate',
      'a transaction without a fee',
      template({ fee: undefined }),
      'result.transactions.0.fee',
    ],
    [
      'getblocktemplate',
      'a fee with a fraction',
      template({ fee: 0.5 }),
      'result.transactions.0.fee',
    ],
    ['getblocktemplate', 'half a byte', template({ data: 'abc' }), 'result.transactions.0.data'],
    ['submitblock', 'a number', number('1'), 'result'],
    ['prioritisetransaction', 'a text', 'true', 'result'],
    [
      'minerids',
      'a count below 0',
      wire({ mined: [{ pubkey: 'a', blocks: -1 }] }),
      'result.mined.0.blocks',
    ],
    ['getblockhashes', 'an object', {}, 'result'],
    ['getblockhashes', '63 digits', ['a'.repeat(63)], 'result.0'],
    ['getblockhashes', 'a time without a hash', [wire({ logicalts: 1 })], 'result.0.blockhash'],
    ['txnotarizedconfirmed', 'a number', wire({ result: 1 }), 'result.result'],
    [
      'z_gettotalbalance',
      'a text that is not an amount',
      { ...totals, private: 'ten' },
      'result.private',
    ],
    [
      'z_gettotalbalance',
      'finer than a satoshi',
      { ...totals, total: '0.000000001' },
      'result.total',
    ],
    ['z_listaddresses', 'a number', [number('1')], 'result.0'],
    ['getaccount', 'nothing', null, 'result'],
    ['setaccount', 'a text', '', 'result'],
    ['keypoolrefill', 'a number', number('0'), 'result'],
    ['resendwallettransactions', '63 digits', ['a'.repeat(63)], 'result.0'],
    [
      'getaddednodeinfo',
      'a flag for a word',
      [{ addednode: 'a', addresses: [{ address: 'a', connected: false }] }],
      'result.0.addresses.0.connected',
    ],
    [
      'listbanned',
      'a time below 0',
      wire([{ address: 'a', banned_until: -1 }]),
      'result.0.banned_until',
    ],
    ['setban', 'a text', 'ok', 'result'],
    [
      'getdeprecationinfo',
      'no height',
      wire({ version: 1, subversion: '' }),
      'result.deprecationheight',
    ],
    [
      'tokenindexkey',
      'no balance',
      { result: 'success', 'GlobalPk Tokens CC Address': 'C' },
      'result.GlobalPk Tokens CC Balance',
    ],
    ['tokenallbalances', 'a balance below 0', [wire({ [txid]: -1 })], `result.0.${txid}`],
    ['tokenburn', 'the hex 0', { result: 'success', hex: '0' }, 'result.hex'],
    ['getspentinfo', 'no txid', { index: number('1'), height: number('1') }, 'result.txid'],
    [
      'getaddressdeltas',
      'more than 63 bits',
      [
        {
          ...wire({ address: 'R', txid, index: 0, blockindex: 0, height: 1 }),
          satoshis: number('9223372036854775808'),
        },
      ],
      'result.0.satoshis',
    ],
  ])('%s: %s', (method, _, value, path) => {
    const schema = resultSchemaOf(method as never) as Schema<unknown>
    let error: unknown
    try {
      readValue(schema, value as never)
    } catch (it) {
      error = it
    }
    expect(isRpcError(error, 'shape')).toBe(true)
    expect(error).toMatchObject({ path })
  })

  test('an unknown member stays, with its digits', () => {
    const info = { size: number('1'), bytes: number('2'), usage: number('3'), more: number('1.10') }
    const read = readValue(resultSchemaOf('getmempoolinfo'), info as never) as { more: unknown }
    expect(isLosslessNumber(read.more) && read.more.value).toBe('1.10')
  })
})

/** A value as it comes from the wire, with numbers that keep their digits. */
function wire(value: object): object {
  return parseJson(JSON.stringify(value)) as object
}
