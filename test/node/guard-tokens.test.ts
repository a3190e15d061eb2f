// Builds and sends of tokens through a guard, before a node that validates and may be hostile. The
// node is asked directly what its chain has.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createGuard, type Guard, type GuardOptions } from '../../src/guard/index.ts'
import { memoryJournal } from '../../src/journal/memory.ts'
import { createDevNode, type DevNode, type Tamper } from '../../src/node/index.ts'
import { decodeTransaction } from '../../src/transaction/decode.ts'
import { askingPolicy, callText } from './support/guarded.ts'
import { basic, rawRequest } from './support/raw.ts'

let node: DevNode
let guard: Guard
let tokenid: string
const open: { close(): Promise<void> }[] = []

const optionsOf = (): GuardOptions => {
  const { url, user, password, pubkey } = node.identities[0]!
  return { daemon: { url, credentials: () => ({ user, password }) }, pubkey }
}

async function start(options: Partial<GuardOptions> = {}): Promise<Guard> {
  const started = await createGuard({ ...optionsOf(), ...options })
  open.push(started)
  return started
}

interface Answered {
  readonly status: number
  readonly text: string
  readonly result: { result?: string; hex?: string; error?: string } | null
  readonly error: { code: number; message: string } | null
}

async function call(
  method: string,
  params: readonly unknown[] = [],
  { to = guard, headers = {} }: { to?: Guard; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const { user, password } = node.identities[0]!
  const { status, body } = await rawRequest(to.url, {
    headers: { authorization: basic(user, password), ...headers },
    body: callText(method, params, 'an id'),
  })
  return { status, text: body, ...JSON.parse(body) }
}

/** The hex of a call that must succeed. */
async function built(method: string, params: readonly unknown[]): Promise<string> {
  const { text, result } = await call(method, params)
  expect(text).toMatch(/"hex":"[0-9a-f]{100,}"/)
  return result!.hex!
}

const send = (hex: string, more: readonly unknown[] = []) =>
  call('sendrawtransaction', [hex, ...more])
const waiting = () => node.request('getrawmempool', []) as Promise<string[]>
const balanceOf = async (identity: number): Promise<number> => {
  const { pubkey } = node.identities[identity]!
  const answer = await node.request('tokenbalance', [tokenid, pubkey], { identity: 1 })
  return Number((answer as { balance: number }).balance)
}
const transferOf = (amount: string): readonly string[] => [
  tokenid,
  node.identities[1]!.pubkey,
  amount,
]

beforeEach(async () => {
  node = await createDevNode({ time: 1_800_000_000 })
  guard = await start()
  const creation = await built('tokencreate', ['GOLD', '0.00001', 'a token'])
  ;({ result: tokenid } = (await send(creation)) as unknown as { result: string })
  const other = await built('tokencreate', ['SILVER', '0.00001'])
  await send(other)
})

afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  await node.close()
})

test('a whole token life goes through, with the answers of the daemon', async () => {
  expect(await node.request('tokenlist')).toContain(tokenid)
  const hex = await built('tokentransfer', transferOf('70'))
  const sent = await send(hex.toUpperCase())
  expect(sent.text).toMatch(/^{"result":"[0-9a-f]{64}","error":null,"id":"an id"}\n$/)
  expect([await balanceOf(0), await balanceOf(1)]).toEqual([930, 70])

  const ask = await built('tokenask', ['100', tokenid, '0.0001'])
  const { result: askId } = await send(ask)
  const fill = await built('tokenfillask', [tokenid, askId, '30'])
  // The rest of an order has the id of its last fill.
  const { result: restId } = await send(fill)
  const cancel = await built('tokencancelask', [tokenid, restId])
  await send(cancel)
  const bid = await built('tokenbid', ['1', tokenid, '0.001'])
  const { result: bidId } = await send(bid)
  await send(await built('tokencancelbid', [tokenid, bidId]))
  expect([await balanceOf(0), await balanceOf(1)]).toEqual([930, 70])
})

