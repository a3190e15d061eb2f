// tokeld's rules for transactions of tokens, called directly on transactions that are made up here. Source:
// tokel src/cc/CCtokens.cpp, TokensValidate, Tokensv2Validate; src/cc/CCtokens_impl.h, TokensExactAmounts.

import { describe, expect, test } from 'vitest'

import { burnKeysOf } from '../../../src/chain/modules.ts'
import { type Transaction, type TransactionOutput, tokenScript } from '../../../src/index.ts'
import { creationIn, readOutput } from '../../../src/token/rules/tokel-output.ts'
import {
  tokelRefusal,
  tokelSupply,
  tokelTokensAt,
} from '../../../src/token/rules/tokel-validation.ts'
import { a, b, c, moduleKey } from '../../support/resigned.ts'
import {
  type Input,
  id,
  made,
  out,
  payloadOutput as says,
  shows,
  vec,
} from '../../support/rules-made.ts'
import { mixedScript, tokens } from '../../support/sign-tokel.ts'
import {
  keyTokens,
  namedTokens,
  p2pk,
  shown,
  tokenMarker,
  tokenMarkerV1,
} from '../../support/tokel-market.ts'

const [funds, token, second, nowhere, moved, own] = ['1', '2', '3', '4', '5', '9'].map(id) as [
  string,
  string,
  string,
  string,
  string,
  string,
]

const coin: Input = [funds, 0]
const others: Input = [funds, 1]
const fundsMade = made(funds, [[nowhere, 0]], [out(100_000n, p2pk(a)), out(100_000n, p2pk(b))])

interface World {
  readonly version: 1 | 2
  readonly evalCode: string
  readonly held: (pubkey: string) => string
  readonly marker: string
  readonly module: string
  readonly creates: (owner?: string, data?: string) => TransactionOutput
  readonly gives: (tokenid: string) => TransactionOutput
}
const v2: World = {
  version: 2,
  evalCode: 'f5',
  held: keyTokens,
  marker: tokenMarker,
  module: tokens,
  creates: (owner = a, data = '') =>
    says(`f56301${vec(owner)}015400${data === '' ? '' : vec(data)}`),
  gives: (tokenid) => says(`f57401${tokenid}`),
}
const v1: World = {
  version: 1,
  evalCode: 'f2',
  held: (pubkey) => tokenScript(pubkey, { evalCodes: [0xf2] }),
  marker: tokenMarkerV1,
  module: moduleKey,
  creates: (owner = a, data = '') =>
    says(`f24301${vec(owner)}015400${data === '' ? '' : vec(data)}`),
  gives: (tokenid) => says(`f25401${tokenid}02${vec(b)}${vec(a)}`),
}
const mark = (world: World, value = 10_000n) => out(value, world.marker)
const creationOf = (world: World, txid: string, supply = 100n, data = '') =>
  made(txid, [coin], [mark(world), out(supply, world.held(a)), world.creates(a, data)])

function chainOf(world: World, chain: readonly Transaction[] = []) {
  const all = [fundsMade, creationOf(world, token), creationOf(world, second), ...chain]
  const known = new Map(all.map((it) => [it.txid, it]))
  return {
    find: (txid: string) => known.get(txid),
    refusalBy: (code: number) =>
      code === 0xee || !Number.isInteger(code) ? 'the module refuses' : undefined,
  }
}
function refusal(
  world: World,
  inputs: readonly Input[],
  outputs: readonly TransactionOutput[],
  chain: readonly Transaction[] = [],
) {
  return tokelRefusal(made(own, inputs, outputs), world.version, chainOf(world, chain))
}

