// These tests cover how each kind of daemon validates a transaction and its outputs:
// src/cc/CCtokens.cpp, TokensValidate and IsTokensvout.
// Komodod: src/cc/CCtokens.cpp, IsTokensvout and HasBurnedTokensvouts. Tokeld: the same file,
// TokensV1::CheckTokensvout, and TokensV2.

import { describe, expect, test } from 'vitest'

import {
  burnPublicKeys,
  conditionScript,
  encodeTokenPayload,
  encodeTransaction,
  moduleCondition,
  networks,
  proveTokenOutput,
  tokenScript,
  transactionId,
} from '../../../src/index.ts'
import { hashOfKey } from '../../../src/script/public-key.ts'
import { komodoRules, lastPayload } from '../../../src/token/rules/komodo.ts'
import { rulesOf, rulesOfNew } from '../../../src/token/rules/network.ts'
import { fungible, type Seen, type TokenRules } from '../../../src/token/rules/rules.ts'
import { slotScript } from '../../../src/token/rules/slot-script.ts'
import { tokelPayload } from '../../../src/token/rules/tokel-payload.ts'
import { rulesTokelV1 } from '../../../src/token/rules/tokel-v1.ts'
import { droppedPayload, rulesV2, tokenFinderV2 } from '../../../src/token/rules/tokens-v2.ts'
import type { Transaction, TransactionOutput } from '../../../src/transaction/types.ts'
import { a, b, c, moduleKey } from '../../support/resigned.ts'
import { push } from '../../support/sign.ts'
import { assets, mixedScript, tokens } from '../../support/sign-tokel.ts'
import {
  asks,
  hashTokens,
  keyTokens,
  namedTokens,
  p2pk,
  sharedTokens,
  shown,
  tokenMarker,
  tokenMarkerV1,
} from '../../support/tokel-market.ts'

const txid = '11'.repeat(32)
const tokenid = '22'.repeat(32)
const otherid = '33'.repeat(32)
const burnKey = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead'
const beyond = `02${'ff'.repeat(32)}`

type Output = [value: bigint, script: string]
const outputsOf = (...all: Output[]): TransactionOutput[] =>
  all.map(([value, script]) => ({ value, script }))

function seen(rules: TokenRules, ...all: Output[]): Seen {
  const outputs = outputsOf(...all)
  const transaction = { txid, inputs: [], outputs } as never as Transaction
  return { txid, transaction, payload: rules.payloadOf(outputs) }
}

const claimed = (blob: string): Output => [0n, `6a${push(blob)}`]
const key = (pubkey: string) => `21${pubkey}`
/** komodo src/cc/CCtokenutils.cpp, EncodeTokenOpRet. */
const gives = (id: string, keys: readonly string[], extras = ''): Output =>
  claimed(`f274${id}0${keys.length}${keys.map(key).join('')}${extras}`)
const creates = (owner = a, extras = ''): Output => claimed(`f263${key(owner)}015400${extras}`)
/** Layout B. */
const givesV1 = (id: string, keys: readonly string[], extras = ''): Output =>
  claimed(`f25401${id}0${keys.length}${keys.map(key).join('')}${extras}`)
const createsV1 = (owner = a): Output => claimed(`f24301${key(owner)}015400`)
/** Layout C. */
const givesV2 = (id: string): Output => claimed(`f57401${id}`)
const createsV2 = (owner = a): Output => claimed(`f56301${key(owner)}015400`)

const held = (pubkey: string, evalCodes = [0xf2]) => tokenScript(pubkey, { evalCodes })

test('the payloads of this file equal encoded ones', () => {
  const transfer = { kind: 'transfer', tokenid, pubkeys: [b] } as const
  expect(gives(tokenid, [b])[1]).toBe(encodeTokenPayload({ layout: 'komodo-v1', ...transfer }))
  expect(givesV1(tokenid, [b])[1]).toBe(encodeTokenPayload({ layout: 'tokel-v1', ...transfer }))
  const { pubkeys, ...byId } = transfer
  expect(givesV2(tokenid)[1]).toBe(
    encodeTokenPayload({ layout: 'tokens-v2', ...byId, pubkeys: [] }),
  )
})

describe('the payload that komodod reads from the last output', () => {
  const [, script] = gives(tokenid, [b])
  const blob = script.slice(4)
  test.each<[string, string[], boolean]>([
    ['a transfer', [script], true],
    ['a creation', [creates()[1]], true],
    ['a transfer that something else comes before', ['51', script], true],
    ['nothing', [], false],
    ['a transfer that is not last', [script, '51'], false],
    ['no nulldata', [blob], false],
    ['nulldata of another kind', ['6a02abcd'], false],
    ['nothing after the opcode', ['6a'], false],
    ['an id without data', [claimed(`${blob}12`)[1]], true],
    ['an id whose data are cut', [claimed(`${blob}1201`)[1]], false],
    ['data that are cut', [claimed(`${blob}1202ab`)[1]], false],
    ['a transfer of another function', [claimed(`f278${blob.slice(4)}`)[1]], false],
    ['a transfer that is cut', [claimed(blob.slice(0, -2))[1]], false],
    ['a push that is cut', [script.slice(0, -2)], false],
    ['tokeld’s layout', [givesV1(tokenid, [b])[1]], false],
    ['tokens v2', [givesV2(tokenid)[1]], false],
  ])('%s', (_, scripts, isRead) => {
    const outputs = scripts.map((it) => ({ value: 0n, script: it }))
    expect(lastPayload(outputs) !== undefined).toBe(isRead)
    expect(komodoRules.payloadOf(outputs)).toEqual(lastPayload(outputs))
  })

  test('refuses a script that is not text with a TypeError', () => {
    // A String object is not a string.
    const script = new String(gives(tokenid, [b])[1]) as string
    expect(() => lastPayload([{ value: 0n, script }])).toThrow(TypeError)
    expect(() => tokelPayload(5 as never, 'tokel-v1')).toThrow(TypeError)
  })
})