test('a fill of more units than an order has fills the whole order', async () => {
  const { result: askId } = await send(await built('tokenask', ['100', tokenid, '0.0001']))
  await send(await built('tokenfillask', [tokenid, askId, '777']))
  const { result: bidId } = await send(await built('tokenbid', ['1', tokenid, '0.001']))
  await send(await built('tokenfillbid', [tokenid, bidId, '1000']))
  expect(await node.request('tokenorders', [tokenid])).toEqual([])
})

test('a failure of the daemon comes back unchanged', async () => {
  const direct = await node.request('tokentransfer', transferOf('1000000'))
  const { result } = await call('tokentransfer', transferOf('1000000'))
  expect(result).toEqual(direct)
  expect(result!.error).toBeDefined()
})

describe('hex that does something else', () => {
  test.each<[Tamper, string]>([
    ['stolen_change', 'native_change_destination'],
    ['wrong_destination', 'destination'],
    ['stolen_token_change', 'token_change_destination'],
    ['other_token_burned', 'foreign_token_input'],
    ['raised_fee', 'fee_too_high'],
  ])('%s is rejected, and its hex is nowhere', async (tamper, code) => {
    const entries: string[] = []
    guard = await start({
      onDecision: (entry) => entries.push(JSON.stringify(entry)),
      onFailure: (error) => entries.push(String(error)),
    })
    node.faults.add({ kind: 'tampered_hex', method: 'tokentransfer', tamper })
    const { result, text, status } = await call('tokentransfer', transferOf('70'))
    expect(status).toBe(200)
    expect(result!.result).toBe('error')
    expect(result!.error).toMatch(new RegExp(`^guard: rejected: .*${code}`))
    expect(text + entries.join()).not.toMatch(/[0-9a-f]{170,}/i)
    expect(await waiting()).toEqual([])
    expect([await balanceOf(0), await balanceOf(1)]).toEqual([1000, 0])
  })

  test('a tampered creation, offer, fill and cancellation are rejected', async () => {
    const { result: askId } = await send(await built('tokenask', ['100', tokenid, '0.0001']))
    node.faults.add({ kind: 'tampered_hex', tamper: 'stolen_change' })
    for (const [method, params] of [
      ['tokencreate', ['COPPER', '1']],
      ['tokenask', ['10', tokenid, '0.0002']],
      ['tokenbid', ['1', tokenid, '0.0001']],
      ['tokenfillask', [tokenid, askId, '10']],
      ['tokencancelask', [tokenid, askId]],
    ] as const) {
      const { result, error } = await call(method, params)
      expect(result?.error ?? error?.message, method).toMatch(/guard: rejected|-32603|no room/)
      expect(result?.hex, method).toBeUndefined()
    }
    expect(await waiting()).toEqual([])
  })

  test('change to a key that setpubkey chose is rejected', async () => {
    const { pubkey } = node.identities[1]!
    guard = await start({ pubkey })
    const { result } = await call('tokencreate', ['COPPER', '1'])
    expect(result!.error).toMatch(/^guard: rejected/)
    expect(result!.hex).toBeUndefined()
  })
})

