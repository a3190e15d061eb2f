// Reservations of limits: at once, once, and over restarts.

import { describe, expect, test } from 'vitest'
import { fileJournal } from '../../../src/journal/file.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { SimulatedDisk, systemError } from '../../support/simulated-disk.ts'
import { coin, open, pay, payment, start, strangerHash, Time, to } from './support.ts'

const hour = 3_600_000
const limited = (limits: object) => ({ ...open, coins: limits })
const coins = (amount: bigint, more = {}) =>
  payment({ outflows: [to(strangerHash, amount)], fee: 0n }, more)
const isAllowed = ({ verdict }: { verdict: string }) => verdict === 'allow'

/** The password of a user: its digits decide nothing here. */
const password = `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

describe('reservations', () => {
  test('let one of 200 concurrent payments of 60 % of a limit pass', async () => {
    const users = { alice: { password }, bob: { password } }
    const guard = await start({ ...limited({ perHour: '10' }), users })
    const decisions = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        guard.policy.decide(coins(6n * coin, { user: at % 2 === 0 ? 'alice' : 'bob' }), {
          isConfirmed: false,
        }),
      ),
    )
    expect(decisions.filter(isAllowed)).toHaveLength(1)
  })

  test('fill a limit to the last satoshi with 200 concurrent payments that are kept', async () => {
    const guard = await start(limited({ perHour: '10' }))
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => pay(guard, coins(coin / 10n))),
    )
    expect(answers.filter((it) => it === 'allow')).toHaveLength(100)
    expect(await guard.journal.read(0)).toHaveLength(100)
  })

  test('free their amount once when they are released', async () => {
    const guard = await start(limited({ perHour: '1' }))
    const decision = await guard.policy.decide(coins(coin), { isConfirmed: false })
    if (decision.verdict !== 'allow') throw new Error(decision.verdict)
    expect(await pay(guard, coins(1n))).toBe('refuse coins.perHour')
    await decision.reservation!.release()
    await decision.reservation!.release()
    expect(await pay(guard, coins(coin))).toBe('allow')
    expect(await pay(guard, coins(1n))).toBe('refuse coins.perHour')
  })

  test('reservations of one payment do not free those of another', async () => {
    const guard = await start(limited({ perHour: '1' }))
    const decide = async () => {
      const decision = await guard.policy.decide(coins(coin / 2n), { isConfirmed: false })
      if (decision.verdict !== 'allow') throw new Error(decision.verdict)
      return decision.reservation!
    }
    const [one, other] = [await decide(), await decide()]
    await one.keep()
    await one.release()
    expect(await pay(guard, coins(1n))).toBe('refuse coins.perHour')
    await other.release()
    expect(await pay(guard, coins(coin / 2n))).toBe('allow')
    expect(await pay(guard, coins(1n))).toBe('refuse coins.perHour')
  })

  test('end after two minutes, so builds that are never sent do not hoard limits', async () => {
    const time = new Time()
    const guard = await start(limited({ perHour: '1' }), { time })
    const decision = await guard.policy.decide(coins(coin), { isConfirmed: false })
    if (decision.verdict !== 'allow') throw new Error(decision.verdict)
    time.pass(119_999)
    expect(await pay(guard, coins(coin))).toBe('refuse coins.perHour')
    time.pass(1)
    expect(await pay(guard, coins(coin))).toBe('allow')
    // The late hex stays inside, because its amount is no longer reserved.
    await expect(decision.reservation!.keep()).rejects.toThrow('coins.perHour')
    await decision.reservation!.release()
    expect(await pay(guard, coins(1n))).toBe('refuse coins.perHour')
  })

  test('reservations that ended are reserved again when there is room', async () => {
    const time = new Time()
    const guard = await start(limited({ perHour: '1' }), { time })
    const decision = await guard.policy.decide(coins(coin), { isConfirmed: false })
    if (decision.verdict !== 'allow') throw new Error(decision.verdict)
    time.pass(130_000)
    await decision.reservation!.keep()
    expect(await pay(guard, coins(1n))).toBe('refuse coins.perHour')
  })

  test('count the limits of a user apart and those of all together', async () => {
    const users = {
      alice: { password, coins: { perHour: '1' } },
      bob: { password, coins: { perHour: '1' } },
    }
    const guard = await start({ ...limited({ perHour: '1.5' }), users })
    expect(await pay(guard, coins(coin, { user: 'alice' }))).toBe('allow')
    expect(await pay(guard, coins(1n, { user: 'alice' }))).toBe('refuse users.alice.coins.perHour')
    expect(await pay(guard, coins(coin, { user: 'bob' }))).toBe('refuse coins.perHour')
    expect(await pay(guard, coins(coin / 2n, { user: 'bob' }))).toBe('allow')
  })
})

describe('one payment', () => {
  test('consumes its amount once, when its hex is handed over and then sent', async () => {
    const guard = await start(limited({ perHour: '1' }))
    const handedOver = coins(coin)
    expect(await pay(guard, handedOver)).toBe('allow')
    expect(await pay(guard, { ...handedOver, moment: 'send' })).toBe('allow')
    expect(await guard.journal.read(0)).toHaveLength(1)
  })

  test('has an entry for each of its transactions', async () => {
    const guard = await start(limited({ perHour: '1' }))
    const first = coins(coin)
    expect(await pay(guard, first)).toBe('allow')
    expect(await pay(guard, { ...first, txid: 'ef'.repeat(32) })).toBe('allow')
    expect(guard.limits.txids()).toEqual(new Set([first.txid, 'ef'.repeat(32)]))
    expect(await pay(guard, coins(1n))).toBe('refuse coins.perHour')
  })

  test('consumes what a later attempt has more', async () => {
    const guard = await start(limited({ perHour: '1.1' }))
    const first = coins(coin)
    expect(await pay(guard, first)).toBe('allow')
    const dearer = { ...first, effects: { ...first.effects, fee: coin / 10n } }
    expect(await pay(guard, dearer)).toBe('allow')
    expect(await pay(guard, coins(1n))).toBe('refuse coins.perHour')
  })

  test('a payment of one user is another one if a second user sends it', async () => {
    const users = { alice: { password }, bob: { password } }
    const guard = await start({ ...limited({ perHour: '1' }), users })
    const handedOver = coins(coin, { user: 'alice' })
    expect(await pay(guard, handedOver)).toBe('allow')
    expect(await pay(guard, { ...handedOver, user: 'bob', moment: 'send' })).toBe(
      'refuse coins.perHour',
    )
  })

  test('is decided again when it is sent: a denied recipient stops it', async () => {
    const guard = await start(open)
    const handedOver = coins(coin)
    expect(await pay(guard, handedOver)).toBe('allow')
    guard.policy.reload(
      JSON.stringify({ ...open, recipients: { deny: [`76a9${'14'}${strangerHash}88ac`] } }),
    )
    expect(await pay(guard, { ...handedOver, moment: 'send' })).toBe('refuse recipients.deny')
  })

  test('is asked about once', async () => {
    const rules = {
      ...limited({ confirmAbove: '0.5', perHour: '1' }),
      confirm: { command: ['/bin/true'] },
    }
    const guard = await start(rules)
    const handedOver = coins(coin)
    expect(await pay(guard, handedOver)).toBe('confirm coins.confirmAbove')
    expect(await pay(guard, handedOver, true)).toBe('allow')
    expect(await pay(guard, { ...handedOver, moment: 'send' })).toBe('allow')
  })

  test('a payment that waits for an answer reserves nothing, and is decided again after it', async () => {
    const rules = {
      ...limited({ confirmAbove: '0.5', perHour: '1' }),
      confirm: { command: ['/bin/true'] },
    }
    const guard = await start(rules)
    const waiting = coins(coin)
    expect(await pay(guard, waiting)).toBe('confirm coins.confirmAbove')
    expect(await pay(guard, coins(coin / 2n))).toBe('allow')
    expect(await pay(guard, waiting, true)).toBe('refuse coins.perHour')
  })
})

describe('a restart', () => {
  test('keeps what was consumed in the last hour and day', async () => {
    const [journal, time] = [memoryJournal(), new Time()]
    const rules = limited({ perHour: '1', perDay: '1.5' })
    expect(await pay(await start(rules, { journal, time }), coins(coin))).toBe('allow')
    time.pass(hour - 1)
    const second = await start(rules, { journal, time })
    expect(await pay(second, coins(coin / 2n))).toBe('refuse coins.perHour')
    time.pass(1)
    const third = await start(rules, { journal, time })
    expect(await pay(third, coins(coin / 2n + 1n))).toBe('refuse coins.perDay')
    expect(await pay(third, coins(coin / 2n))).toBe('allow')
  })

  test('forgets what was reserved and never left', async () => {
    const journal = memoryJournal()
    const rules = limited({ perHour: '1' })
    const first = await start(rules, { journal })
    await first.policy.decide(coins(coin), { isConfirmed: false })
    expect(await pay(await start(rules, { journal }), coins(coin))).toBe('allow')
  })

  test('knows a payment that was handed over before', async () => {
    const [journal, time] = [memoryJournal(), new Time()]
    const rules = limited({ perHour: '1' })
    const handedOver = coins(coin)
    expect(await pay(await start(rules, { journal, time }), handedOver)).toBe('allow')
    time.pass(60_000)
    const again = await start(rules, { journal, time })
    expect(await pay(again, { ...handedOver, moment: 'send' })).toBe('allow')
  })

  test('refuses a record of another kind', async () => {
    const journal = memoryJournal()
    await journal.append(1, '{"at":1}')
    await expect(start(open, { journal })).rejects.toMatchObject({ code: 'journal_malformed' })
  })
})

describe('the clock', () => {
  test('a clock that is set back does not open a window again', async () => {
    const [journal, time] = [memoryJournal(), new Time()]
    const rules = limited({ perHour: '1' })
    const guard = await start(rules, { journal, time })
    expect(await pay(guard, coins(coin))).toBe('allow')
    time.wall -= 5 * hour
    expect(await pay(guard, coins(1n))).toBe('refuse coins.perHour')
    const restarted = await start(rules, { journal, time })
    expect(await pay(restarted, coins(1n))).toBe('refuse coins.perHour')
    time.pass(hour)
    expect(await pay(restarted, coins(1n))).toBe('allow')
  })

  test('a clock that is set forward ends no window of a running guard', async () => {
    const time = new Time()
    const guard = await start(limited({ perHour: '1' }), { time })
    expect(await pay(guard, coins(coin))).toBe('allow')
    time.wall += 25 * hour
    expect(await pay(guard, coins(1n))).toBe('refuse coins.perHour')
  })
})

describe('the journal of limits', () => {
  test('is written before the hex leaves', async () => {
    const guard = await start(limited({ perHour: '1' }))
    const decision = await guard.policy.decide(coins(coin), { isConfirmed: false })
    if (decision.verdict !== 'allow') throw new Error(decision.verdict)
    expect(await guard.journal.read(0)).toHaveLength(0)
    await decision.reservation!.keep()
    expect(await guard.journal.read(0)).toHaveLength(1)
  })

  test.each(['ENOSPC', 'EIO'])('a payment that meets %s keeps the hex inside', async (code) => {
    const disk = new SimulatedDisk()
    let isBroken = false
    const process = disk.process((operation) => {
      if (isBroken && (operation === 'write' || operation === 'sync')) throw systemError(code)
    })
    const journal = fileJournal('/state/limits', { disk: process })
    const guard = await start(limited({ perHour: '1' }), { journal })
    expect(await pay(guard, coins(coin / 2n))).toBe('allow')
    isBroken = true
    await expect(pay(guard, coins(1n))).rejects.toMatchObject({ code: 'journal_failed' })
    const left = await guard.policy.decide(coins(coin / 2n), { isConfirmed: false })
    expect(left.verdict).toBe('allow')
  })

  test('contains no idempotency key, which is text of a client', async () => {
    const guard = await start(open)
    await pay(guard, coins(coin, { payment: 'secret words of a client' }))
    const [text] = await guard.journal.read(0)
    expect(text).toContain('"coins":"100000000"')
    expect(text).not.toContain('secret')
  })

  test('the journal of limits that two guards share makes their limits one', async () => {
    const journal = memoryJournal()
    const rules = limited({ perHour: '1' })
    const [one, other] = [await start(rules, { journal }), await start(rules, { journal })]
    const ask = async ({ policy }: typeof one) => {
      const decision = await policy.decide(coins((coin * 6n) / 10n), { isConfirmed: false })
      if (decision.verdict !== 'allow') throw new Error(decision.verdict)
      return decision.reservation!
    }
    const kept = await Promise.allSettled([(await ask(one)).keep(), (await ask(other)).keep()])
    expect(kept.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await pay(other, coins((coin * 4n) / 10n))).toBe('allow')
    await expect(pay(one, coins((coin * 4n) / 10n))).rejects.toThrow('coins.perHour')
  })

  test('is compacted to the payments of a day, and counts on', async () => {
    const time = new Time()
    const inner = memoryJournal()
    let replaced = 0
    const journal: Journal = {
      ...inner,
      async replace(count, texts) {
        replaced += 1
        return inner.replace!(count, texts)
      },
    }
    const guard = await start(limited({ perDay: '1' }), { journal, time })
    for (let at = 0; at < 4_200; at += 1) {
      time.pass(60_000)
      await pay(guard, coins(1n))
    }
    expect(replaced).toBe(0)
    for (let at = 0; at < 1_500; at += 1) {
      time.pass(60_000)
      await pay(guard, coins(1n))
    }
    expect(replaced).toBe(1)
    expect((await journal.read(0)).length).toBeLessThan(2_000)
    const restarted = await start(limited({ perDay: '1' }), { journal, time })
    expect(await pay(restarted, coins(coin - 1_440n + 1n))).toBe('refuse coins.perDay')
    expect(await pay(restarted, coins(coin - 1_440n))).toBe('allow')
  })
})