describe('the payload that tokeld reads', () => {
  test.each<[string, string, 'tokel-v1' | 'tokens-v2', boolean]>([
    ['a transfer of v1', givesV1(tokenid, [b])[1], 'tokel-v1', true],
    ['a transfer of v2', givesV2(tokenid)[1], 'tokens-v2', true],
    ['a transfer of v2 as v1', givesV2(tokenid)[1], 'tokel-v1', false],
    ['a transfer of v1 as v2', givesV1(tokenid, [b])[1], 'tokens-v2', false],
    ['komodod’s layout', gives(tokenid, [b])[1], 'tokel-v1', false],
    ['more bytes than there are data', `${claimed(`f57401${tokenid}02ab`)[1]}`, 'tokens-v2', false],
    ['one byte more', `${claimed(`f57401${tokenid}05`)[1]}`, 'tokens-v2', false],
    ['another version', claimed(`f57402${tokenid}`)[1], 'tokens-v2', false],
    ['nothing', '', 'tokens-v2', false],
    ['other data', '6a02abcd', 'tokens-v2', false],
  ])('%s', (_, script, layout, isRead) => {
    expect(tokelPayload(script, layout) !== undefined).toBe(isRead)
  })

  test('reads no payload if there are no outputs', () => {
    expect(rulesTokelV1.payloadOf([])).toBeUndefined()
    expect(rulesV2.payloadOf([])).toBeUndefined()
  })
})

describe('which token an output holds', () => {
  const name = (pubkey: string, id: string) =>
    held(pubkey) + shown('f2', [pubkey], 1, [`f25401${id}01${key(pubkey)}`])
  const rows: [string, TokenRules, Output[], number, string | undefined][] = [
    ['komodod: a creation', komodoRules, [[1n, held(a)], creates()], 0, txid],
    ['komodod: a transfer', komodoRules, [[1n, held(a)], gives(tokenid, [a])], 0, tokenid],
    ['komodod: no payload', komodoRules, [[1n, held(a)]], 0, undefined],
    ['tokeld v1: a creation', rulesTokelV1, [[1n, held(a)], createsV1()], 0, txid],
    ['tokeld v1: a transfer', rulesTokelV1, [[1n, held(a)], givesV1(tokenid, [a])], 0, tokenid],
    ['tokeld v1: no payload', rulesTokelV1, [[1n, held(a)]], 0, undefined],
    ['tokeld v1: no condition', rulesTokelV1, [[1n, p2pk(a)], givesV1(tokenid, [a])], 0, undefined],
    [
      'tokeld v1: no condition in what looks like one',
      rulesTokelV1,
      [[1n, '01aacc'], givesV1(tokenid, [a])],
      0,
      undefined,
    ],
    [
      'tokeld v1: the token that the output names itself',
      rulesTokelV1,
      [[1n, name(a, otherid)], [1n, held(a)], givesV1(tokenid, [a])],
      0,
      otherid,
    ],
    [
      'tokeld v1: a token that another output names',
      rulesTokelV1,
      [[1n, name(a, otherid)], [1n, held(a)], givesV1(tokenid, [a])],
      1,
      tokenid,
    ],
    [
      'tokeld v1: dropped data without a meaning',
      rulesTokelV1,
      [[1n, held(a) + shown('f2', [a], 1, ['abcd'])], givesV1(tokenid, [a])],
      0,
      undefined,
    ],
    [
      'tokeld v1: dropped keys',
      rulesTokelV1,
      [[1n, held(a) + shown('f2', [a])], givesV1(tokenid, [a])],
      0,
      tokenid,
    ],
    ['tokens v2: a creation', rulesV2, [[1n, keyTokens(a)], createsV2()], 0, txid],
    ['tokens v2: a transfer', rulesV2, [[1n, hashTokens(a)], givesV2(tokenid)], 0, tokenid],
    ['tokens v2: no payload', rulesV2, [[1n, keyTokens(a)]], 0, undefined],
    ['tokens v2: there is no such output', rulesV2, [givesV2(tokenid)], 3, undefined],
    ['tokens v2: no condition', rulesV2, [[1n, p2pk(a)], givesV2(tokenid)], 0, undefined],
    [
      'tokens v2: a condition of another module',
      rulesV2,
      [[1n, mixedScript([assets], [0xf6])], givesV2(tokenid)],
      0,
      undefined,
    ],
    ['tokens v2: one of two modules', rulesV2, [[1n, asks], givesV2(tokenid)], 0, tokenid],
    [
      'tokens v2: the token that the output names itself',
      rulesV2,
      [[1n, namedTokens(a, otherid)], givesV2(tokenid)],
      0,
      otherid,
    ],
    ['tokens v2: keys that it drops', rulesV2, [[1n, keyTokens(a)], givesV2(tokenid)], 0, tokenid],
    [
      'tokens v2: dropped data of another kind',
      rulesV2,
      [[1n, mixedScript([a], [0xf5]) + shown('f5', [a], 1, ['abcd'])], givesV2(tokenid)],
      0,
      undefined,
    ],
  ]
  test.each(rows)('%s', (_, rules, all, vout, expected) => {
    expect(rules.tokenOf(seen(rules, ...all), vout)).toBe(expected)
  })
})

