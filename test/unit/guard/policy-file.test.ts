import { describe, expect, test } from 'vitest'
import { isAntaraError } from '../../../src/errors/antara-error.ts'
import { readPolicy } from '../../../src/guard/policy/read-policy.ts'
import { hashPassword } from '../../../src/guard/users.ts'
import { textOf } from '../../support/files.ts'
import { generator, open, pay, payment, start, to, token } from './support.ts'

/** Returns the context of the error that a text is refused with. */
function refusal(text: string) {
  try {
    readPolicy(text)
  } catch (error) {
    if (isAntaraError(error, 'malformed_policy')) return error.context
    throw error
  }
  throw new Error('it was accepted')
}

const ofRules = (rules: object) => JSON.stringify({ ...open, ...rules })
const wif = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn'

describe('a policy file', () => {
  test('is refused at the line and column of an unknown member, with a suggestion', () => {
    const text = '{\n  "coins": "any",\n  "tokens": "any",\n  "recipents": "any"\n}'
    expect(refusal(text)).toMatchObject({
      path: 'recipents',
      expected: 'a known member; did you mean recipients?',
      actual: "'recipents' in line 4, column 3",
      offset: text.indexOf('"recipents"'),
    })
  })

  test('counts the offset in bytes', () => {
    const text = '{"note":"für","coins":0}'
    const withRest = `${text.slice(0, -1)},"tokens":"any","recipients":"any"}`
    expect(refusal(withRest)).toMatchObject({ offset: 1 + Buffer.from('"note":"für",').length })
  })

  test.each([
    [
      'a member given twice',
      '{"coins":"any",\n"coins":"any"}',
      'coins given twice in line 2, column 1',
    ],
    [
      'a nested member given twice with one value',
      '{"recipients":{"deny":[],"deny":[]}}',
      'deny given twice in line 1, column 26',
    ],
    ['a byte order mark', `\uFEFF${ofRules({})}`, 'a byte order mark in line 1, column 1'],
    ['text that ends early', '{"coins": "any"', 'the end of the file in line 1, column 16'],
    ['an empty file', '', 'the end of the file in line 1, column 1'],
    ['a comma too much', '{"coins":"any",}', 'something else in line 1, column 16'],
    ['a second document', '{"coins":"any"} {}', 'something else in line 1, column 17'],
  ])('is refused for %s', (_, text, actual) => {
    expect(refusal(text)).toMatchObject({ path: 'policy', actual })
  })

  test('is refused at every place where it could be cut', () => {
    const text = ofRules({ fee: '0.1', recipients: { allow: [generator] } })
    for (let length = 0; length < text.length; length += 1) {
      expect(() => readPolicy(text.slice(0, length))).toThrow(/policy file/)
    }
  })

  test.each([
    ['coins', { recipients: 'any', tokens: 'any' }],
    ['tokens', { recipients: 'any', coins: 'any' }],
    ['recipients', { coins: 'any', tokens: 'any' }],
  ])('needs %s, because no default is safe for everyone', (path, rules) => {
    expect(refusal(JSON.stringify(rules))).toMatchObject({
      path,
      expected: '"any", or what is allowed',
    })
  })

  test.each([
    ['a limit of zero', { coins: { perDay: '0' } }, 'coins.perDay'],
    ['a limit below zero', { coins: { perDay: -1 } }, 'coins.perDay'],
    ['an exponent', { coins: { perDay: '1e3' } }, 'coins.perDay'],
    ['nine decimals', { coins: { perDay: '0.123456789' } }, 'coins.perDay'],
    ['blanks around an amount', { coins: { perDay: ' 5' } }, 'coins.perDay'],
    ['hex', { coins: { perDay: '0x10' } }, 'coins.perDay'],
    ['more coins than 2^63 satoshis', { coins: { perDay: '92233720369' } }, 'coins.perDay'],
    ['limits without a limit', { coins: {} }, 'coins'],
    [
      'half a unit of a token',
      { tokens: { [token]: { perDay: '0.5' } } },
      `tokens.${token}.perDay`,
    ],
    ['the name of a token', { tokens: { DICE: { perDay: 5 } } }, 'tokens.DICE'],
    [
      'a tokenid in upper case',
      { tokens: { [token.toUpperCase()]: 'any' } },
      'tokens.what may be a private key',
    ],
    [
      'a bound of prices without a price',
      { tokens: { [token]: { price: {} } } },
      `tokens.${token}.price`,
    ],
    ['a confirmation that nothing gives', { coins: { confirmAbove: 1 } }, 'coins.confirmAbove'],
    ['two ways to confirm', { confirm: { command: ['/a'], webhook: 'https://a' } }, 'confirm'],
    ['a program without a path', { confirm: { command: ['sh', '-c', 'x'] } }, 'confirm.command[0]'],
    ['no program', { confirm: { command: [] } }, 'confirm.command[0]'],
    ['a webhook without TLS', { confirm: { webhook: 'http://10.0.0.1/' } }, 'confirm.webhook'],
    ['time without end', { confirm: { command: ['/a'], seconds: 601 } }, 'confirm.seconds'],
    ['an unknown class', { methods: ['@secret'] }, 'methods[0]'],
    ['a method with a blank', { methods: ['getinfo', 'get info'] }, 'methods[1]'],
    ['hours without end', { quietHours: [{ from: '22:00', to: '22:00' }] }, 'quietHours[0].to'],
    [
      'an hour that does not exist',
      { quietHours: [{ from: '24:00', to: '1' }] },
      'quietHours[0].from',
    ],
    [
      'an unknown day',
      { quietHours: [{ from: '22:00', to: '23:00', days: ['Mo'] }] },
      'quietHours[0].days[0]',
    ],
    ['recipients without a list', { recipients: {} }, 'recipients'],
    ['a misspelt list', { recipients: { alow: [] } }, 'recipients.alow'],
    ['a mistyped address', { recipients: { allow: ['RXXX'] } }, 'recipients.allow[0]'],
    ['an address in full-width characters', { recipients: { deny: ['Ｒ'] } }, 'recipients.deny[0]'],
    [
      'a key that is not a point',
      { recipients: { deny: [`02${'ff'.repeat(32)}`] } },
      'recipients.deny[0]',
    ],
    [
      'a key of 65 bytes that is not a point',
      { recipients: { allow: [`04${generator.slice(2)}${'00'.repeat(32)}`] } },
      'recipients.allow[0]',
    ],
    ['a private key in hex', { recipients: { deny: ['11'.repeat(32)] } }, 'recipients.deny[0]'],
    ['half a byte', { recipients: { deny: ['51515'] } }, 'recipients.deny[0]'],
    ['a script with a blank', { recipients: { deny: [' 5151'] } }, 'recipients.deny[0]'],
    ['a script before other text', { recipients: { deny: ['5151 x'] } }, 'recipients.deny[0]'],
    ['a user with a blank name', { users: { 'a b': { password: 'x' } } }, 'users.a b'],
    ['a nested unknown member', { users: { a: { password: 'x', limit: 1 } } }, 'users.a.limit'],
  ])('is refused for %s, by its path', (_, rules, path) => {
    const { path: actual, actual: where } = refusal(ofRules(rules))
    expect(actual).toBe(path)
    expect(where).toMatch(/ in line 1, column \d+$/)
  })

  test.each([
    ['a private key among recipients', { recipients: { deny: [wif] } }],
    ['a private key as the name of a member', { [wif]: 1 }],
    ['a password that is not stored as a hash', { users: { a: { password: wif } } }],
    ['a password in the address of a webhook', { confirm: { webhook: `https://u:${wif}@a/` } }],
  ])('does not repeat %s in its error', (_, rules) => {
    const { path, expected, actual } = refusal(ofRules(rules))
    expect(`${path} ${expected} ${actual}`).not.toContain(wif.slice(0, 20))
  })

  const samples: readonly (readonly [string, string])[] = [
    ['examples/guard/policy.json', textOf('examples/guard/policy.json')],
    ...[...textOf('docs/guard-policy.md').matchAll(/```json\n(.*?)```/gs)].map(
      ([, text]) => ['docs/guard-policy.md', text!] as const,
    ),
    ...[...textOf('docs/guard-tutorial.md').matchAll(/'END'\n(.*?)END/gs)].map(
      ([, text]) => ['docs/guard-tutorial.md', text!] as const,
    ),
  ]
  test.each(samples)('a policy file of %s is valid', (_, text) => {
    const rules = { ...open, ...JSON.parse(text) }
    if (rules.confirm?.webhook !== undefined) rules.confirm.webhook = 'https://localhost/'
    for (const user of Object.values<{ password: string }>(rules.users ?? {})) {
      user.password = `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
    }
    expect(() => readPolicy(JSON.stringify(rules))).not.toThrow()
  })

  test('takes amounts as text and as exact numbers', () => {
    const text = `{"recipients":"any","tokens":{"${token}":{"perDay":9007199254740993}},"coins":{"perDay":0.10000001}}`
    const { coins, tokens } = readPolicy(text)
    expect(coins?.perDay).toBe(10_000_001n)
    expect(tokens?.get(token)?.perDay).toBe(9_007_199_254_740_993n)
  })
})

describe('a reload', () => {
  test.each([
    ['truncated text', '{"recipients": "any", "coins": "any"'],
    ['an unknown member', ofRules({ recipents: 'any' })],
    ['nothing', ''],
  ])('a reload of %s keeps the rules', async (_, text) => {
    const guard = await start({ ...open, coins: { perPayment: '1' } })
    expect(() => guard.policy.reload(text)).toThrow(/policy file/)
    expect(await pay(guard, payment({ outflows: [to('00'.repeat(20), 100_000_001n)] }))).toBe(
      'refuse coins.perPayment',
    )
  })

  test('names the users of the rules that are in force', async () => {
    const password = await hashPassword('a secret')
    const rules = (name: string) => ofRules({ users: { [name]: { password } } })
    const { policy } = await start(JSON.parse(rules('ann')))
    expect([policy.isUser('ann'), policy.isUser('anna'), policy.isUser('')]).toEqual([
      true,
      false,
      false,
    ])
    policy.reload(rules('anna'))
    expect([policy.isUser('ann'), policy.isUser('anna')]).toEqual([false, true])
  })

  test('a reload that adds or removes all users keeps the rules', async () => {
    const users = {
      alice: { password: `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}` },
    }
    const without = await start(open)
    expect(() => without.policy.reload(ofRules({ users }))).toThrow(/users/)
    const withUsers = await start({ ...open, users })
    expect(() => withUsers.policy.reload(ofRules({}))).toThrow(/users/)
    expect(await pay(withUsers, payment({}, { user: 'mallory' }))).toBe('refuse users')
  })

  test('keeps what was consumed', async () => {
    const guard = await start({ ...open, coins: { perDay: '1' } })
    const coins = (amount: bigint) => payment({ outflows: [to('00'.repeat(20), amount)] })
    expect(await pay(guard, coins(60_000_000n))).toBe('allow')
    guard.policy.reload(ofRules({ coins: { perDay: '1.1' } }))
    expect(await pay(guard, coins(60_000_000n))).toBe('refuse coins.perDay')
    expect(await pay(guard, coins(40_000_000n))).toBe('allow')
  })
})

describe('a list of methods', () => {
  const call = (method: string, methodClass: 'read' | 'send' | 'secret' | 'unknown') => ({
    user: '',
    method,
    methodClass,
  })

  test('leaves the guard to decide where it is absent', async () => {
    const { policy } = await start(open)
    expect(policy.admit(call('stop', 'secret'))).toBeUndefined()
    expect(policy.admit(call('getinfo', 'read'))).toBeUndefined()
  })

  test('allows a method that it names, and leaves those of its classes to the guard', async () => {
    const { policy } = await start({ ...open, methods: ['@read', 'z_sendmany'] })
    expect(policy.admit(call('z_sendmany', 'unknown'))).toBe('allow')
    expect(policy.admit(call('getinfo', 'read'))).toBeUndefined()
    expect(policy.admit(call('sendrawtransaction', 'send'))).toMatchObject({ rule: 'methods' })
    expect(policy.admit(call('z_sendmanyx', 'unknown'))).toMatchObject({ rule: 'methods' })
  })

  test('names no method that may be called in quiet hours, but for reads', async () => {
    const quietHours = [{ from: '11:00', to: '13:00' }]
    const methods = ['@read', 'cclib', 'zzz', 'dumpprivkey']
    const { policy } = await start({ ...open, methods, quietHours })
    expect(policy.admit(call('getinfo', 'read'))).toBeUndefined()
    for (const method of ['cclib', 'zzz']) {
      expect(policy.admit(call(method, 'unknown'))).toMatchObject({ rule: 'quietHours' })
    }
    expect(policy.admit(call('dumpprivkey', 'secret'))).toMatchObject({ rule: 'quietHours' })
  })

  test('a list of methods that is empty allows no method', async () => {
    const { policy } = await start({ ...open, methods: [] })
    expect(policy.admit(call('getinfo', 'read'))).toMatchObject({ rule: 'methods' })
  })

  test('stops payments that were admitted before the list was read', async () => {
    const guard = await start(open)
    const waiting = payment({ outflows: [to('00'.repeat(20), 1n)] })
    expect(guard.policy.admit(waiting)).toBeUndefined()
    guard.policy.reload(JSON.stringify({ ...open, methods: ['@read'] }))
    expect(await pay(guard, waiting)).toBe('refuse methods')
    expect(await pay(guard, waiting, true)).toBe('refuse methods')
    guard.policy.reload(JSON.stringify({ ...open, methods: ['@send'] }))
    expect(await pay(guard, waiting)).toBe('allow')
  })

  test('stops payments of a user that were admitted before the list was read', async () => {
    const password = await hashPassword('password')
    const ofAnn = (rules: object) => ({ ...open, users: { ann: { password, ...rules } } })
    const guard = await start(ofAnn({}))
    const waiting = payment({ outflows: [to('00'.repeat(20), 1n)] }, { user: 'ann' })
    expect(guard.policy.admit(waiting)).toBeUndefined()
    guard.policy.reload(JSON.stringify(ofAnn({ methods: ['@read'] })))
    expect(await pay(guard, waiting)).toBe('refuse users.ann.methods')
  })

  test('does not repeat a private key that is sent as a method', async () => {
    const { policy } = await start({ ...open, methods: [] })
    expect(JSON.stringify(policy.admit(call(wif, 'unknown')))).not.toContain(wif)
  })
})
