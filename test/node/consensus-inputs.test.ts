// The rules of what a transaction spends, in the daemon's words: modules, signatures, standard
// inputs, maturity and fees. komodo src/main.cpp, AcceptToMemoryPool; src/cc/eval.cpp,
// Eval::Dispatch; src/script/script_error.cpp.

import { describe, expect, test } from 'vitest'

import {
  decodeTransaction,
  encodeCondition,
  encodeFulfillment,
  encodeTransaction,
  networks,
} from '../../src/index.ts'
import { readTransaction } from '../../src/node/consensus/accept.ts'
import { checkConditions } from '../../src/node/consensus/conditions.ts'
import { checkSignatures, wordsOfScriptFault } from '../../src/node/consensus/scripts.ts'
import {
  checkInputsStandard,
  checkSigops,
  checkStandard,
} from '../../src/node/consensus/standard.ts'
import { rejected, unverifiable } from '../../src/node/consensus/verdict.ts'
import { createDevNode } from '../../src/node/index.ts'
import { createScriptIndex } from '../../src/node/state/script-index.ts'
import { storedTransaction } from '../../src/node/state/stored-transaction.ts'
import { p2pkh, p2sh } from '../support/payments.ts'
import { a, b } from '../support/resigned.ts'

const input = { txid: '11'.repeat(32), vout: 0, scriptSig: '51', sequence: 0xffffffff }
const transactionOf = (scriptSigs: readonly string[], script = p2pkh(a)) =>
  storedTransaction(
    encodeTransaction({
      version: 4,
      overwintered: true,
      versionGroupId: 0x892f2085,
      inputs: scriptSigs.map((scriptSig, vout) => ({ ...input, vout, scriptSig })),
      outputs: [{ value: 1000n, script }],
      lockTime: 0,
    }),
  )

describe('the module of a condition', () => {
  const pushed = (data: string) => {
    const length = (data.length / 2).toString(16).padStart(2, '0')
    return data.length > 150 ? `4c${length}${data}` : `${length}${data}`
  }
  const fulfilling = (code: string) =>
    pushed(`${encodeFulfillment({ type: 'eval-sha-256', code })}01`)
  const asked: string[] = []
  const modules = {
    tokens: {
      refusal: () => {
        asked.push('tokens')
        return undefined
      },
      orderRefusal: () => {
        asked.push('orders')
        return 'no order'
      },
    } as never,
  }
  const reasonOf = (...codes: string[]) =>
    checkConditions(transactionOf(codes.map(fulfilling)), modules, () => undefined)?.reason

  test.each<[string, string]>([
    ['10', '0x10 Invalid: mismatched -ac_cclib vs CClib_name'],
    ['7f', '0x7f Invalid: mismatched -ac_cclib vs CClib_name'],
    ['0f', '0xf Invalid: validation not supported for eval code'],
    ['80', '0x80 Invalid: validation not supported for eval code'],
    ['10ff', '0x10ff Invalid: mismatched -ac_cclib vs CClib_name'],
    ['e1', '0xe1 Invalid: this node does not model the import payout module'],
    ['e4', '0xe4 Invalid: this node does not model the faucet module'],
    ['f0', '0xf0 Invalid: this node does not model the payments module'],
    ['e7', '0xe7 Invalid: no validation yet'],
    ['e8', '0xe8 Invalid: no validation yet'],
    ['e9', '0xe9 Invalid: no validation yet'],
    ['e6', '0xe6 Invalid: this node does not model the dice module'],
    ['ea', '0xea Invalid: this node does not model the heir module'],
    ['f4', '0xf4 Invalid: validation not supported for eval code'],
    ['e3', 'EVAL_ASSETS Invalid: no order'],
    ['', '0x Invalid: empty-eval'],
  ])('the module of a condition of code %s: %s', (code, words) => {
    const refused = checkConditions(transactionOf([fulfilling(code)]), modules, () => undefined)
    expect(refused).toEqual({
      ok: false,
      code: -26,
      message:
        '16: mandatory-script-verify-flag-failed (Script evaluated without error but finished with a false/empty top stack element)',
      reason: `CC Eval ${words} spending tx ${input.txid}`,
    })
  })

  test.each(['f1', 'f3', 'f2'])('a module of code %s refuses nothing here', (code) => {
    expect(reasonOf(code)).toBeUndefined()
  })

  test('is asked once for a transaction, and every code of it is', () => {
    asked.length = 0
    expect(reasonOf('f2', 'f2', 'e3', 'e3')).toMatch(/no order/)
    expect(asked).toEqual(['tokens', 'orders'])
    expect(reasonOf('f2', 'e4')).toMatch(/faucet/)
  })

  test('is not asked of signatures', () => {
    expect(checkConditions(transactionOf(['51']), modules, () => undefined)).toBeUndefined()
  })
})