describe('the rule that an output breaks', () => {
  const A: Output = [1n, held(a)]
  const V2: Output = [1n, hashTokens(a)]
  const rows: [string, TokenRules, Output[], number, string, string | undefined][] = [
    ['none, komodod', komodoRules, [A, gives(tokenid, [a])], 0, tokenid, undefined],
    ['none in a creation, komodod', komodoRules, [A, creates()], 0, txid, undefined],
    ['no such output', komodoRules, [A, gives(tokenid, [a])], 2, tokenid, 'no_such_output'],
    [
      'the last output, which has the payload',
      komodoRules,
      [A, gives(tokenid, [a])],
      1,
      tokenid,
      'last_output',
    ],
    [
      'an output to a key',
      komodoRules,
      [[1n, p2pk(a)], gives(tokenid, [a])],
      0,
      tokenid,
      'not_a_condition',
    ],
    ['no payload', komodoRules, [A, [0n, '6a00']], 0, tokenid, 'no_payload'],
    ['another token', komodoRules, [A, gives(otherid, [a])], 0, tokenid, 'other_token'],
    [
      'a creation, whose token has its own txid',
      komodoRules,
      [A, creates()],
      0,
      tokenid,
      'other_token',
    ],
    [
      'an output of 0 units',
      komodoRules,
      [[0n, held(a)], gives(tokenid, [a])],
      0,
      tokenid,
      'no_amount',
    ],
    [
      'an output of negative units',
      komodoRules,
      [[-1n, held(a)], gives(tokenid, [a])],
      0,
      tokenid,
      'no_amount',
    ],
    ['none, v1', rulesTokelV1, [A, givesV1(tokenid, [a])], 0, tokenid, undefined],
    ['none in a creation, v1', rulesTokelV1, [A, createsV1()], 0, txid, undefined],
    ['no such output, v1', rulesTokelV1, [A, givesV1(tokenid, [a])], 2, tokenid, 'no_such_output'],
    [
      'an output to a key, v1',
      rulesTokelV1,
      [[1n, p2pk(a)], givesV1(tokenid, [a])],
      0,
      tokenid,
      'not_a_condition',
    ],
    ['no payload, v1', rulesTokelV1, [A, [0n, '6a00']], 0, tokenid, 'no_payload'],
    ['another token, v1', rulesTokelV1, [A, givesV1(otherid, [a])], 0, tokenid, 'other_token'],
    [
      'an output of 0 units, v1',
      rulesTokelV1,
      [[0n, held(a)], givesV1(tokenid, [a])],
      0,
      tokenid,
      'no_amount',
    ],
    ['none, v2', rulesV2, [V2, givesV2(tokenid)], 0, tokenid, undefined],
    ['none in a creation, v2', rulesV2, [V2, createsV2()], 0, txid, undefined],
    ['no such output, v2', rulesV2, [V2, givesV2(tokenid)], 2, tokenid, 'no_such_output'],
    ['komodod’s condition, v2', rulesV2, [A, givesV2(tokenid)], 0, tokenid, 'not_a_condition'],
    ['no payload, v2', rulesV2, [V2, [0n, '6a00']], 0, tokenid, 'no_payload'],
    ['another token, v2', rulesV2, [V2, givesV2(otherid)], 0, tokenid, 'other_token'],
    [
      'an output of 0 units, v2',
      rulesV2,
      [[0n, hashTokens(a)], givesV2(tokenid)],
      0,
      tokenid,
      'no_amount',
    ],
  ]
  test.each(rows)('%s', (_, rules, all, vout, id, expected) => {
    expect(rules.ruleAgainst(seen(rules, ...all), vout, id)).toBe(expected)
  })
})

test.each<[string, TokenRules, Output[], boolean]>([
  ['komodod: a transfer of it', komodoRules, [gives(tokenid, [a])], true],
  ['komodod: a transfer of another', komodoRules, [gives(otherid, [a])], false],
  ['komodod: a creation', komodoRules, [creates()], false],
  ['komodod: no payload', komodoRules, [[0n, '6a00']], false],
  ['v1: a transfer of it', rulesTokelV1, [[1n, held(a)], givesV1(tokenid, [a])], true],
  ['v1: a transfer of another', rulesTokelV1, [[1n, held(a)], givesV1(otherid, [a])], false],
  ['v2: a transfer of it', rulesV2, [[1n, hashTokens(a)], givesV2(tokenid)], true],
  [
    'v2: an output that names it',
    rulesV2,
    [
      [1n, namedTokens(a, tokenid)],
      [0n, '6a00'],
    ],
    true,
  ],
  ['v2: a transfer of another', rulesV2, [[1n, hashTokens(a)], givesV2(otherid)], false],
])('may move the token: %s', (_, rules, all, expected) => {
  expect(rules.tokensMoved(seen(rules, ...all)).includes(tokenid)).toBe(expected)
})