describe.each([
  ['tokens v1', v1],
  ['tokens v2', v2],
] as const)('a transfer of %s', (_, world) => {
  const { held, gives, evalCode } = world
  const from: Input = [token, 1, shows(a, evalCode)]
  const whole = [out(70n, held(b)), out(30n, held(a)), gives(token)]
  const transfer = (outputs: readonly TransactionOutput[], inputs: readonly Input[] = [from]) =>
    refusal(world, inputs, outputs)
  const unequal = `cc inputs not equal outputs for tokenid=${token}`

  test('keeps all units of its token', () => {
    expect(transfer(whole)).toBeUndefined()
    expect(transfer(whole, [coin, from])).toBeUndefined()
    expect(transfer(whole.with(0, out(71n, held(b))))).toBe(unequal)
    expect(transfer(whole.with(0, out(69n, held(b))))).toBe(unequal)
    expect(transfer(whole.toSpliced(1, 1))).toBe(unequal)
  })

  test('has outputs, and one payload', () => {
    expect(transfer([])).toBe('no vouts')
    expect(transfer([...whole, gives(token)])).toBe('only one opreturn supported')
  })

  test('brings tokens, and pays them', () => {
    const nothing = 'no tokens cc vins or cc vouts'
    expect(transfer([out(1n, p2pk(b))])).toBe(nothing)
    expect(transfer([out(1n, p2pk(b)), gives(token)])).toBe(nothing)
    expect(transfer([mark(world), gives(token)])).toBe(nothing)
    expect(transfer([out(1n, p2pk(b))], [[funds, 0, shows(a, evalCode)]])).toBe(nothing)
  })

  test('spends transactions that are there', () => {
    const missing: Input = [nowhere, 7, shows(a, evalCode)]
    expect(transfer(whole, [missing])).toBe('could not load vin tx 0')
    expect(transfer(whole, [[funds, 7], [nowhere, 6], missing])).toBe('could not load vin tx 2')
    expect(transfer(whole, [[token, 9, shows(a, evalCode)]])).toBe('out of bounds')
  })

  test('has no marker', () => {
    expect(transfer([...whole.slice(0, 2), mark(world), gives(token)])).toBe(
      'tokentransfer cannot have markers',
    )
    expect(transfer([...whole.slice(0, 2), mark(world), mark(world), gives(token)])).toBe(
      'tokentransfer cannot have markers',
    )
    expect(transfer([...whole.slice(0, 2), mark(world, 9n), gives(token)])).toBe(
      'invalid marker value',
    )
  })

  test('spends no marker', () => {
    const marker: Input = [token, 0, shows(world.module, evalCode)]
    expect(transfer(whole, [from, marker])).toBe(
      `marker spending is not allowed for tokenid=${token}`,
    )
  })

  test('keeps what an earlier transfer moved', () => {
    const before = made(moved, [from], whole)
    const inputs: readonly Input[] = [[moved, 0, shows(b, evalCode)]]
    const outputs = [out(70n, held(a)), gives(token)]
    expect(refusal(world, inputs, outputs, [before])).toBeUndefined()
    expect(refusal(world, inputs, [out(69n, held(a)), gives(token)], [before])).toBe(unequal)
  })

  test('moves nothing of a creation of nothing', () => {
    const empty = made(moved, [coin], [out(0n, held(a)), world.creates()])
    const inputs: readonly Input[] = [[moved, 0, shows(a, evalCode)]]
    expect(refusal(world, inputs, [out(5n, held(b)), gives(moved)], [empty])).toBe(
      'no tokens cc vins or cc vouts',
    )
  })
})

describe('a marker', () => {
  const nft = id('6')
  const [burn] = burnKeysOf.tokel as [string]
  const inputs: readonly Input[] = [
    [nft, 1, shows(a, 'f5')],
    [nft, 0, shows(tokens, 'f5')],
  ]
  const burns = (supply: bigint, data: string) =>
    refusal(
      v2,
      inputs,
      [out(supply, keyTokens(burn)), v2.gives(nft)],
      [creationOf(v2, nft, supply, data)],
    )
  const refused = `marker spending is not allowed for tokenid=${nft}`

  test('is spent with the one unit of a token with data, which is burned', () => {
    expect(burns(1n, 'ef00')).toBeUndefined()
    expect(burns(2n, 'ef00')).toBe(refused)
    expect(burns(1n, '')).toBe(refused)
  })

  test.each([nft, funds])('is none of a token whose creation is not known: %s', (named) => {
    const spends: Input = [nowhere, 1, shows(a, 'f5')]
    const before = made(moved, [spends], [out(7n, keyTokens(b)), v2.gives(named)])
    const from: Input = [moved, 0, shows(b, 'f5')]
    const outputs = [out(7n, keyTokens(a)), v2.gives(named)]
    expect(refusal(v2, [from], outputs, [before])).toBeUndefined()
  })

  test('is nothing without a payload, in tokens v1', () => {
    const from: Input = [token, 1, shows(a, 'f2')]
    expect(refusal(v1, [from], [mark(v1)])).toBe('no tokens cc vins or cc vouts')
  })
})

describe('a transfer of several tokens', () => {
  const inputs: readonly Input[] = [
    [token, 1, shows(a, 'f5')],
    [second, 1, shows(a, 'f5')],
  ]
  const pays = (one: bigint, two: bigint) => [
    out(one, namedTokens(b, token)),
    out(two, namedTokens(b, second)),
  ]

  test('keeps all units of each', () => {
    expect(refusal(v2, inputs, pays(100n, 100n))).toBeUndefined()
    expect(refusal(v2, inputs, pays(101n, 99n))).toBe(
      `cc inputs not equal outputs for tokenid=${token}`,
    )
    expect(refusal(v2, inputs, pays(100n, 99n))).toBe(
      `cc inputs not equal outputs for tokenid=${second}`,
    )
    expect(refusal(v2, inputs, pays(100n, 100n).slice(0, 1))).toBe('no tokens cc vins or cc vouts')
    expect(refusal(v2, inputs.slice(0, 1), pays(100n, 100n))).toBe('no tokens cc vins or cc vouts')
  })

  test('has none in the outputs that comes from nothing', () => {
    expect(refusal(v2, [coin], [out(0n, keyTokens(b)), v2.gives(token)])).toBe(
      'no tokens cc vins or cc vouts',
    )
    const inputsOfOne = inputs.slice(0, 1)
    expect(refusal(v2, inputsOfOne, [out(100n, namedTokens(b, second))])).toBe(
      `cc inputs not equal outputs for tokenid=${token}`,
    )
  })
})

