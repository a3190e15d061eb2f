// Payments in coins through a guard, which carries them out in steps that it verifies.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Network, networks } from '../../src/chain/network.ts'
import type { Guard, GuardOptions } from '../../src/guard/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { createDaemonClient } from '../../src/rpc/index.ts'
import { decodeTransaction } from '../../src/transaction/decode.ts'
import { encodeTransaction } from '../../src/transaction/encode.ts'
import type { TransactionOutput } from '../../src/transaction/types.ts'
import { reply, startServer } from '../contract/support/server.ts'
import { callText, guardOfNode } from './support/guarded.ts'
import { basic, rawRequest } from './support/raw.ts'

let node: DevNode
let guard: Guard
let to: string
const open: { close(): Promise<void> }[] = []

async function start(options: Partial<GuardOptions> = {}): Promise<Guard> {
  const started = await guardOfNode(node, options)
  open.push(started)
  return started
}

beforeEach(async () => {
  node = await createDevNode({ time: 1_800_000_000 })
  to = node.identities[1]!.address
  guard = await start()
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  await node.close()
})

/** Calls with the text of its parameters, so that numbers keep their spelling. */
async function call(method: string, params: string, headers: Record<string, string> = {}) {
  const { user, password } = node.identities[0]!
  const { body } = await rawRequest(guard.url, {
    headers: { authorization: basic(user, password), ...headers },
    body: `{"method":"${method}","params":${params},"id":1}`,
  })
  return JSON.parse(body) as { result: string | null; error: { code: number; message: string } }
}

const named = (key: string) => ({ 'idempotency-key': key })

async function received(address = to): Promise<bigint> {
  const answer = await node.request('getaddressbalance', [{ addresses: [address] }])
  return BigInt((answer as { received: number }).received)
}

test('sendtoaddress pays what the call says, and answers the txid', async () => {
  const before = await received()
  const { result, error } = await call('sendtoaddress', `["${to}",0.5]`)
  expect(error).toBeNull()
  expect(result).toMatch(/^[0-9a-f]{64}$/)
  expect((await received()) - before).toBe(50_000_000n)
})

test('sendmany pays several at once', async () => {
  const own = node.identities[0]!.address
  const before = await received()
  const { result } = await call('sendmany', `["",{"${to}":0.25,"${own}":"0.5"},1,"",[]]`)
  expect(result).toMatch(/^[0-9a-f]{64}$/)
  expect((await received()) - before).toBe(25_000_000n)
})

test('the same payment again is held, whatever its spelling, unless it has a name', async () => {
  const before = await received()
  const { result } = await call('sendtoaddress', `["${to}",0.1]`)
  for (const spelling of ['0.1', '0.10', '1e-1', '"0.1"']) {
    const again = await call('sendtoaddress', `["${to}",${spelling}]`)
    expect(again.result).toBeNull()
    expect(again.error.message).toContain(
      `held as a repetition: the same payment was made as ${result}`,
    )
  }
  const first = await call('sendtoaddress', `["${to}",0.2]`, named('customer-1'))
  expect((await call('sendtoaddress', `["${to}",0.2]`, named('customer-1'))).result).toBe(
    first.result,
  )
  const second = await call('sendtoaddress', `["${to}",0.2]`, named('customer-2'))
  expect(second.result).toMatch(/^[0-9a-f]{64}$/)
  expect(second.result).not.toBe(first.result)
  const other = await call('sendtoaddress', `["${to}",0.3]`, named('customer-1'))
  expect(other.error.code).toBe(-8)
  expect(other.error.message).toContain('this name was used for another payment')
  expect((await received()) - before).toBe(50_000_000n)
})

test('holds an equal unnamed payment for ten minutes', async () => {
  const before = await received()
  const { result } = await call('sendtoaddress', `["${to}",0.1]`, named('customer-1'))
  const { error } = await call('sendtoaddress', `["${to}",0.1]`)
  expect(error.message).toContain(`guard: held: ${result} may be the same payment.`)
  expect(error.message).toContain('If so, do not repeat this call')
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  const later = await call('sendtoaddress', `["${to}",0.1]`)
  clock.mockRestore()
  expect(later.error).toBeNull()
  expect((await received()) - before).toBe(20_000_000n)
})

