// `antara-tx guard --explain` quotes the answer that a program gets.

import { afterEach, describe, expect, test } from 'vitest'
import { carriedOutMethods, carriedOutWithdrawals } from '../../src/guard/carried-out.ts'
import { explainMethod } from '../../src/guard/explain.ts'
import { createFrameworkGuard, type Guard } from '../../src/guard/index.ts'
import { classedMethods, classOfMethod } from '../../src/rpc/daemon/method-classes.ts'
import {
  classedFrameworkMethods,
  classOfFrameworkMethod,
  isLegacyMethod,
} from '../../src/rpc/framework/method-classes.ts'
import { callText, guardOf, post } from './support/guarded.ts'

const open: Guard[] = []
const started = (guard: Guard): Guard => {
  open.push(guard)
  return guard
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const answerIn = (explanation: string) => /^answer: (.*)$/m.exec(explanation)?.[1]

function guardOfFramework(): Promise<Guard> {
  const framework = { url: 'http://127.0.0.1:1', userpass: 'secret' }
  return createFrameworkGuard({ framework }).then(started)
}

const refusedByDaemonGuard = classedMethods().filter(
  (method) => classOfMethod(method) !== 'read' && !carriedOutMethods.has(method),
)
const refusedByFrameworkGuard = classedFrameworkMethods().filter(
  (method) =>
    classOfMethod(method) === 'unknown' &&
    classOfFrameworkMethod(method) !== 'read' &&
    !carriedOutWithdrawals.has(method),
)

describe('the explanation of a refused method', () => {
  test.each([
    ['build', 'signrawtransaction'],
    ['build-and-send', 'z_sendmany'],
    ['secret', 'dumpprivkey'],
    ['administration', 'stop'],
    ['unknown', 'nosuchmethod'],
  ])('quotes the answer of a guard of a daemon for the class %s', async (name, method) => {
    const guard = started(await guardOf('http://127.0.0.1:1'))
    const explanation = explainMethod(method)
    expect(explanation).toContain(`class: ${name}\n`)
    expect((await post(guard, callText(method))).body.trim()).toBe(answerIn(explanation))
  })

  test.each([
    ['build', 'withdraw_nft'],
    ['build-and-send', 'approve_token'],
    ['secret', 'get_mnemonic'],
    ['administration', 'enable_eth_with_tokens'],
  ])('quotes the answer of a guard of a framework for the class %s', async (name, method) => {
    const guard = await guardOfFramework()
    const body = JSON.stringify({ userpass: 'secret', mmrpc: '2.0', id: 1, method, params: {} })
    const explanation = explainMethod(method)
    expect(explanation).toContain(`class: ${name}\n`)
    expect((await post(guard, body)).body.trim()).toBe(answerIn(explanation))
  })
})

test('the older form of the answer is quoted for every method of the older dispatcher', async () => {
  const guard = await guardOfFramework()
  const methods = refusedByFrameworkGuard.filter(isLegacyMethod)
  expect(methods).toEqual(expect.arrayContaining(['buy', 'electrum', 'cancel_order']))
  for (const method of methods) {
    const { status, body } = await post(guard, JSON.stringify({ userpass: 'secret', method }))
    const answer = body.trim()
    expect({ status, answer }).toEqual({ status: 500, answer: answerIn(explainMethod(method)) })
    expect(Object.keys(JSON.parse(answer))).toEqual(['error'])
  }
})

test('no refused method is said to be verified or carried out', () => {
  const methods = [...refusedByDaemonGuard, ...refusedByFrameworkGuard]
  expect(methods).toEqual(
    expect.arrayContaining(['signrawtransaction', 'sendfrom', 'withdraw_nft']),
  )
  for (const method of methods) {
    const explanation = explainMethod(method)
    expect(explanation, method).toContain(`The guard refuses ${method}: `)
    expect(explanation, method).not.toMatch(
      /verifies it|carries it out|returns the (?:daemon's )?answer/,
    )
  }
})

test.each(['task::withdraw::user_action', 'task::withdraw::cancel'])(
  '%s is said to be passed on with a check for a transaction alone',
  (method) => {
    const explanation = explainMethod(method)
    expect(explanation).toContain(`passes ${method} on`)
    expect(explanation).toContain('only if no transaction is in it')
    expect(explanation).not.toMatch(/verifies|lets the framework build/)
  },
)

test('guard_submit is explained as a method of the guard', () => {
  const explanation = explainMethod('guard_submit')
  expect(explanation).toContain('a method of the guard')
  expect(explanation).not.toContain('command table')
  expect(explanation).not.toContain('this method.')
})

test('an unknown method is said to need mmrpc before a framework', () => {
  expect(explainMethod('orderbok')).toMatch(/in no command table[\s\S]*only with mmrpc 2\.0/)
})

test('a read is told to be unverified, whatever the server', () => {
  for (const method of ['getbalance', 'gettransaction', 'my_balance']) {
    expect(explainMethod(method)).toContain('class: read\n')
    expect(explainMethod(method)).toMatch(/does not\s+verify what/)
    expect(answerIn(explainMethod(method))).toBe('that of the server, byte for byte')
  }
})

test('a verified method has the form of its refusal', () => {
  expect(answerIn(explainMethod('tokentransfer'))).toContain('guard: rejected: …')
  expect(answerIn(explainMethod('sendtoaddress'))).toContain('guard: …')
  expect(answerIn(explainMethod('sendrawtransaction'))).toContain('guard: …')
  expect(answerIn(explainMethod('withdraw'))).toBe('that of the server, or an error: guard: …')
})