function transferred(
  rules: TokenRules,
  all: Output[],
  { inputs = [c], data = '' }: { inputs?: string[]; data?: string } = {},
) {
  const extras = data === '' ? [] : [{ kind: 'nonFungible', id: 0x11, data } as const]
  const { amounts, rule } = rules.transferred(seen(rules, ...all), tokenid, inputs, { extras })
  return [Object.fromEntries([...amounts].map(([at, value]) => [at, Number(value)])), rule]
}

describe('units in a transfer on komodod’s chains', () => {
  test.each<[string, Output[], { [vout: number]: number }]>([
    [
      'what the payload and the inputs name',
      [[3n, held(a)], [5n, held(c)], [7n, p2pk(a)], [11n, held(b)], gives(tokenid, [a])],
      { 0: 3, 1: 5 },
    ],
    ['nothing in it', [[0n, held(a)], [-1n, held(c)], gives(tokenid, [a])], {}],
    ['nothing that drops data', [[3n, `${held(a)}02010275`], gives(tokenid, [a])], {}],
    [
      'as much as the last module’s code says',
      [[3n, held(a, [0xe3, 0xf2])], gives(tokenid, [a], '1202e378')],
      { 0: 3 },
    ],
  ])('%s', (_, all, amounts) => {
    expect(transferred(komodoRules, all)).toEqual([amounts, undefined])
  })

  // komodo src/cc/CCtokens.cpp, IsTokensvout: the last output is never one
  test('the last output is never one', () => {
    const outputs = outputsOf([3n, held(a)], [5n, held(a)])
    const payload = lastPayload(outputsOf(gives(tokenid, [a])))
    const transaction = { txid, inputs: [], outputs } as never as Transaction
    const { amounts } = komodoRules.transferred(
      { txid, transaction, payload },
      tokenid,
      [],
      fungible,
    )
    expect([...amounts]).toEqual([[0, 3n]])
  })

  // komodo src/cc/CCtokens.cpp, TokensValidate: "spending cc marker not supported for fungible
  // tokens"
  const burned = (script: string, value = 3n, extras = ''): Output[] => [
    [value, script],
    gives(tokenid, [burnKey], extras),
  ]
  test.each<[string, Output[], { inputs?: string[]; data?: string }, string | undefined]>([
    [
      'a burn with the marker',
      burned(held(burnKey)),
      { inputs: [c, moduleKey] },
      'marker_spent_with_burn',
    ],
    ['a burn without it', burned(held(burnKey)), { inputs: [c] }, undefined],
    ['a burn of nothing', burned(held(burnKey), 0n), { inputs: [moduleKey] }, undefined],
    ['no burn', [[3n, held(a)], gives(tokenid, [a])], { inputs: [moduleKey] }, undefined],
    [
      'a burn of a non-fungible token',
      burned(held(burnKey, [0xf1, 0xf2])),
      { inputs: [moduleKey], data: 'f1' },
      undefined,
    ],
    [
      'a burn of a non-fungible token as if it were none',
      burned(held(burnKey)),
      { inputs: [moduleKey], data: 'f1' },
      undefined,
    ],
    [
      'a burn under the code of a further payload',
      burned(held(burnKey, [0xe3, 0xf2]), 3n, '1202e378'),
      { inputs: [moduleKey] },
      'marker_spent_with_burn',
    ],
    [
      'a burn under a code that no payload names',
      burned(held(burnKey, [0xe3, 0xf2])),
      { inputs: [moduleKey] },
      undefined,
    ],
  ])('%s', (_, all, options, rule) => {
    expect(transferred(komodoRules, all, options)[1]).toBe(rule)
  })
})