describe('the words for a script that fails', () => {
  const stack = 'Operation not valid with the current stack size'
  const onTop = 'Script evaluated without error but finished with a false/empty top stack element'
  test.each([
    [false, 'signature_missing', stack],
    [true, 'signature_missing', stack],
    [false, 'script_sig_form', stack],
    [false, 'signature_mismatch', onTop],
    [false, 'public_key_hash_mismatch', 'Script failed an OP_EQUALVERIFY operation'],
    [false, 'malformed_public_key', 'Public key is neither compressed or uncompressed'],
    [true, 'condition_mismatch', onTop],
    [true, 'condition_type_unknown', 'Crypto-Condition payload is invalid'],
    [true, 'truncated', 'Crypto-Condition payload is invalid'],
    [false, 'truncated', onTop],
    [true, 'signature_mismatch', onTop],
    [false, 'condition_type_unknown', onTop],
  ] as const)('are, of a condition: %s, with %s: %s', (isCondition, code, words) => {
    expect(wordsOfScriptFault(isCondition, code as never)).toBe(words)
  })

  test('say that this node runs no other redeem scripts', () => {
    const stored = transactionOf(['0151'])
    expect(
      checkSignatures(stored, [{ value: 1n, script: p2sh('51') } as never], networks.assetChain),
    ).toEqual({
      ok: false,
      code: -26,
      message:
        '64: non-mandatory-script-verify-flag (this node runs no redeem scripts but those of keys)',
      reason: 'this node runs no redeem scripts but those of keys',
    })
  })

  const eval1 = encodeCondition({ type: 'eval-sha-256', code: 'f2' })
  const condition = `${(eval1.length / 2).toString(16)}${eval1}cc`
  const ofOtherKey = `4730440220${'11'.repeat(32)}0220${'11'.repeat(32)}0121${b}`
  test.each<[string, string, string, string, string]>([
    ['a key, without a signature', p2pkh(a), '', 'signature_missing', onTop],
    [
      'the hash of another key',
      p2pkh(a),
      ofOtherKey,
      'public_key_hash_mismatch',
      'Script failed an OP_EQUALVERIFY operation',
    ],
    [
      'a condition, with what is not a fulfillment',
      condition,
      '03ff0001',
      'der_wrong_tag',
      'Crypto-Condition payload is invalid',
    ],
  ])('are those of a rule of blocks for %s', (_, script, scriptSig, reason, words) => {
    const coins = [{ value: 1n, script } as never]
    expect(checkSignatures(transactionOf([scriptSig]), coins, networks.assetChain)).toEqual({
      ok: false,
      code: -26,
      message: `16: mandatory-script-verify-flag-failed (${words})`,
      reason,
    })
  })
})

test('a refusal has a reason or none', () => {
  expect(rejected('invalid', 'words')).toEqual({ ok: false, code: -26, message: '16: words' })
  expect(rejected('duplicate', 'words', 'why')).toEqual({
    ok: false,
    code: -26,
    message: '18: words',
    reason: 'why',
  })
  expect(unverifiable()).toEqual({ ok: false, code: -25, message: '' })
  expect(unverifiable('words', 'why')).toEqual({
    ok: false,
    code: -25,
    message: 'words',
    reason: 'why',
  })
})

describe('a text', () => {
  const { hex, txid } = transactionOf(['51'])

  test('a text of hex is the transaction at its beginning', () => {
    expect(readTransaction(hex)?.txid).toBe(txid)
    expect(readTransaction(hex.toUpperCase())?.hex).toBe(hex)
    expect(readTransaction(`${hex}00`)?.txid).toBe(txid)
  })

  test.each([
    '',
    `${hex}0`,
    `${hex}zz`,
    `zz${hex}`,
    `${hex}\n`,
    hex.slice(2),
    hex.slice(0, -2),
    'ff'.repeat(200),
  ])('a text that is not hex is not a transaction: %#', (text) => {
    expect(readTransaction(text)).toBeUndefined()
  })
})

const scripts = createScriptIndex(networks.assetChain)
const standard = { scripts, network: networks.assetChain }
const spending = (scriptSig: string, outputs: string[] = []) => ({
  ...decodeTransaction(transactionOf([scriptSig]).hex),
  outputs: outputs.map((script) => ({ value: 1000n, script })),
})
const large = `4d0902${'00'.repeat(521)}`