test('holds an equal unnamed payment longer while no block has the first', async () => {
  await node.close()
  node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  to = node.identities[1]!.address
  guard = await start()
  const first = await call('sendtoaddress', `["${to}",0.1]`, named('customer-1'))
  expect(first.error).toBeNull()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  const later = await call('sendtoaddress', `["${to}",0.1]`)
  clock.mockRestore()
  expect(later.error.message).toContain(`${first.result}`)
  expect(later.result).toBeNull()
})

test('pays again under a new name after ten minutes', async () => {
  const before = await received()
  await call('sendtoaddress', `["${to}",0.1]`)
  const tooEarly = await call('sendtoaddress', `["${to}",0.1]`, named('another'))
  expect(tooEarly.error.message).toContain('may be the same payment')
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  const later = await call('sendtoaddress', `["${to}",0.1]`, named('another'))
  clock.mockRestore()
  expect(later.error).toBeNull()
  expect((await received()) - before).toBe(20_000_000n)
})

describe('a payment that its own call settled within ten minutes', () => {
  const byName = { unnamed: {}, named: named('customer-1') }
  const pay = (name: keyof typeof byName) => call('sendtoaddress', `["${to}",0.1]`, byName[name])
  const rows = [
    ['unnamed', 'named'],
    ['named', 'unnamed'],
  ] as const

  test.each(rows)('holds an equal one: %s, then %s', async (first, second) => {
    const before = await received()
    const { result } = await pay(first)
    // The node has mined it, so its own call settles it.
    const again = await pay(first)
    if (first === 'named') expect(again.result).toBe(result)
    else {
      expect(again.error.message).toContain(
        'name it by a header Idempotency-Key, and repeat it when a block has the first and --repeat is over',
      )
    }
    expect((await pay(second)).error.message).toMatch(
      new RegExp(`^guard: held: ${result} may be the same payment\\.`),
    )
    expect((await received()) - before).toBe(10_000_000n)
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 601_000)
    const later = await pay(second)
    clock.mockRestore()
    expect(later.error).toBeNull()
    expect((await received()) - before).toBe(20_000_000n)
  })

  test.each(rows)('holds nothing with repeatMs 0: %s, then %s', async (first, second) => {
    guard = await start({ repeatMs: 0 })
    const { result } = await pay(first)
    const other = await pay(second)
    expect(other.error).toBeNull()
    expect(other.result).not.toBe(result)
  })
})

test('a refused transaction of the payment itself is named as what holds it', async () => {
  let isSpent = false
  const record = {
    append: async () => {
      if (isSpent) return
      isSpent = true
      // Another program spends all coins before the broadcast.
      const own = node.identities[0]!.address
      const balance = await node.request('getbalance', [])
      await node.request('sendtoaddress', [own, balance, '', '', true])
    },
    close: async () => undefined,
  }
  guard = await start({ record })
  const refused = await call('sendtoaddress', `["${to}",0.1]`, named('customer-1'))
  expect(refused.error).not.toBeNull()
  const { error } = await call('sendtoaddress', `["${to}",0.1]`, named('customer-1'))
  expect(error.message).toMatch(
    /^guard: held \(different-inputs\): ([0-9a-f]{64}) is an earlier transaction of this payment, which was refused or not sent, and may still be mined\. .* antara-tx attempts forget \1 --journal FILE, with the journal of this guard$/,
  )
})

test.each([
  ['with a name', named('customer-1'), 'Repeat this call when a block has that one'],
  [
    'without a name',
    {},
    'Do not repeat this call: once a block has that one and --repeat is over, it may pay again',
  ],
])('a payment that may have been sent is named as what holds it: %s', async (_, headers, next) => {
  let isLost = true
  await hostile((method) => (isLost && method === 'sendrawtransaction' ? 5 : undefined))
  const lost = await call('sendtoaddress', `["${to}",0.1]`, headers)
  expect(lost.error.message).toContain('uncertain')
  isLost = false
  const coins = await node.request('getbalance', [])
  await node.request('sendtoaddress', [node.identities[0]!.address, coins, '', '', true])
  const { error } = await call('sendtoaddress', `["${to}",0.1]`, headers)
  expect(error.message).toMatch(
    new RegExp(
      `^guard: held \\(different-inputs\\): ([0-9a-f]{64}) is an earlier transaction of this payment, which may be mined too\\. ${next}\\. If it can never be mined, stop the guard and run antara-tx attempts forget \\1`,
    ),
  )
})