describe('units in a transfer on tokeld’s chains, v1', () => {
  const named = (pubkey: string, id: string, to: readonly string[] = [pubkey]) =>
    held(pubkey) + shown('f2', [pubkey], 1, [`f25401${id}0${to.length}${to.map(key).join('')}`])
  const assetsV1 = '02adf84e0e075cf90868bd4e3d34a03420e034719649c41f371fc70d8e33aa2702'
  test.each<[string, Output[], { [vout: number]: number }]>([
    [
      'what the payload and the inputs name',
      [[3n, held(a)], [5n, held(c)], [7n, p2pk(a)], [11n, held(b)], givesV1(tokenid, [a])],
      { 0: 3, 1: 5 },
    ],
    ['nothing in it', [[0n, held(a)], [-1n, held(c)], givesV1(tokenid, [a])], {}],
    ['nothing of another token', [[3n, held(a)], givesV1(otherid, [a])], {}],
    ['nothing of a creation', [[3n, held(a)], createsV1()], {}],
    ['what drops its keys', [[3n, held(a) + shown('f2', [a])], givesV1(tokenid, [a])], { 0: 3 }],
    [
      'what names it itself',
      [[3n, named(a, tokenid)], [5n, named(b, otherid)], givesV1(otherid, [c])],
      { 0: 3 },
    ],
    [
      'what names it, by the keys that it names there',
      [[3n, named(a, tokenid, [b])], [5n, named(a, tokenid)], [7n, held(a)], givesV1(tokenid, [b])],
      { 1: 5 },
    ],
    [
      'what a key and a module hold together',
      [[3n, tokenScript([a, moduleKey])], [5n, tokenScript([b, moduleKey])], givesV1(tokenid, [a])],
      { 0: 3 },
    ],
    [
      'that under a further module’s code with that module',
      [
        [3n, tokenScript([a, assetsV1], { evalCodes: [0xe3, 0xf2] })],
        [5n, tokenScript([a, moduleKey], { evalCodes: [0xe3, 0xf2] })],
        [7n, tokenScript([a, moduleKey])],
        [11n, held(a, [0xe3, 0xf2])],
        givesV1(tokenid, [a], '02e378'),
      ],
      { 0: 3, 3: 11 },
    ],
    [
      'a code that is not a module’s has no key',
      [
        [3n, tokenScript([a, moduleKey], { evalCodes: [0xc0, 0xf2] })],
        [5n, held(a, [0xc0, 0xf2])],
        givesV1(tokenid, [a], '02c000'),
      ],
      { 1: 5 },
    ],
    [
      'nor has that of a module without one',
      [
        [3n, tokenScript([a, moduleKey], { evalCodes: [0xe1, 0xf2] })],
        [5n, held(a, [0xe1, 0xf2])],
        givesV1(tokenid, [a], '02e100'),
      ],
      { 1: 5 },
    ],
    [
      'what is not a key is held with nobody',
      [[3n, tokenScript([a, moduleKey])], claimed(`f25401${tokenid}0201aa${key(a)}`)],
      { 0: 3 },
    ],
  ])('%s', (_, all, amounts) => {
    expect(transferred(rulesTokelV1, all)).toEqual([amounts, undefined])
  })

  test('leaves an output under the eval code of data unknown', () => {
    const all: Output[] = [[3n, held(a)], [5n, held(a, [0xf1, 0xf2])], givesV1(tokenid, [a])]
    expect(transferred(rulesTokelV1, all, { data: 'f1' })).toEqual([{ 0: 3 }, undefined])
  })

  test('scripts are read once', () => {
    let reads = 0
    const output = {
      value: 1n,
      get script() {
        reads += 1
        return held(a)
      },
    }
    const outputs = [output, ...outputsOf(givesV1(tokenid, [a]))]
    const transaction = { txid, inputs: [], outputs } as never as Transaction
    const it = { txid, transaction, payload: rulesTokelV1.payloadOf(outputs) }
    expect(rulesTokelV1.tokenOf(it, 0)).toBe(tokenid)
    const before = reads
    expect(rulesTokelV1.tokenOf(it, 0)).toBe(tokenid)
    expect(reads).toBe(before)
  })
})

describe('units in a transfer of tokens v2', () => {
  test.each<[string, Output[], { [vout: number]: number }]>([
    [
      'every output under the module’s code, whoever holds it',
      [
        [3n, hashTokens(a)],
        [5n, keyTokens(b)],
        [7n, sharedTokens(2, [a, b, c])],
        [11n, asks],
        [13n, p2pk(a)],
        [17n, held(a)],
        [19n, mixedScript([assets], [0xf6])],
        givesV2(tokenid),
      ],
      { 0: 3, 1: 5, 2: 7, 3: 11 },
    ],
    ['nothing in it', [[0n, hashTokens(a)], [-1n, keyTokens(a)], givesV2(tokenid)], {}],
    ['nothing of another token', [[3n, hashTokens(a)], givesV2(otherid)], {}],
    ['nothing of a creation', [[3n, hashTokens(a)], createsV2()], {}],
    [
      'nothing without a payload',
      [
        [3n, hashTokens(a)],
        [0n, '6a00'],
      ],
      {},
    ],
    [
      'what names it itself',
      [
        [3n, namedTokens(a, tokenid)],
        [5n, namedTokens(b, otherid)],
        [7n, namedTokens(c, tokenid)],
        givesV2(otherid),
      ],
      { 0: 3, 2: 7 },
    ],
  ])('%s', (_, all, amounts) => {
    expect(transferred(rulesV2, all)).toEqual([amounts, undefined])
  })

  test('is read once for all tokens', () => {
    const it = seen(rulesV2, [3n, hashTokens(a)], givesV2(tokenid))
    const held = () => rulesV2.transferred(it, tokenid, [], fungible).amounts
    expect([...held()]).toEqual([[0, 3n]])
    expect(held()).toBe(held())
  })
})