describe('parameters that the daemon could read differently', () => {
  test.each([
    ['tokentransfer', ['{id}', '{key}', '1e3']],
    ['tokentransfer', ['{id}', '{key}', ' 5']],
    ['tokentransfer', ['{id}', '{key}', '5 ']],
    ['tokentransfer', ['{id}', '{key}', '1.5']],
    ['tokentransfer', ['{id}', '{key}', '0x10']],
    ['tokentransfer', ['{id}', '{key}', '-1']],
    ['tokentransfer', ['{id}', '{key}', '0']],
    ['tokentransfer', ['{id}', '{key}', '007']],
    ['tokentransfer', ['{id}', '{key}', '9223372036854775808']],
    ['tokentransfer', ['{id}', '{key}', 5]],
    ['tokentransfer', ['{id}', '{key}', '5', 'more']],
    ['tokentransfer', ['{id}', '{key}']],
    ['tokentransfer', ['{id}00', '{key}', '5']],
    ['tokentransfer', ['{id}', '{key}00', '5']],
    ['tokentransfer', ['{id}', '{address}', '5']],
    ['tokentransfer', ['{id}', null, '5']],
    ['tokentransfer', [['{id}'], '{key}', '5']],
    ['tokencreate', ['A', '1e3']],
    ['tokencreate', ['A', '1,5']],
    ['tokencreate', ['A', 'inf']],
    ['tokencreate', ['A', '0.000000001']],
    ['tokencreate', ['A', '1', 'b', 'no hex']],
    ['tokenask', ['5', '{id}', '1e-3']],
    ['tokenask', ['5', '{id}', 'nan']],
    ['tokenfillask', ['{id}', '{id}', '5', '1']],
    ['tokencancelask', ['{id}']],
  ])('%s of %j is refused, and nothing is built', async (method, params) => {
    const { pubkey, address } = node.identities[1]!
    const calls: string[] = []
    const filled = params.map((value) =>
      typeof value === 'string'
        ? value.replace('{id}', tokenid).replace('{key}', pubkey).replace('{address}', address)
        : value,
    )
    node.faults.add({ kind: 'error', method, code: -1, message: 'was asked' })
    const { result } = await call(method, filled)
    calls.push(JSON.stringify(result))
    expect(result!.result).toBe('error')
    expect(result!.error).toMatch(/^guard: params/)
  })
})

describe('a send', () => {
  test('a send of a transaction that the guard did not hand over is refused, with a way out', async () => {
    const { hex } = (await node.request('tokentransfer', transferOf('70'))) as { hex: string }
    const { error, status } = await send(hex)
    expect(status).toBe(500)
    expect(error!.code).toBe(-26)
    expect(error!.message).toContain('guard_submit')
    expect(await waiting()).toEqual([])
  })

  test('is made by guard_submit if the case agrees, and not otherwise', async () => {
    const { pubkey } = node.identities[0]!
    const { hex } = (await node.request('tokentransfer', transferOf('70'))) as { hex: string }
    const caseOf = (amount: string) => ({
      operation: 'tokentransfer',
      network: 'assetChain',
      intent: { tokenid, destination: node.identities[1]!.pubkey, amount, from: pubkey },
    })
    const wrong = await call('guard_submit', [hex, caseOf('7')])
    expect(wrong.error!.message).toMatch(/^guard: rejected/)
    const text = JSON.stringify(caseOf('70'))
    const ambiguous = text.replace('"amount":', '"amount":"7","amount":')
    expect((await call('guard_submit', [hex, ambiguous])).error!.code).toBe(-8)
    expect(await balanceOf(1)).toBe(0)
    const { result } = await call('guard_submit', [hex, text])
    expect(result).toMatch(/^[0-9a-f]{64}$/)
    expect(await balanceOf(1)).toBe(70)
    for (const params of [[hex], [hex, 5], [hex, '{'], [`${hex}00`, caseOf('70')], ['zz', {}]]) {
      expect((await call('guard_submit', params)).error!.code).toBe(-8)
    }
  })

  test('a send of trailing bytes, with high fees allowed, or with more parameters is refused', async () => {
    const hex = await built('tokentransfer', transferOf('70'))
    for (const params of [[`${hex}00`], [hex, true], [hex, 'true'], [hex, false, 1], [[hex]], []]) {
      const { error } = await call('sendrawtransaction', params)
      expect(error!.message, JSON.stringify(params).slice(-20)).toMatch(/^guard: /)
    }
    expect(await balanceOf(1)).toBe(0)
    expect((await send(hex, [false])).error).toBeNull()
  })

  test('a send of a transaction that has expired meanwhile is refused', async () => {
    const hex = await built('tokentransfer', transferOf('70'))
    node.mine(1_000)
    const { error } = await send(hex)
    expect(error!.message).toMatch(/^guard: held \(unsettled\): .*expir/)
    expect(await balanceOf(1)).toBe(0)
  })

  test('twice sends once and answers the same', async () => {
    const hex = await built('tokentransfer', transferOf('70'))
    const first = await send(hex)
    const second = await send(hex)
    expect(second.text).toBe(first.text)
    expect(await balanceOf(1)).toBe(70)
  })

  test('a send whose answer is lost is uncertain, and a repetition finds it', async () => {
    const hex = await built('tokentransfer', transferOf('70'))
    node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 2 })
    const lost = await send(hex)
    if (lost.error !== null) expect(lost.error.message).toMatch(/uncertain/)
    const { result } = await send(hex)
    expect(result).toMatch(/^[0-9a-f]{64}$/)
    expect(await balanceOf(1)).toBe(70)
  })

  test('a send that the daemon refuses has its code', async () => {
    const hex = await built('tokentransfer', transferOf('70'))
    node.faults.add({ kind: 'error', method: 'sendrawtransaction', code: -26, message: 'dust' })
    const { error } = await send(hex)
    expect(error!.code).toBe(-26)
    expect(error!.message).toContain('dust')
  })
})

