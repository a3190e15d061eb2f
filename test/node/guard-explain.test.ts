// `antara-tx guard --explain` quotes the answer that a program gets.

import { afterEach, describe, expect, test } from 'vitest'
import { explainMethod } from '../../src/guard/explain.ts'
import { createFrameworkGuard, type Guard } from '../../src/guard/index.ts'
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
    ['build-and-send', 'setprice'],
    ['secret', 'get_mnemonic'],
    ['administration', 'enable_eth_with_tokens'],
  ])('quotes the answer of a guard of a framework for the class %s', async (name, method) => {
    const framework = { url: 'http://127.0.0.1:1', userpass: 'secret' }
    const guard = started(await createFrameworkGuard({ framework }))
    const body = JSON.stringify({ userpass: 'secret', mmrpc: '2.0', id: 1, method, params: {} })
    const explanation = explainMethod(method)
    expect(explanation).toContain(`class: ${name}\n`)
    expect((await post(guard, body)).body.trim()).toBe(answerIn(explanation))
  })
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
})