describe('units that a creation issues', () => {
  const issued = (rules: TokenRules, ...all: Output[]) => {
    const { amounts, rule, required } = rules.issued(outputsOf(...all))
    return { amounts: Object.fromEntries(amounts), required, ...(rule && { rule }) }
  }
  const marker: Output = [10_000n, tokenMarkerV1]

  // komodo src/cc/CCtokens.cpp, IsTokensvout, of the last output and of 'c'
  test.each<[string, Output[], { [vout: number]: bigint }, bigint]>([
    ['the supply', [marker, [7n, held(a)], creates()], { 1: 7n }, 7n],
    [
      'all conditions but the marker, whoever holds them',
      [[3n, held(b, [0xe3])], marker, [5n, held(a)], [7n, p2pk(a)], creates()],
      { 0: 3n, 2: 5n },
      8n,
    ],
    ['nothing in it', [marker, [0n, held(a)], [-1n, held(a)], creates()], {}, 0n],
    [
      'what is last is paid for and holds none',
      [
        [3n, held(a)],
        [5n, held(a)],
      ],
      { 0: 3n },
      8n,
    ],
  ])('komodod: %s', (_, all, amounts, required) => {
    expect(issued(komodoRules, ...all)).toEqual({ amounts, required })
  })

  test.each<[string, Output[], { [vout: number]: bigint }, bigint]>([
    ['the supply', [marker, [7n, held(a)], createsV1()], { 1: 7n }, 7n],
    [
      'what the owner holds, and nothing else',
      [
        [3n, held(b)],
        marker,
        [5n, held(a)],
        [6n, held(a, [0xf1, 0xf2])],
        [7n, p2pk(a)],
        createsV1(),
      ],
      { 2: 5n },
      5n,
    ],
    ['what drops keys', [[7n, held(a) + shown('f2', [a])], createsV1()], { 0: 7n }, 7n],
    ['nothing in it', [marker, [0n, held(a)], [-1n, held(a)], createsV1()], {}, 0n],
    ['nothing of a transfer', [[3n, held(a)], givesV1(tokenid, [a])], {}, 0n],
    ['nothing without a payload', [[3n, held(a)]], {}, 0n],
    ['nothing of nothing', [], {}, 0n],
    [
      'nothing where the owner is not a key',
      [[3n, held(a)], claimed('f2430102abcd015400')],
      {},
      0n,
    ],
    [
      'nothing of others where the owner is not a point',
      [[3n, held(a)], createsV1(beyond)],
      {},
      0n,
    ],
    [
      'what the owner holds who is not a point, and can never spend it',
      [[3n, slotScript([beyond], [0xf2])], createsV1(beyond)],
      { 0: 3n },
      3n,
    ],
    // tokel src/cc/CCutils.cpp, GetCCDropAsOpret: what it drops stands for the payload
    [
      'nothing in what names another token, which is paid for',
      [[7n, held(a) + shown('f2', [a], 1, [`f25401${otherid}01${key(a)}`])], createsV1()],
      {},
      7n,
    ],
    [
      'nothing in what drops data that say nothing',
      [[7n, held(a) + shown('f2', [a], 1, ['abcd'])], [3n, held(a)], createsV1()],
      { 1: 3n },
      10n,
    ],
    // "cannot create tokens with token shared pubkey"
    ['nothing to the module’s key', [marker, createsV1(moduleKey)], {}, 0n],
  ])('tokeld v1: %s', (_, all, amounts, required) => {
    expect(issued(rulesTokelV1, ...all)).toEqual({ amounts, required })
  })

  const markerV2: Output = [10_000n, tokenMarker]
  const rule = 'creation_not_single'
  // "tokencreate cannot have more than one marker", "invalid marker value", "creation tx can't have
  // several token vouts"
  test.each<[string, Output[], { [vout: number]: bigint }, string?]>([
    ['the supply', [markerV2, [7n, keyTokens(a)], createsV2()], { 1: 7n }],
    ['the marker after it', [[7n, keyTokens(a)], markerV2, createsV2()], { 0: 7n }],
    [
      'a marker that drops keys',
      [[10_000n, tokenMarker + shown('f5', [tokens])], [7n, keyTokens(a)], createsV2()],
      { 1: 7n },
    ],
    [
      'what names another token',
      [markerV2, [7n, namedTokens(a, otherid)], createsV2()],
      { 1: 7n },
      rule,
    ],
    ['no supply', [markerV2, createsV2()], {}, rule],
    [
      'two outputs',
      [markerV2, [3n, keyTokens(a)], [5n, keyTokens(b)], createsV2()],
      { 1: 3n, 2: 5n },
      rule,
    ],
    ['no marker', [[7n, keyTokens(a)], createsV2()], { 0: 7n }, rule],
    ['two markers', [markerV2, markerV2, [7n, keyTokens(a)], createsV2()], { 2: 7n }, rule],
    ['a marker of less', [[9_999n, tokenMarker], [7n, keyTokens(a)], createsV2()], { 1: 7n }, rule],
    [
      'a marker of more',
      [[10_001n, tokenMarker], [7n, keyTokens(a)], createsV2()],
      { 1: 7n },
      rule,
    ],
    [
      'nothing in one, and coins',
      [markerV2, [0n, keyTokens(b)], [7n, keyTokens(a)], [9n, p2pk(a)], createsV2()],
      { 2: 7n },
    ],
  ])('tokens v2: %s', (_, all, amounts, broken) => {
    // one input of the owner's is enough
    const expected = { amounts, required: 1n, ...(broken && { rule: broken }) }
    expect(issued(rulesV2, ...all)).toEqual(expected)
  })

  test('puts the supply where the daemon puts it, for as much as it asks', () => {
    expect(komodoRules.issuanceScript(a, '')).toBe(held(a))
    expect(komodoRules.issuanceScript(a, 'f1aabb')).toBe(held(a, [0xf1, 0xf2]))
    expect(komodoRules.issuanceScript(a, '00f1')).toBe(held(a, [0x00, 0xf2]))
    expect(rulesTokelV1.issuanceScript(a, 'f1aabb')).toBe(held(a))
    expect(rulesV2.issuanceScript(a, 'f7aabb')).toBe(keyTokens(a))
    const paid = [komodoRules, rulesTokelV1, rulesV2].map((it) => it.paidByOwner(100n))
    expect(paid).toEqual([100n, 100n, 1n])
  })
})