describe('a creation of tokens v2', () => {
  const whole = [mark(v2), out(5n, v2.held(a)), v2.creates()]
  const creation = (outputs: readonly TransactionOutput[], inputs: readonly Input[] = [coin]) =>
    refusal(v2, inputs, outputs)

  test('has one output of units, and a marker at most', () => {
    expect(creation(whole)).toBeUndefined()
    expect(creation(whole.slice(1))).toBeUndefined()
    expect(creation([out(1n, v2.held(b)), ...whole])).toBe(
      "creation tx can't have several token vouts",
    )
    expect(creation([mark(v2), ...whole])).toBe('tokencreate cannot have more than one marker')
    expect(creation(whole.with(0, mark(v2, 9999n)))).toBe('invalid marker value')
  })

  test('is paid for by its owner, who is not the module', () => {
    expect(creation(whole, [others])).toBe('no vins signed with creator pubkey')
    expect(creation(whole, [others, coin])).toBeUndefined()
    const funded = made(moved, [coin], [out(5n, p2pk(tokens))])
    const outputs = [out(5n, v2.held(a)), v2.creates(tokens)]
    expect(refusal(v2, [[moved, 0]], outputs, [funded])).toBe(
      'cannot create tokens with token shared pubkey',
    )
  })

  test('has its owner in the payload of the transaction', () => {
    const params = shown('f5', [a], 1, [`f56301${vec(a)}015400`])
    const script = mixedScript([a], [0xf5], { params })
    expect(creation([out(5n, script), v2.creates()])).toBeUndefined()
    expect(creation([out(5n, script), out(5n, p2pk(a))])).toBe('no vins signed with creator pubkey')
  })

  test('spends no tokens, and moves none', () => {
    const from: Input = [token, 1, shows(a, 'f5')]
    expect(creation(whole, [coin, from])).toBe("creation tx can't have token vins")
    expect(creation([out(5n, v2.held(a)), out(100n, namedTokens(b, token)), v2.creates()])).toBe(
      "can't have both create and transfer vouts",
    )
  })

  test('has data to whose module it belongs, which may refuse it', () => {
    const of = (data: string) => creation(whole.with(-1, v2.creates(a, data)))
    expect(of('ee00')).toBe('the module refuses')
    expect(of('ef00')).toBeUndefined()
    expect(of('00ee')).toBeUndefined()
    const empty = says(`f56301${vec(a)}01540000`)
    expect(creation(whole.with(-1, empty))).toBeUndefined()
    expect(creation(whole.with(-1, v2.creates(a, 'ef00')), [others])).toBe(
      'no vins signed with creator pubkey',
    )
    const moves = [out(100n, keyTokens(b)), says(`f57401${token}${vec('ee00')}`)]
    expect(creation(moves, [[token, 1, shows(a, 'f5')]])).toBeUndefined()
  })

  test('counts its units', () => {
    const chain = chainOf(v2)
    expect(tokelSupply(token, 2, chain)).toBe(100n)
    expect(tokelSupply(nowhere, 2, chain)).toBe(0n)
    expect(tokelTokensAt({ txid: token, vout: 1 }, 2, chain)).toMatchObject({
      tokenid: token,
      amount: 100n,
    })
    for (const vout of [0, 2, 9]) {
      expect(tokelTokensAt({ txid: token, vout }, 2, chain)).toBeUndefined()
    }
    expect(tokelTokensAt({ txid: nowhere, vout: 0 }, 2, chain)).toBeUndefined()
    expect(creationIn(chain.find(token)!, 2)).toMatchObject({ kind: 'create', owner: a })
    expect(creationIn(made(own, [], [v2.gives(token)]), 2)).toBeUndefined()
    expect(creationIn(made(own, [], [out(1n, p2pk(a))]), 2)).toBeUndefined()
  })
})

