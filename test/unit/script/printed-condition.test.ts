// The condition that tokeld prints beside a script. What it printed for 26 transactions is compared
// in daemon-json.test.ts; these are the cases that none of them has.

import { describe, expect, test } from 'vitest'
import {
  type ConditionTree,
  conditionScript,
  describeTransaction,
  encodeTransaction,
  moduleCondition,
  networks,
} from '../../../src/index.ts'
import { printedCondition } from '../../../src/script/condition-json.ts'

const key = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const keyHash = '751e76e8199196d454941c45d1b3a323f1433bd6'
const { assetChain, komodo, tokel } = networks
const token = moduleCondition([key], { evalCodes: [0xf5] })

function printed(tree: ConditionTree, form: 'M' | 'N') {
  return printedCondition(conditionScript(tree, { form }), tokel)
}

function evalTree(code: string): ConditionTree {
  return {
    type: 'threshold-sha-256',
    threshold: 2,
    subconditions: [
      { type: 'eval-sha-256', code },
      { type: 'secp256k1-sha-256', publicKey: key },
    ],
  }
}

describe('a condition is printed', () => {
  test('tokeld alone prints a condition', () => {
    const script = conditionScript(token, { form: 'M' })
    expect(printedCondition(script, tokel)?.type).toBe('threshold-sha-256')
    expect(printedCondition(script, assetChain)).toBeUndefined()
    expect(printedCondition(script, komodo)).toBeUndefined()
  })

  test('only where a script shows it', () => {
    expect(printedCondition('51', tokel)).toBeUndefined()
    expect(printedCondition(`21${key}ac`, tokel)).toBeUndefined()
    expect(printedCondition(conditionScript(token), tokel)).toBeUndefined()
  })

  // tokel src/script/cc.h, CCEnabledTypes: a script with another type pays nobody.
  test('only where the daemon knows its types', () => {
    const eval1: ConditionTree = { type: 'eval-sha-256', code: 'f5' }
    const prefixed: ConditionTree = {
      ...{ type: 'prefix-sha-256', prefix: 'aa', maxMessageLength: 1 },
      subcondition: eval1,
    }
    const shown = [eval1, prefixed].map((tree) => {
      const hex = encodeTransaction({
        version: 1,
        overwintered: false,
        inputs: [],
        outputs: [{ value: 1n, script: conditionScript(tree, { form: 'M' }) }],
        lockTime: 0,
      })
      const { type, condition } = describeTransaction(hex, { network: tokel }).vout[0]!.scriptPubKey
      return [type, condition?.type]
    })
    expect(shown).toEqual([
      ['cryptocondition', 'eval-sha-256'],
      ['nonstandard', undefined],
    ])
  })

  test('beside its script, and not on other chains', () => {
    const script = conditionScript(token, { form: 'M' })
    const hex = encodeTransaction({
      version: 1,
      overwintered: false,
      inputs: [],
      outputs: [{ value: 1n, script }],
      lockTime: 0,
    })
    const [onTokel] = describeTransaction(hex, { network: tokel }).vout
    const [onOther] = describeTransaction(hex, { network: assetChain }).vout
    expect(onTokel?.scriptPubKey).toHaveProperty('condition')
    expect(onOther?.scriptPubKey).not.toHaveProperty('condition')
  })
})

describe('an eval code is printed', () => {
  // tokel src/cc/eval.cpp, EvalToStr: names from 0xe0 on, numbers below
  test.each([
    ['f5', 'EVAL_TOKENSV2'],
    ['e3', 'EVAL_ASSETS'],
    ['f2', 'EVAL_TOKENS'],
    ['01', '0x1'],
    // a module of this code has a name, which tokeld does not print
    ['10', '0x10'],
    ['df', '0xdf'],
    ['ff', '0xff'],
    ['f5ff', 'EVAL_TOKENSV2'],
  ])('%s as %s', (code, name) => {
    const script = conditionScript(evalTree(code), { form: 'N' })
    const shown = printedCondition(script, tokel)
    expect(shown).toMatchObject({ subconditions: [{ type: 'eval-sha-256', EvalCode: name }, {}] })
  })
})

describe('form M prints the hidden nodes', () => {
  test('form M prints a hidden threshold with the mask of its types', () => {
    const { subconditions } = printed(token, 'M') as unknown as {
      subconditions: Record<string, unknown>[]
    }
    const hidden = subconditions.find(({ isAnon }) => isAnon === 'yes')
    // bit 5 stands for secp256k1
    expect(hidden).toMatchObject({ type: 'threshold-sha-256', subtypes: 1 << 5 })
    expect(hidden?.fingerprint).toMatch(/^[0-9a-f]{64}$/)
  })

  test('form M prints a hidden key without a mask', () => {
    const { subconditions } = printed(token, 'N') as unknown as {
      subconditions: { subconditions?: { subconditions: unknown[] } }[]
    }
    const keys = subconditions.flatMap((it) => it.subconditions?.subconditions ?? [])
    expect(keys).toEqual([
      {
        type: 'secp256k1-sha-256',
        isAnon: 'yes',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
  })

  test('form M prints a node by its type alone, if tokeld knows no more of it', () => {
    const preimage: ConditionTree = { type: 'preimage-sha-256', preimage: 'ab' }
    const tree: ConditionTree = {
      type: 'threshold-sha-256',
      threshold: 2,
      subconditions: [preimage, { type: 'eval-sha-256', code: 'f5' }],
    }
    const node = { type: 'preimage-sha-256', isAnon: 'no' }
    expect(printed(preimage, 'M')).toEqual(node)
    expect(printed(tree, 'M')).toMatchObject({ size: 2, subconditions: [node, {}] })
  })

  test('form M prints one node, if the outermost is not a threshold', () => {
    const tree: ConditionTree = { type: 'eval-sha-256', code: 'f5' }
    const node = { type: 'eval-sha-256', isAnon: 'no', EvalCode: 'EVAL_TOKENSV2' }
    expect(printed(tree, 'M')).toEqual(node)
  })

  test('form M prints the address for a hash of a key', () => {
    const tree = moduleCondition([keyHash], { evalCodes: [0xf5] })
    const text = JSON.stringify(printed(tree, 'N'))
    expect(text).toContain('secp256k1hash-sha-256')
  })
})