// anybody can put such a creation on a chain, and name it as a token's
test.each([beyond, `04${'ab'.repeat(64)}`])('a creation by %s is disproven', (owner) => {
  const hex = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [{ txid, vout: 0, scriptSig: '', sequence: 0xffffffff }],
    outputs: outputsOf([3n, held(a)], claimed(`f24301${push(owner)}015400`)),
    lockTime: 0,
  })
  const made = transactionId(hex)
  const proof = proveTokenOutput(made, 0, made, [hex], { network: networks.tokel })
  expect(proof.verdict).toBe('disproven')
})

describe('a creation that was not given', () => {
  const data = (code: string) => ({ extras: [{ kind: 'nonFungible', id: 0x11, data: code }] })
  test.each<[string, string[], object]>([
    ['is fungible where no condition is spent', [p2pk(a)], fungible],
    ['is fungible where nothing is', [], fungible],
    ['is fungible where the owner’s are', [held(a)], fungible],
    ['has data where the owner’s have a code', [held(a, [0xf1, 0xf2])], data('f1')],
    ['has data where that is 0', [held(a, [0x00, 0xf2])], data('00')],
    ['has data where that has one digit', [p2pk(a), held(a, [0x05, 0xf2])], data('05')],
    ['is fungible where both are spent', [held(a, [0xf1, 0xf2]), held(a)], fungible],
    ['is fungible where another’s are', [held(b, [0xf1, 0xf2])], fungible],
  ])('%s', (_, scripts, expected) => {
    expect(komodoRules.assumedCreation(a, scripts)).toEqual(expected)
    expect(rulesTokelV1.assumedCreation(a, scripts)).toEqual(fungible)
    expect(rulesV2.assumedCreation(a, scripts)).toEqual(fungible)
  })
})