describe('a repeated build', () => {
  test('a payment that the daemon refuses is not built anew', async () => {
    const hex = await built('tokentransfer', transferOf('70'))
    for (const code of [-25, -26]) {
      node.faults.add({ kind: 'error', method: 'sendrawtransaction', code, message: 'x', times: 1 })
      expect((await send(hex)).error!.code).toBe(code)
      expect(await built('tokentransfer', transferOf('70'))).toBe(hex)
    }
    await send(hex)
    expect(await balanceOf(1)).toBe(70)
  })

  test('gives the same hex while the first is unsettled, after a restart too', async () => {
    const journal = memoryJournal()
    guard = await start({ journal })
    const hex = await built('tokentransfer', transferOf('70'))
    expect(await built('tokentransfer', transferOf('70'))).toBe(hex)
    guard = await start({ journal })
    const { text } = await call('tokentransfer', transferOf('70'))
    expect(text).toBe(`{"result":{"result":"success","hex":"${hex}"},"error":null,"id":"an id"}\n`)
    const { error } = await send(hex)
    expect(error).toBeNull()
    expect(await built('tokentransfer', transferOf('70'))).toBe(hex)
    expect(await balanceOf(1)).toBe(70)
  })

  test('a repeated build with another name is another payment, and one name is one request', async () => {
    const named = (name: string, amount: string) =>
      call('tokentransfer', transferOf(amount), { headers: { 'idempotency-key': name } })
    const first = await named('a', '70')
    await send(first.result!.hex!)
    expect((await named('a', '70')).result!.hex).toBe(first.result!.hex)
    const second = await named('b', '70')
    expect(second.result!.hex).not.toBe(first.result!.hex)
    expect((await send(second.result!.hex!)).error).toBeNull()
    expect(await balanceOf(1)).toBe(140)
    const other = await named('a', '71')
    expect(other.text).toContain('this name was used for another payment')
    expect(other.text).not.toMatch(/"hex"/)
  })
})