describe('a transaction that the daemon has lost, or hides,', () => {
  let fault: 'lost' | 'refused' | 'hidden' | undefined
  /** The last transaction that was sent. */
  let sent: string

  beforeEach(async () => {
    fault = undefined
    await node.close()
    node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
    to = node.identities[1]!.address
    // With two coins, the wallet can build another transaction.
    await node.request('sendtoaddress', [node.identities[0]!.address, 10])
    node.mine()
  })

  const refuse = (code: number, message: string) => Promise.reject({ code, message })
  const change = (method: string, [first]: unknown[]): unknown => {
    if (method === 'sendrawtransaction') {
      if (fault !== 'refused' && fault !== 'hidden') sent = String(first)
      // An answer of another form leaves the outcome open.
      if (fault === 'lost') return 5
      return fault === undefined ? undefined : refuse(-26, 'mempool full')
    }
    if (fault !== 'hidden') return undefined
    if (method === 'getaddressdeltas' || method === 'getaddressmempool') return []
    if (method !== 'getrawtransaction' || first !== txid()) return undefined
    return refuse(-5, 'No information available about transaction')
  }
  const txid = () => decodeTransaction(sent).txid
  /** Keeps the wallet from the coins and from the change of the transaction. */
  const lockCoins = async (): Promise<void> => {
    const { inputs, outputs } = decodeTransaction(sent)
    const change = outputs.map((_, vout) => ({ txid: txid(), vout }))
    const coins = inputs.map(({ txid, vout }) => ({ txid, vout }))
    await node.request('lockunspent', [false, fault === 'hidden' ? change : coins])
  }
  const pay = (headers: Record<string, string> = {}) =>
    call('sendtoaddress', `["${to}",0.1]`, headers)

  test('is no reason to repeat a call without a name', async () => {
    await hostile(change)
    const before = await received()
    expect((await pay()).error).toBeNull()
    fault = 'hidden'
    await lockCoins()
    expect((await pay()).error.message).toContain(
      'Do not repeat this call: once a block has that one and --repeat is over, it may pay again.',
    )
    fault = undefined
    node.mine()
    // A program that repeats the call all the same pays a second time.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    const later = await pay()
    clock.mockRestore()
    expect(later.error).toBeNull()
    node.mine()
    expect((await received()) - before).toBe(20_000_000n)
  })

  test('is found by a call with the same name, however late', async () => {
    await hostile(change)
    const before = await received()
    const { result } = await pay(named('customer-1'))
    fault = 'hidden'
    await lockCoins()
    expect((await pay(named('customer-1'))).error.message).toContain(
      'Repeat this call when a block has that one.',
    )
    fault = undefined
    node.mine()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    const later = await pay(named('customer-1'))
    clock.mockRestore()
    expect(later.result).toBe(result)
    expect((await received()) - before).toBe(10_000_000n)
  })

  test.each([
    ['with a name', named('customer-1')],
    ['without a name', {}],
  ])('is named, if the daemon refuses it now and another one is held: %s', async (_, headers) => {
    await hostile(change)
    const before = await received()
    fault = 'lost'
    expect((await pay(headers)).error.message).toContain(`uncertain`)
    fault = 'refused'
    await lockCoins()
    const { error } = await pay(headers)
    expect(error.message).toMatch(
      new RegExp(`^guard: held \\(different-inputs\\): ${txid()} is an earlier transaction`),
    )
    // The daemon has relayed it, and a block has it.
    fault = undefined
    await node.request('sendrawtransaction', [sent])
    node.mine()
    const found = await pay(headers)
    expect(found.result ?? found.error.message).toContain(txid())
    expect((await received()) - before).toBe(10_000_000n)
  })

  test('is said to be sent before, if the same bytes are refused after a lost answer', async () => {
    await hostile(change)
    const built = (await call('tokencreate', '["GOLD","0.00001"]')).result as unknown
    const { hex } = built as { hex: string }
    const sendWith = async (next: typeof fault) => {
      fault = next
      return (await call('sendrawtransaction', `["${hex}"]`)).error
    }
    expect((await sendWith('refused')).message).toMatch(/mempool full[^;]*$/)
    expect((await sendWith('lost')).message).toContain('uncertain')
    const { code, message } = await sendWith('refused')
    expect(code).toBe(-26)
    expect(message).toMatch(/mempool full.*; it was sent before, and may still be mined$/)
  })

  test.each<[string, readonly (typeof fault)[], RegExp]>([
    ['rejected', [undefined, 'hidden'], /^guard: rejected: prevout_missing/],
    [
      'refused by the policy',
      ['lost', 'refused'],
      /^guard: the policy refuses this \(max\): Too much\./,
    ],
  ])('is named, if the same call is then %s', async (_, [first, second], reason) => {
    const policy: GuardOptions['policy'] = {
      admit: () => undefined,
      decide: () =>
        fault === 'refused'
          ? { verdict: 'refuse', rule: 'max', reason: 'Too much.' }
          : { verdict: 'allow' },
    }
    await hostile(change, { policy })
    fault = first
    await pay()
    fault = second
    const { error } = await pay()
    expect(error.message).toMatch(reason)
    expect(error.message).toContain(
      `. ${txid()} may be the same payment and may still be mined: look for it before you pay again`,
    )
    expect(error.message).not.toContain('..')
  })
})