describe('where tokens lie', () => {
  const nft = { extras: [{ kind: 'nonFungible', id: 0x11, data: 'f1aa' }] } as never

  test('tokens lie where komodod’s rules say', () => {
    const places = komodoRules.placesOf(fungible)
    expect(places.scriptsOf([a, b])).toEqual([held(a), held(b)])
    expect(komodoRules.placesOf(nft).scriptsOf([a])).toEqual([held(a, [0xf1, 0xf2])])
    expect(rulesTokelV1.placesOf(nft).scriptsOf([a])).toEqual([held(a)])
    expect(places.finderOf(a)(held(a))).toBe(true)
    expect(places.finderOf(a)(held(b))).toBe(false)
    expect(places.isLookalike(p2pk(a), a)).toBe(true)
    expect(places.isLookalike(p2pk(b), a)).toBe(false)
    const keys = { required: 1, pubkeys: [a] }
    expect(() => places.scriptsOf([keys])).toThrow(TypeError)
    expect(() => places.finderOf(keys)).toThrow(/^holder: several keys/)
  })

  const places = rulesV2.placesOf(fungible)
  test('places tokens v2 behind the hash of a key unless the output names the token', () => {
    expect(places.scriptsOf([a, hashOfKey(b)])).toEqual([hashTokens(a), hashTokens(b)])
    expect(places.scriptsOf([a], tokenid)).toEqual([namedTokens(a, tokenid)])
    // tokenv2burn names its key
    const { tokel } = burnPublicKeys
    expect(places.scriptsOf([tokel, a])).toEqual([keyTokens(tokel), hashTokens(a)])
    expect(places.scriptsOf([tokel], tokenid)).toEqual([namedTokens(tokel, tokenid)])
    const set = { required: 2, pubkeys: [a, b, c] }
    expect(places.scriptsOf([set])).toEqual([sharedTokens(2, [a, b, c])])
    expect(places.scriptsOf([set], tokenid)).toEqual([sharedTokens(2, [a, b, c])])
  })

  test.each<[string, string, boolean]>([
    ['behind the hash', hashTokens(a), true],
    ['behind the key’s condition', keyTokens(a), true],
    ['naming the token', namedTokens(a, tokenid), true],
    ['dropping nothing', mixedScript([a], [0xf5]), true],
    ['another’s', keyTokens(b), false],
    ['another’s hash', hashTokens(b), false],
    ['of another module', mixedScript([a], [0xf6]), false],
    ['with what stays', `${mixedScript([a], [0xf5])}0101`, false],
    ['a key', p2pk(a), false],
    ['', '', false],
  ])('finds the tokens v2 of a key: %s', (_, script, expected) => {
    expect(tokenFinderV2(a)(script)).toBe(expected)
    expect(places.finderOf(a)(script)).toBe(expected)
  })

  test('finds the tokens v2 of a hash, and of several keys', () => {
    expect(tokenFinderV2(hashOfKey(a))(hashTokens(a))).toBe(true)
    expect(tokenFinderV2(hashOfKey(a))(keyTokens(a))).toBe(false)
    // no tokeld hides a hash
    const tree = moduleCondition([hashOfKey(a)], { evalCodes: [0xf5] })
    const hiddenHash = conditionScript(tree, { form: 'M' })
    expect(tokenFinderV2(hashOfKey(a))(hiddenHash)).toBe(false)
    const find = tokenFinderV2({ required: 2, pubkeys: [a, b] })
    expect(find(sharedTokens(2, [a, b]))).toBe(true)
    expect(find(mixedScript([a, b], [0xf5], { required: 2 }))).toBe(true)
    expect(find(sharedTokens(1, [a, b]))).toBe(false)
    expect(find(keyTokens(a))).toBe(false)
  })

  const set = { required: 2, pubkeys: [a, b] }
  test.each<[string, string, Parameters<typeof places.isLookalike>[1], boolean]>([
    ['its plain key', p2pk(a), a, true],
    ['its plain address', `76a914${hashOfKey(a)}88ac`, a, true],
    ['komodod’s condition', held(a), a, true],
    ['another’s plain key', p2pk(b), a, false],
    ['a plain key of several', p2pk(b), set, true],
    ['a plain key of none of several', p2pk(c), set, false],
    ['the plain address of a hash', `76a914${hashOfKey(a)}88ac`, hashOfKey(a), false],
    ['the key by name', keyTokens(a), a, true],
    ['another by name', keyTokens(b), a, false],
    ['the key among others', sharedTokens(1, [b, a]), a, true],
    ['the hash of the key', hashTokens(a), a, true],
    ['the hash', hashTokens(a), hashOfKey(a), true],
    ['komodo’s condition of a hash', held(a), hashOfKey(a), false],
    ['another hash', hashTokens(b), hashOfKey(a), false],
    ['the key behind its condition', mixedScript([a], [0xf5]), a, true],
    ['the key behind that of another module', mixedScript([a], [0xf6]), a, true],
    ['another behind its condition', mixedScript([b], [0xf5]), a, false],
    ['several behind theirs', mixedScript([a, b], [0xf5], { required: 2 }), set, true],
    ['one of several is enough', mixedScript([a, b], [0xf5], { required: 1 }), set, false],
    ['one of several alone', keyTokens(b), set, true],
    ['a condition that hides nothing', mixedScript([c], [0xf5], { form: 'N' }), a, false],
    ['nothing', '', a, false],
  ])('recognizes an output that resembles tokens v2: %s', (_, script, holder, expected) => {
    expect(places.isLookalike(script, holder)).toBe(expected)
  })

  test('sees no resemblance to tokens of another key', () => {
    expect(places.isLookalike(hashTokens(c), a)).toBe(false)
    expect(places.isLookalike(mixedScript([b], [0xf5]), beyond)).toBe(false)
  })
})

test('reads the data that an output drops as a payload of v2 only', () => {
  const drops = (...data: string[]) =>
    droppedPayload({ evalCodes: [], members: [], isUsual: true, data })
  expect(drops(`f57401${tokenid}`)).toMatchObject({ kind: 'transfer', tokenid })
  expect(drops(`f57401${otherid}`, `f57401${tokenid}`)).toMatchObject({ tokenid: otherid })
  expect(drops(givesV1(tokenid, [a])[1].slice(4))).toBeUndefined()
  expect(drops('abcd')).toBeUndefined()
  expect(drops()).toBeUndefined()
})

describe('the rules of a network', () => {
  const { tokel, assetChain } = networks
  const v1 = outputsOf(givesV1(tokenid, [a]))
  const v2 = outputsOf(givesV2(tokenid))
  const none = outputsOf([0n, '6a00'])

  test('are komodod’s where tokeld does not run', () => {
    expect(rulesOf(assetChain)).toBe(komodoRules)
    expect(rulesOf(assetChain, v2)).toBe(komodoRules)
    expect(rulesOfNew(assetChain, 1)).toBe(komodoRules)
    expect(rulesOfNew(assetChain, 2)).toBe(komodoRules)
  })

  test('are of the version that the first transaction shows, and else v2', () => {
    expect(rulesOf(tokel)).toBe(rulesV2)
    expect(rulesOf(tokel, v1)).toBe(rulesTokelV1)
    expect(rulesOf(tokel, v2)).toBe(rulesV2)
    expect(rulesOf(tokel, none)).toBe(rulesV2)
    expect(rulesOf(tokel, undefined, none, v1, v2)).toBe(rulesTokelV1)
    expect(rulesOf(tokel, v2, v1)).toBe(rulesV2)
    expect(rulesOfNew(tokel, 1)).toBe(rulesTokelV1)
    expect(rulesOfNew(tokel, 2)).toBe(rulesV2)
  })
})