describe('a policy', () => {
  test('a policy that refuses keeps the hex back, and frees what it reserved', async () => {
    const seen: string[] = []
    guard = await start({
      policy: {
        admit: () => undefined,
        decide({ moment, effects, txid, bytes }) {
          seen.push(moment)
          expect(txid).toMatch(/^[0-9a-f]{64}$/)
          expect(bytes).toBeGreaterThan(200)
          const amount = effects.outflows.reduce(
            (sum, it) => (it.asset === tokenid ? sum + it.amount : sum),
            0n,
          )
          if (amount > 50n) return { verdict: 'refuse', rule: 'tokens.max', reason: 'Too much.' }
          const reservation = {
            keep: () => void seen.push('kept'),
            release: () => void seen.push('released'),
          }
          return { verdict: 'allow', reservation }
        },
      },
    })
    const { text } = await call('tokentransfer', transferOf('70'))
    expect(text).toContain('guard: the policy refuses this (tokens.max): Too much.')
    expect(text).not.toMatch(/"hex"/)
    const hex = await built('tokentransfer', transferOf('50'))
    await send(hex)
    expect(await balanceOf(1)).toBe(50)
    expect(seen).toEqual(['hand-over', 'hand-over', 'kept', 'send', 'kept'])
  })

  test('decides again when hex is sent', async () => {
    let isDenied = false
    guard = await start({
      policy: {
        admit: () => undefined,
        decide: () =>
          isDenied
            ? { verdict: 'refuse', rule: 'recipients', reason: 'Denied by now.' }
            : { verdict: 'allow' },
      },
    })
    const hex = await built('tokentransfer', transferOf('70'))
    isDenied = true
    expect((await send(hex)).error!.message).toContain('recipients')
    expect(await balanceOf(1)).toBe(0)
  })

  test('a policy that asks a person hands over after a yes only', async () => {
    const answers: (boolean | Error)[] = [false, new Error('no connection'), true]
    guard = await start({
      policy: askingPolicy(async () => {
        const answer = answers.shift()!
        if (answer instanceof Error) throw answer
        return answer
      }),
    })
    expect((await call('tokentransfer', transferOf('70'))).result!.error).toContain('confirm')
    expect((await call('tokentransfer', transferOf('70'))).result!.error).toContain('confirm')
    expect((await call('tokentransfer', transferOf('70'))).result!.hex).toBeDefined()
  })

  test('a policy that fails, and a record that cannot be written, keep the hex back', async () => {
    guard = await start({
      policy: {
        admit: () => undefined,
        decide() {
          throw new Error('broken')
        },
      },
    })
    expect((await call('tokentransfer', transferOf('70'))).text).not.toMatch(/"hex"/)
    guard = await start({
      record: {
        append: () => Promise.reject(new Error('disk full')),
        close: async () => undefined,
      },
    })
    expect((await call('tokentransfer', transferOf('70'))).text).not.toMatch(/"hex"/)
    expect((await call('getinfo')).status).toBe(200)
  })

  test('sees users apart: one cannot send what another was handed', async () => {
    const journal = memoryJournal()
    const users = { authenticate: async (name: string) => name }
    guard = await start({ journal, users })
    const as = async (name: string, method: string, params: readonly unknown[]) => {
      const { body } = await rawRequest(guard.url, {
        headers: { authorization: basic(name, 'x') },
        body: callText(method, params),
      })
      return JSON.parse(body)
    }
    const { result } = await as('alice', 'tokentransfer', transferOf('70'))
    const stolen = await as('bob', 'sendrawtransaction', [result.hex])
    const foreign = (await node.request('tokentransfer', transferOf('3'))) as { hex: string }
    const unknown = await as('bob', 'sendrawtransaction', [foreign.hex])
    expect(stolen.error).toEqual(unknown.error)
    expect((await as('alice', 'sendrawtransaction', [result.hex])).error).toBeNull()
    expect(await balanceOf(1)).toBe(70)
  })

  test('hands out no second transaction of a payment that a former user was handed', async () => {
    const journal = memoryJournal()
    guard = await start({ journal })
    const { result } = await call('tokentransfer', transferOf('70'))
    const { txid } = decodeTransaction(result!.hex!)
    guard = await start({ journal, users: { authenticate: async (name: string) => name } })
    const { body } = await rawRequest(guard.url, {
      headers: { authorization: basic('alice', 'x') },
      body: callText('tokentransfer', transferOf('70')),
    })
    expect(body).toContain(`${txid} may be the same payment, made before the users`)
    expect(body).not.toContain('"hex"')
  })
})

test('a guard without a key refuses to build and to send', async () => {
  const { daemon } = optionsOf()
  guard = await createGuard({ daemon })
  open.push(guard)
  expect((await call('tokentransfer', transferOf('1'))).error!.message).toContain('is refused')
  expect((await call('sendrawtransaction', ['00'])).error!.message).toContain('is refused')
  await expect(createGuard({ daemon, pubkey: `02${'ff'.repeat(32)}` })).rejects.toThrow(/pubkey/)
  await expect(createGuard({ daemon, repeatMs: Number.NaN })).rejects.toThrow(/repeatMs/)
})
