// The members of a request that name the wallet's own scripts. The rule for the scripts themselves
// is in test/unit/signing/own-scripts.test.ts.

import { describe, expect, test } from 'vitest'

import { moduleNames } from '../../../src/chain/modules.ts'
import { addressOf, networks } from '../../../src/index.ts'
import { ownScripts } from '../../../src/request/own-scripts.ts'
import { p2pkh, p2sh } from '../../support/payments.ts'
import { error } from '../../support/problems.ts'
import { a, b, c, moduleKey, p2pk } from '../../support/resigned.ts'

const network = networks.assetChain
const module = moduleNames.get(moduleKey)
const shared = `5221${a}21${b}52ae`
const read = (given: Partial<Parameters<typeof ownScripts>[0]>) =>
  ownScripts({ own: [], ...given }, network)

describe('own names', () => {
  test('stand for scripts in their order, those that get the change first', () => {
    const { named, problems } = read({ own: [a, addressOf(b, network)], first: ['from', c] })
    expect([...named]).toEqual([p2pkh(c), p2pk(c), p2pkh(a), p2pk(a), p2pkh(b)])
    expect(problems).toEqual([])
    expect([...read({ own: [p2pk(a)] }).named]).toEqual([p2pk(a)])
  })

  test('are all listed that name nothing, and what may be a private key is hidden', () => {
    const secret = 'UwibHKsYfiM19BXQmcUwAfw331GzGQK8aoPqqYEbyoPrzc2965nE'
    expect(read({ own: ['zz', a, secret], first: ['from', 'yy'] }).problems).toEqual([
      { code: 'ownName', path: 'from', actual: 'yy' },
      { code: 'ownName', path: 'own[0]', actual: 'zz' },
      { code: 'ownName', path: 'own[2]', actual: 'what may be a private key' },
    ])
  })

  test('are not keys of modules, whose coins anyone can take', () => {
    for (const name of [moduleKey, p2pk(moduleKey), `5121${a}21${moduleKey}52ae`]) {
      const { named, problems } = read({ own: [b, name] })
      expect([...named]).toEqual([p2pkh(b), p2pk(b)])
      expect(problems).toEqual([
        { code: 'moduleKey', path: 'own[1]', actual: name, inError: { actual: module } },
      ])
    }
  })

  test('tell own coins from others', () => {
    const { has } = read({ own: [a] })
    expect([p2pk(a), p2pkh(a), p2pk(b)].map(has)).toEqual([true, true, false])
  })
})

describe('a function that tells own scripts', () => {
  test('decides with true alone, because plain JavaScript may return anything', () => {
    const answers = (answer: unknown) => read({ own: (() => answer) as never }).has(p2pk(a))
    expect(answers(true)).toBe(true)
    for (const answer of [1, 'yes', {}, false, undefined]) expect(answers(answer)).toBe(false)
    const { named, has } = read({ own: (script) => script === p2pk(a) })
    expect([...named]).toEqual([])
    expect([p2pk(a), p2pk(b)].map(has)).toEqual([true, false])
  })

  test('may stand beside a name that gets the change', () => {
    expect([...read({ own: () => false, first: ['from', a] }).named]).toEqual([p2pkh(a), p2pk(a)])
  })
})

describe('redeem scripts', () => {
  test('make the scripts of their hashes own, in any case', () => {
    const { redeemScriptOf, has, problems } = read({
      own: [a, b],
      redeemScripts: [shared.toUpperCase()],
    })
    expect([...redeemScriptOf]).toEqual([[p2sh(shared), shared]])
    expect(problems).toEqual([])
    expect(has(p2sh(shared))).toBe(true)
    expect(read({ own: [a, b] }).has(p2sh(shared))).toBe(false)
  })

  test('are all listed that are not hex, or have the key of a module', () => {
    const ofModule = `5121${a}21${moduleKey}52ae`
    const { redeemScriptOf, problems } = read({
      own: ['zz'],
      redeemScripts: ['x', shared, ofModule, ''],
    })
    expect([...redeemScriptOf.values()]).toEqual([shared])
    expect(problems).toEqual([
      { code: 'ownName', path: 'own[0]', actual: 'zz' },
      { code: 'data', path: 'redeemScripts[0]', inError: error({ path: 'redeemScripts[0]' }) },
      { code: 'moduleKey', path: 'redeemScripts[2]', actual: module },
      { code: 'data', path: 'redeemScripts[3]', inError: expect.any(TypeError) },
    ])
  })
})

test('further keys may have a part in own scripts, and get no change', () => {
  const further = { has: (script: string) => script === p2pkh(b) }
  const given = { own: [a], redeemScripts: [shared] }
  expect(ownScripts(given, network, further).whyLocked(p2sh(shared))).toBeUndefined()
  expect(ownScripts(given, network).whyLocked(p2sh(shared))).toBeTypeOf('string')
  const { has, named } = ownScripts({ own: [a] }, network, further)
  expect([p2pkh(a), p2pkh(b)].map(has)).toEqual([true, false])
  expect(named.has(p2pkh(b))).toBe(false)
})
