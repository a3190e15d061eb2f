/**
 * Observers that fail at any step of a safe flow. The daemon is in memory, behind the real client:
 * it picks the coins, loses requests and replies, and refuses what it sends on. Whatever observers
 * do, the flow asks the daemon the same and ends the same as without them. No chain can hold two
 * payments of one id.
 *
 * @typedef {{ amount: number, picks: number[][], outcomes: string[], isNew: boolean }} Step
 *   one call of the flow; `isNew` in a new process, which has the journal and no other memory
 * @typedef {{ steps: Step[], failures: string[] }} Watched
 *   `failures`: what observers do, one after another, of all kinds
 */

import assert from 'node:assert/strict'

import { daemons, outcomes } from './memory-daemon.mjs'

const amounts = [1, 2]

/** @returns {never} */
function fail() {
  throw new Error('the observer failed')
}

/** The name is in a variable, because the linter refuses a member `then`, which a thenable needs. */
const member = 'then'

/** @type {Record<string, (event: any) => unknown>} each settles, because a flow waits for some */
const failures = {
  'does as it should': () => undefined,
  throws: fail,
  'throws no error': () => {
    throw undefined
  },
  rejects: () => Promise.reject(new Error('the observer failed')),
  'rejects later': () => new Promise((_, reject) => setImmediate(reject, new Error('later'))),
  'returns a thenable that throws': () => ({ [member]: fail }),
  'returns an object that cannot be read': () => new Proxy({}, { get: fail, has: fail }),
  'overwrites what it is told': (event) => {
    for (const name of Object.keys(event)) Reflect.set(event, name, undefined)
  },
  'overwrites the report': ({ report = {} }) => {
    for (const found of report.findings ?? []) Reflect.set(found, 'severity', 'reject')
    for (const name of Object.keys(report)) Reflect.set(report, name, 'other')
  },
}

/**
 * @param {typeof import('../../dist/index.js') & typeof import('../../dist/rpc/index.js')} library
 * @returns {import('./loop.mjs').Target<Watched>}
 */
export function target(library) {
  const { createDaemonClient, memoryJournal, transactionId, transferToken } = library
  const daemonOf = daemons(library)
  const names = Object.keys(failures)
  const seeds = names.map((failure, at) => ({
    steps: [1, 1, 2].map((amount, index) =>
      stepOf(amount, outcomes.slice((at + 2 * index) % outcomes.length)),
    ),
    failures: [failure],
  }))
  return { seeds, mutate, execute }

  /** @param {number} amount @param {string[]} outcomes @returns {Step} */
  function stepOf(amount, outcomes) {
    return { amount, outcomes, picks: [[0, 0]], isNew: false }
  }

  /** @param {Watched} seed @param {import('./random.mjs').Random} random @returns {Watched} */
  function mutate(seed, random) {
    const some = (/** @type {() => any} */ make) =>
      Array.from({ length: 1 + random.below(4) }, make)
    const picks = () => some(() => [random.below(3), random.below(3)])
    const step = () => ({
      amount: random.one(amounts),
      outcomes: some(() => random.one(outcomes)),
      picks: picks(),
      isNew: random.chance(3),
    })
    const steps = random.chance(4)
      ? some(step)
      : seed.steps.map((it) => ({ ...it, picks: picks() }))
    if (random.chance(2)) steps[random.below(steps.length)] = step()
    return { steps, failures: some(() => random.one(names)).concat(seed.failures) }
  }

  /** @param {Watched} input */
  async function execute({ steps, failures: chosen }) {
    const alone = await ends(steps, undefined)
    let turn = 0
    const observer = (/** @type {any} */ event) => {
      const name = /** @type {string} */ (chosen[turn++ % chosen.length])
      return failures[name]?.(event)
    }
    /** @type {unknown[]} */
    const unhandled = []
    const note = (/** @type {unknown} */ reason) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      const watched = await ends(steps, observer)
      // Node tells of a rejection that nobody handles after the turn in which it came.
      await new Promise((done) => setImmediate(() => setImmediate(done)))
      assert.ok(turn > 0, 'nobody was told')
      assert.deepEqual(unhandled, [], 'a rejection that would end the process')
      assert.deepEqual(watched, alone)
    } finally {
      process.off('unhandledRejection', note)
    }
  }

  /**
   * Returns how each call ended, and what the daemon was asked.
   *
   * @param {Step[]} steps
   * @param {((event: object) => unknown) | undefined} observer
   */
  async function ends(steps, observer) {
    const daemon = daemonOf()
    const journal = memoryJournal()
    const all = []
    const hooks = observer && { onRequest: observer, onResponse: observer, onRetry: observer }
    const login = { url: 'http://127.0.0.1:1', user: 'user', password: 'password' }
    const retry = { attempts: 2, baseMs: 0 }
    const open = () => createDaemonClient({ ...login, retry, fetch: daemon.fetch, ...hooks })
    let client = open()
    for (const { amount, isNew, ...now } of steps) {
      if (isNew) client = open()
      daemon.begin(now)
      const intent = daemon.intentOf(amount)
      const own = { journal, id: `payment of ${amount}`, ancestorsMax: 0 }
      const allow = ['token_parent_unproven']
      const options = { ...own, allow, ...(observer && { onProgress: observer }) }
      const end = await transferToken(client, intent, options).then(
        ({ txid, held, repeated }) => ({ txid, held, repeated }),
        ({ name, message, kind, txid, uncertain }) => ({ name, message, kind, txid, uncertain }),
      )
      all.push(end)
      if (end.txid !== undefined) {
        const known = [...daemon.offered].map((hex) => transactionId(hex))
        assert.ok(known.includes(end.txid), 'a txid of what was not sent')
      }
    }
    for (const amount of amounts) {
      assert.ok(daemon.payments(amount) <= 1, 'one id pays twice on one chain')
    }
    return { all, asked: daemon.asked, offered: [...daemon.offered] }
  }
}