describe('an output of tokens v2', () => {
  const read = (script: string, payload: TransactionOutput = v2.gives(token), value = 5n) =>
    readOutput(made(own, [coin], [out(value, script), payload]), 0, 2, chainOf(v2))

  test('has the token of its own data, or of the transaction', () => {
    expect(read(keyTokens(b))).toEqual({ kind: 'transfer', tokenid: token, amount: 5n })
    expect(read(namedTokens(b, second))).toMatchObject({ tokenid: second })
    expect(read(keyTokens(b), v2.creates())).toEqual({ kind: 'create', tokenid: own, amount: 5n })
    expect(read(p2pk(b))).toBeUndefined()
    expect(read(v1.held(b))).toBeUndefined()
  })

  test('is refused with the zeros for a token, or with a marker of another value', () => {
    expect(read(keyTokens(b), v2.gives(id('0')))).toEqual({ words: 'null tokenid' })
    expect(read(tokenMarker, v2.creates(), 5n)).toEqual({ words: 'invalid marker value' })
    expect(read(tokenMarker, v2.creates(), 10_000n)).toMatchObject({ amount: 0n })
    expect(read(keyTokens(b), out(0n, '6a00'))).toEqual({ words: "can't decode opreturn data" })
  })
})

describe('an output of tokens v1', () => {
  const script = v1.held(a)
  const read = (
    inputs: readonly Input[],
    outputs: readonly TransactionOutput[],
    chain: readonly Transaction[] = [],
  ) => readOutput(made(own, inputs, outputs), 0, 1, chainOf(v1, chain))
  const spends: Input = [token, 1, shows(a, 'f2')]
  const drops = (payload: string) => out(5n, script + shown('f2', [a], 1, [payload]))

  test('is created by the owner who paid for it, and counts nothing otherwise', () => {
    const creation = [out(5n, script), v1.creates()]
    expect(read([coin], creation)).toEqual({ kind: 'create', tokenid: own, amount: 5n })
    expect(read([others], creation)).toEqual({ kind: 'create', tokenid: own, amount: 0n })
    const imported: readonly Input[] = [[nowhere, 1_000_000_000]]
    expect(read(imported, creation)).toEqual({ kind: 'create', tokenid: own, amount: 0n })
    expect(read([spends], creation)).toEqual({ words: 'tokenbase tx cannot have cc vins' })
    // The output drops a payload that creates, and the transaction has one that does not.
    const dropped = drops(`f24301${vec(a)}015400`)
    expect(read([coin], [dropped, v1.gives(token)])).toMatchObject({ kind: 'create', amount: 0n })
    expect(read([coin], [out(5n, script), v1.creates(a, 'ee00')])).toEqual({
      words: 'the module refuses',
    })
    const poor = made(moved, [coin], [out(4n, p2pk(a))])
    expect(read([[moved, 0]], creation, [poor])).toMatchObject({ amount: 0n })
    const enough = made(moved, [coin], [out(5n, p2pk(a))])
    expect(read([[moved, 0]], creation, [enough])).toMatchObject({ amount: 5n })
  })

  test('is not created for the key of the module', () => {
    const funded = made(moved, [coin], [out(9n, p2pk(moduleKey))])
    const outputs = [out(5n, v1.held(moduleKey)), v1.creates(moduleKey)]
    expect(read([[moved, 0]], outputs, [funded])).toEqual({
      words: 'cannot create tokens with token shared pubkey',
    })
  })

  test('is moved by a transaction that spends tokens', () => {
    const transfer = [out(5n, script), v1.gives(token)]
    expect(read([spends], transfer)).toEqual({ kind: 'transfer', tokenid: token, amount: 5n })
    expect(read([coin], transfer)).toEqual({
      words: 'no token cc vin in token transaction (and not tokenbase tx)',
    })
    expect(read([spends], [out(5n, v1.held(c)), v1.gives(token)])).toMatchObject({ amount: 0n })
    expect(read([spends], [out(5n, p2pk(a)), v1.gives(token)])).toBeUndefined()
    const toModule = says(`f25401${token}02${vec(moduleKey)}${vec(a)}`)
    expect(read([spends], [out(5n, script), toModule])).toMatchObject({ kind: 'transfer' })
    // The payload does not have to name the key that spends and gets change.
    const toOther = says(`f25401${token}01${vec(b)}`)
    expect(read([spends], [out(5n, script), toOther])).toMatchObject({ amount: 5n })
    expect(read([[token, 1, shows(c, 'f2')]], [out(5n, script), toOther])).toMatchObject({
      amount: 0n,
    })
  })

  test('may drop a payload of its own, for some keys but not that of the module', () => {
    const last = v1.gives(second)
    expect(read([spends], [drops(`f25401${token}01${vec(a)}`), last])).toMatchObject({
      tokenid: token,
      amount: 5n,
    })
    expect(read([spends], [drops(`f25401${token}01${vec(moduleKey)}`), last])).toEqual({
      words: 'cannot send tokens to global pk',
    })
    expect(read([spends], [drops(`f25401${token}00`), last])).toEqual({
      words: 'pubkeys size should be 1 or 2',
    })
  })
})