test('many payments at once share no coin', async () => {
  const before = await received()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => call('sendtoaddress', `["${to}",0.0${at + 1}]`)),
  )
  expect(answers.map(({ error }) => error)).toEqual(Array(8).fill(null))
  expect(new Set(answers.map(({ result }) => result)).size).toBe(8)
  expect((await received()) - before).toBe(36_000_000n)
})

test.each<[string, string]>([
  ['sendtoaddress', '["{to}",0.5,"a comment"]'],
  ['sendtoaddress', '["{to}",0.5,"","to whom"]'],
  ['sendtoaddress', '["{to}",0.5,"","",true]'],
  ['sendtoaddress', '["{to}",0.5,"","",false,1]'],
  ['sendtoaddress', '["{to}",0.123456789]'],
  ['sendtoaddress', '["{to}",0]'],
  ['sendtoaddress', '["{to}",-1]'],
  ['sendtoaddress', '["{to}"," 1"]'],
  ['sendtoaddress', '["{to}","0x1"]'],
  ['sendtoaddress', '["{to}",1e99]'],
  ['sendtoaddress', '["{to}",[1]]'],
  ['sendtoaddress', '["{to}"]'],
  ['sendtoaddress', '[5,1]'],
  ['sendmany', '["account",{"{to}":1}]'],
  ['sendmany', '["",{"{to}":1},0]'],
  ['sendmany', '["",{"{to}":1},1,"a comment"]'],
  ['sendmany', '["",{"{to}":1},1,"",["{to}"]]'],
  ['sendmany', '["",{}]'],
  ['sendmany', '["",[["{to}",1]]]'],
  ['sendmany', '["",{"{to}":1,"{to}":2}]'],
  // Two customers with one address, who are owed the same: read as one, one of them gets nothing.
  ['sendmany', '["",{"{to}":0.5,"{to}":0.5}]'],
])('%s of %s is refused, and nothing is paid', async (method, params) => {
  const before = await received()
  const { result, error } = await call(method, params.replaceAll('{to}', to))
  expect(result).toBeNull()
  expect(error.message).toMatch(/^guard: params|given twice/)
  expect(await received()).toBe(before)
})

/** A daemon that answers for the node, and changes what it likes. */
async function hostile(
  change: (method: string, params: unknown[]) => unknown,
  options: Partial<GuardOptions> = {},
): Promise<void> {
  const { user, password, pubkey } = node.identities[0]!
  const daemon = await startServer(async ({ body }, response) => {
    const { method, params, id } = JSON.parse(body)
    const asked = async () => change(method, params) ?? (await node.request(method, params))
    const answer = await asked().then(
      (result) => ({ result, error: null }),
      ({ code, message }) => ({ result: null, error: { code, message } }),
    )
    reply(response, 200, JSON.stringify({ ...answer, id }))
  })
  open.push(daemon)
  const credentials = () => ({ user, password })
  guard = await start({ daemon: { url: daemon.url, credentials }, pubkey, ...options })
}

/** The transaction with outputs changed; funded transactions have their change at either end. */
function withOutputs(
  hex: unknown,
  change: (output: TransactionOutput) => TransactionOutput,
): string {
  const transaction = decodeTransaction(String(hex))
  return encodeTransaction({ ...transaction, outputs: transaction.outputs.map(change) })
}