describe('a standard transaction', () => {
  test('may have scripts longer than nulldata, which alone is bounded so', () => {
    const { transaction } = transactionOf(['51'])
    const relaying = (nulldataBytesMax: number) => {
      return { scripts, network: { ...networks.assetChain, nulldataBytesMax } }
    }
    expect(checkStandard(transaction, relaying(10))).toBeUndefined()
    const noted = { ...transaction, outputs: [{ value: 0n, script: `6a09${'00'.repeat(9)}` }] }
    expect(checkStandard(noted, relaying(11))).toBeUndefined()
    expect(checkStandard(noted, relaying(10))?.message).toBe('64: scriptpubkey')
  })

  test.each<[string, boolean, string, string]>([
    ['one large push of two', false, p2pkh(a), `51${large}`],
    ['one large push of two, the first', false, p2pkh(a), `${large}51`],
    // komodo src/main.cpp, AreInputsStandard: the stack is empty
    ['no redeem script', false, p2sh('51'), ''],
    ['a redeem script of nothing', true, p2sh(''), '00'],
  ])('a standard transaction with %s: %s', (_, expected, script, scriptSig) => {
    const refused = checkInputsStandard(spending(scriptSig), [{ script } as never], standard)
    expect(refused === undefined).toBe(expected)
  })
})

test('one input that does not fit its output makes a transaction nonstandard', () => {
  const { transaction } = transactionOf(['51', '5151'])
  const coins = [{ script: `21${a}ac` }, { script: `21${a}ac` }] as never
  expect(checkInputsStandard(transaction, coins, standard)).toEqual(unverifiable())
  const fitting = transactionOf(['51', '51']).transaction
  expect(checkInputsStandard(fitting, coins, standard)).toBeUndefined()
})

describe('signature operations', () => {
  /** How many more a transaction may have beside what is counted. */
  const countOf = (script: string, scriptSig: string, outputs: string[] = []) => {
    const fits = (more: number) =>
      checkSigops(
        spending(scriptSig, [...outputs, 'ac'.repeat(more)]),
        [{ script } as never],
        scripts,
      ) === undefined
    return [0, 1, 2, 3, 15, 16, 17, 20, 21, 40].find(
      (count) => fits(4000 - count) && !fits(4001 - count),
    )
  }
  const redeemed = (redeemScript: string) =>
    countOf(p2sh('51'), `${(redeemScript.length / 2).toString(16).padStart(2, '0')}${redeemScript}`)

  test.each<[string, number]>([
    ['51ae', 1],
    ['60ae', 16],
    ['5fae', 15],
    ['53af', 3],
    ['61ae', 20],
    ['00ae', 20],
    ['50ae', 20],
    ['ae', 20],
    ['acad', 2],
    ['51', 0],
    ['51aeae', 21],
  ])('signature operations of the redeem script %s are %i', (redeemScript, count) => {
    expect(redeemed(redeemScript)).toBe(count)
  })

  test('signature operations of a scriptSig and of an output count every multisig as twenty', () => {
    expect(countOf(p2pkh(a), '51ae')).toBe(20)
    expect(countOf(p2pkh(a), '', ['51ae'])).toBe(20)
    expect(countOf(p2pkh(a), '', ['ae'])).toBe(20)
  })

  test('a redeem script that is not there, or not pushed, has no signature operations', () => {
    expect(countOf(p2sh('51'), '')).toBe(0)
    expect(countOf(p2sh('51'), '61')).toBe(0)
    expect(countOf(p2pkh(a), '0151')).toBe(0)
  })
})

describe('a development node', () => {
  interface Coin {
    readonly txid: string
    readonly vout: number
    readonly confirmations: number
    readonly amount: number
  }

  const start = async (maturity: number) => {
    const node = await createDevNode({ listen: false, mine: 'manual', profile: { maturity } })
    const [{ address }] = node.identities
    const signed = async (coin: Coin, amount: number): Promise<string> => {
      const raw = await node.request('createrawtransaction', [[coin], { [address]: amount }])
      return ((await node.request('signrawtransaction', [raw])) as { hex: string }).hex
    }
    return { node, signed }
  }

  // komodo src/main.cpp, Consensus::CheckTxInputs
  test('lets a coinbase be spent once it is mature', async () => {
    const { node, signed } = await start(3)
    await using _ = node
    node.mine(1)
    const hash = await node.request('getbestblockhash', [])
    const { tx } = (await node.request('getblock', [hash])) as { tx: string[] }
    const coin = { txid: tx[0]!, vout: 0, confirmations: 1, amount: 1 }
    const hex = await signed(coin, 0.9999)
    const words = () => {
      const answer = node.testMempoolAccept(hex)
      return answer.ok ? 'ok' : answer.message
    }
    // in the next block it is one deep
    expect(words()).toBe('16: bad-txns-premature-spend-of-coinbase')
    node.mine(1)
    expect(words()).toBe('16: bad-txns-premature-spend-of-coinbase')
    node.mine(1)
    expect(words()).toBe('ok')
  })
})