describe('a daemon that makes another payment is found out:', () => {
  const wanted = 50_000_000n
  const stranger = `76a914${'11'.repeat(20)}88ac`
  const ofChange =
    (change: (output: TransactionOutput) => TransactionOutput) => (params: unknown[]) => {
      params[0] = withOutputs(params[0], (it) => (it.value === wanted ? it : change(it)))
    }
  const ofPayee =
    (change: (output: TransactionOutput) => TransactionOutput) => (params: unknown[]) => {
      params[0] = withOutputs(params[0], (it) => (it.value === wanted ? change(it) : it))
    }

  test.each<[string, (params: unknown[]) => void]>([
    ['the change goes to a stranger', ofChange((it) => ({ ...it, script: stranger }))],
    [
      'the fee is a hundred times as high',
      ofChange((it) => ({ ...it, value: it.value - 500_000n })),
    ],
    ['the payee gets less', ofPayee((it) => ({ ...it, value: it.value - 1n }))],
    ['another payee gets it', ofPayee((it) => ({ ...it, script: stranger }))],
  ])('%s', async (_, change) => {
    const before = await received()
    await hostile((method, params) => {
      if (method === 'signrawtransaction') change(params)
    })
    const { result, error } = await call('sendtoaddress', `["${to}",0.5]`)
    expect(result).toBeNull()
    expect(error.message).toMatch(/^guard: rejected: /)
    expect(error.message).not.toMatch(/[0-9a-f]{170,}/)
    expect(await node.request('getrawmempool', [])).toEqual([])
    expect(await received()).toBe(before)
  })

  test('it claims a tip of 2^31, so nothing could be mined any more', async () => {
    const claims: Readonly<Record<string, unknown>> = {
      getblockcount: 2 ** 31,
      getaddressdeltas: [],
    }
    await hostile((method) => claims[method])
    const { result, error } = await call('sendtoaddress', `["${to}",0.5]`)
    expect(result).toBeNull()
    expect(error.message).toMatch(/^guard: rejected: .*expir/)
    expect(await node.request('getrawmempool', [])).toEqual([])
  })

  test('it signs a part, or answers otherwise', async () => {
    const unsigned = 'the daemon did not sign the payment'
    const unreadable = 'a call of the daemon failed ('
    for (const [answer, words] of [
      [{ hex: '0000', complete: false }, unsigned],
      [{ hex: '00', complete: false }, unreadable],
      [{ complete: true }, unreadable],
      ['hex', unreadable],
      [[], unreadable],
      [5, unreadable],
    ] as const) {
      await hostile((method) => (method === 'signrawtransaction' ? answer : undefined))
      const { result, error } = await call('sendtoaddress', `["${to}",0.5]`)
      expect(result).toBeNull()
      expect(error.message).toContain(words)
    }
  })
})

const balance = async () => Math.ceil(Number(await node.request('getbalance', [])))

test('an address that pays nobody is refused, and coins that do not suffice are named', async () => {
  const { CCaddress: condition } = (await node.request('tokenaddress', [])) as never
  for (const address of ['no address', condition ?? 'x', `${to}x`]) {
    const { result } = await call('sendtoaddress', `["${address}",0.5]`)
    expect(result).toBeNull()
  }
  const { error } = await call('sendtoaddress', `["${to}",${(await balance()) + 1}]`)
  expect(error.message).toMatch(/Insufficient funds/)
})

const infoWith = async (changes: object): Promise<object> => ({
  ...((await node.request('getinfo')) as object),
  ...changes,
})

// Without the member that names the reward, the others tell it.
const { rewards: _, ...unnamed } = networks.komodo

test.each<Network>([networks.komodo, networks.komodoTestnet, unnamed])(
  'a reward is not lost: the guard refuses to pay on $name',
  async (network) => {
    const info = await infoWith({ name: 'KMD' })
    await hostile((method) => (method === 'getinfo' ? info : undefined), { network })
    const { error } = await call('sendtoaddress', `["${to}",0.5]`)
    expect(error.message).toContain('reward')
    expect(await node.request('getrawmempool', [])).toEqual([])
  },
)

describe('a guard whose network is not that of the daemon pays nothing:', () => {
  const { komodo, assetChain, tokel } = networks
  const remedy = (name: string) => `with the network of the chain, such as ${name}`
  test.each([
    ['a daemon of KMD', { name: 'KMD' }, assetChain, remedy('komodo')],
    ['a chain with rewards', { name: 'AUR', interest: 0 }, assetChain, remedy('komodo')],
    ['another chain', { name: 'TOKTEST' }, komodo, remedy('assetChain')],
    ['tokeld', { name: 'TOKEL', TokelVersion: '0.3.4' }, assetChain, remedy('tokel')],
    ['komodod', { name: 'TOKTEST' }, tokel, remedy('assetChain')],
    ['no name', { name: undefined }, assetChain, 'does not say which chain'],
    ['an empty name', { name: '' }, assetChain, 'does not say which chain'],
    ['a name that is not text', { name: 5 }, assetChain, 'a call of the daemon failed'],
  ] as const)('%s', async (_, changes, network, message) => {
    const info = await infoWith(changes)
    const asked: string[] = []
    const decisions: unknown[] = []
    await hostile(
      (method) => {
        asked.push(method)
        return method === 'getinfo' ? info : undefined
      },
      { network, onDecision: ({ decision, reason }) => decisions.push([decision, reason]) },
    )
    const calls = [
      ['sendtoaddress', `["${to}",0.5]`],
      ['sendmany', `["",{"${to}":0.5}]`],
      ['tokencreate', '["GOLD","0.00001"]'],
      ['sendrawtransaction', '["00"]'],
      ['guard_submit', '["00",{}]'],
    ] as const
    for (const [method, params] of calls) {
      const { result, error } = await call(method, params)
      expect(result).toBeNull()
      expect(error.code).toBe(-32603)
      expect(error.message).toContain(message)
    }
    expect(new Set(asked)).toEqual(new Set(['getinfo']))
    expect(decisions).toEqual(calls.map(() => ['refused', 'network']))
  })

  test('a daemon that does not answer is asked again by the next payment', async () => {
    let isStarting = true
    await hostile((method) => (method === 'getinfo' && isStarting ? {} : undefined))
    const { error } = await call('sendtoaddress', `["${to}",0.5]`)
    expect(error.message).toContain('a call of the daemon failed')
    isStarting = false
    expect((await call('sendtoaddress', `["${to}",0.5]`)).error).toBeNull()
  })
})

test('a lost answer is uncertain, and the same call finds the payment', async () => {
  const before = await received()
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 2 })
  const lost = await call('sendtoaddress', `["${to}",0.5]`, named('a'))
  if (lost.error !== null) expect(lost.error.message).toMatch(/uncertain/)
  const { result } = await call('sendtoaddress', `["${to}",0.5]`, named('a'))
  expect(result).toMatch(/^[0-9a-f]{64}$/)
  expect((await received()) - before).toBe(50_000_000n)
})

test('a client of the library takes a payment for uncertain that the guard lost', async () => {
  const before = await received()
  const { user, password } = node.identities[0]!
  const client = createDaemonClient({ url: guard.url, user, password })
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 2 })
  const pay = () => client.call('sendtoaddress', [to, 0.5])
  await expect(pay()).rejects.toMatchObject({ kind: 'transport', uncertain: true })
  await expect(pay()).rejects.toThrow(/: the same payment was made as [0-9a-f]{64}\./)
  expect((await received()) - before).toBe(50_000_000n)
})

test('a policy sees the payee, the amount and the fee, and reserves before the send', async () => {
  const seen: unknown[] = []
  guard = await start({
    policy: {
      admit: () => undefined,
      decide({ effects: { outflows, fee }, method, moment }) {
        const [{ asset = '', amount = 0n, address = '', keyHashes = [] } = {}] = outflows
        seen.push([method, moment, outflows.length, asset, amount, address, keyHashes.length])
        expect(fee).toBeGreaterThan(0n)
        if (amount > 50_000_000n) return { verdict: 'refuse', rule: 'max', reason: 'Too much.' }
        return {
          verdict: 'allow',
          reservation: {
            keep: () => void seen.push('kept'),
            release: () => void seen.push('free'),
          },
        }
      },
    },
  })
  expect((await call('sendtoaddress', `["${to}",0.6]`)).error.message).toContain('max')
  expect((await call('sendtoaddress', `["${to}",0.5]`)).result).toMatch(/^[0-9a-f]{64}$/)
  const facts = (amount: bigint) => ['sendtoaddress', 'hand-over', 1, 'coins', amount, to, 1]
  expect(seen).toEqual([facts(60_000_000n), facts(50_000_000n), 'kept'])
})

test('a batch with a payment answers each call', async () => {
  const { user, password } = node.identities[0]!
  const before = await received()
  const { body } = await rawRequest(guard.url, {
    headers: { authorization: basic(user, password) },
    body: `[${callText('getblockcount')},${callText('sendtoaddress', [to, 0.5])},${callText('stop')}]`,
  })
  const [count, paid, stop] = JSON.parse(body)
  expect([typeof count.result, typeof paid.result, stop.error.code]).toEqual([
    'number',
    'string',
    -2,
  ])
  expect((await received()) - before).toBe(50_000_000n)
})
