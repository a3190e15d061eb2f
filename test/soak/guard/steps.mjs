// The steps of the programs of the soak: of 4,000 calls, 3,940 read, the others are refused or pay.

import { answerTo, garbage } from './relay.mjs'

const batchLength = 50

/** How often each step comes in 4,000 calls. */
const shares = {
  batch: 75,
  read: 190,
  refused: 40,
  password: 8,
  malformed: 6,
  repeat: 6,
  payment: 1,
  transfer: 1,
}

/** Returns the steps of 4,000 calls, in an order that mixes them. */
export function stepsOfRound() {
  const steps = Object.entries(shares).flatMap(([kind, count]) => Array(count).fill(kind))
  // Neighbours come far apart, because 97 and the number of steps have no common divisor.
  return steps.map((_, at) => steps[(at * 97) % steps.length])
}

/**
 * Returns the kinds of steps. Each answers the number of its calls, and tells `wrong` about an
 * answer that is neither right nor explained by a fault, with the whole exchange.
 */
export function stepKinds({ post, reads, relay, payments, node, wrong, counts }) {
  let number = 0
  const nextId = () => {
    number += 1
    return `r${number}`
  }
  const readAt = (at) => reads[at % reads.length]

  async function asked(body, headers) {
    const { epoch, isFaulty } = relay
    const began = Date.now()
    const { tampering, tamperings } = counts
    const text = await post(body, headers)
    const wasTampered = tampering > 0 || counts.tamperings !== tamperings
    const wasFaulty = wasTampered || isFaulty || relay.isFaulty || relay.epoch !== epoch
    return { text, wasFaulty, exchange: { began, ended: Date.now(), headers, body, text } }
  }
  const one = (method, params, id = 1) => JSON.stringify({ jsonrpc: '1.0', id, method, params })
  const called = async (method, params, key) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const { text, ...more } = await asked(one(method, params), headers)
    return { answer: parsed(text), text, ...more }
  }
  const isExplained = (text) => text === '' || text.includes('guard:') || garbage.includes(text)

  async function pay(payment) {
    const { answer, ...asked } = await called('sendtoaddress', payment.params, payment.key)
    if (!payments.settle(payment, answer, asked.wasFaulty)) wrong('sendtoaddress', asked, payment)
    return 1
  }
  async function transfer(one) {
    const built = await called('tokentransfer', one.params, one.key)
    const { answer, text, wasFaulty } = built
    one.hex ??= answer.result?.hex
    if (one.hex === undefined) {
      if (!payments.settle(one, { error: { message: text } }, wasFaulty)) wrong('build', built, one)
      return 1
    }
    // The same name must give the same bytes, whatever happened in between.
    if (answer.result?.hex !== undefined && answer.result.hex !== one.hex) {
      wrong('build of other bytes', built, one)
    }
    const sent = await called('sendrawtransaction', [one.hex])
    if (!payments.settle(one, sent.answer, wasFaulty || sent.wasFaulty)) wrong('send', sent, one)
    return 2
  }
  const again = (payment) => (payment.key.startsWith('t') ? transfer(payment) : pay(payment))

  const kinds = {
    again,
    async read() {
      const id = nextId()
      const read = readAt(number)
      const exchange = await asked(one(read.method, read.params, id))
      const { text, wasFaulty } = exchange
      if (text !== answerTo(read, id) && !(wasFaulty && isExplained(text))) {
        wrong('read', exchange, { expected: answerTo(read, id) })
      }
      return 1
    },
    async batch() {
      const calls = Array.from({ length: batchLength }, () => [nextId(), readAt(number)])
      const body = calls.map(([id, { method, params }]) => one(method, params, id)).join(',')
      const exchange = await asked(`[${body}]`)
      const { text, wasFaulty } = exchange
      const right = calls.map(([id, read]) => answerTo(read, id).trimEnd())
      if (text !== `[${right.join(',')}]\n` && !(wasFaulty && isExplained(text))) {
        // Garbage may stand between right answers.
        if (!wasFaulty || !text.startsWith('[')) wrong('batch', exchange, differenceOf(text, right))
      }
      return calls.length
    },
    async refused() {
      number += 1
      const methods = ['dumpprivkey', `nosuch${number}`, 'stop', 'z_sendmany']
      const asked = await called(methods[number % methods.length], [`${number}`])
      if (asked.answer.error?.code !== -2) wrong('refused', asked)
      return 1
    },
    async password() {
      number += 1
      const guess = Buffer.from(`user:${number}`).toString('base64')
      const exchange = await asked(one('getinfo', []), { authorization: `Basic ${guess}` })
      if (exchange.text !== '') wrong('password', exchange)
      return 1
    },
    async malformed() {
      number += 1
      const bodies = ['{"id":1,', '{"method":"a","method":"b"}', '[1,2', `"${number}"`]
      const exchange = await asked(bodies[number % bodies.length])
      if (!exchange.text.includes('"error":{')) wrong('malformed', exchange)
      return 1
    },
    async repeat() {
      number += 1
      const { made, open } = payments
      // Payments that met a fault are made first, because their coins are reserved.
      const unmade = open.filter(({ txid }) => txid === undefined)
      const some = unmade.length > 0 ? unmade : made
      return some.length === 0 ? 0 : again(some[(number * 31) % some.length])
    },
    payment: () => {
      number += 1
      return number % 5 === 0 ? kinds.tampered() : pay(payments.newPayment())
    },
    async transfer() {
      const calls = await transfer(payments.newTransfer())
      if (payments.made.length % 8 === 0) node.mine()
      return calls
    },
    async tampered() {
      const { params, key } = payments.newTransfer()
      const tamper = ['stolen_change', 'wrong_destination', 'raised_fee'][number % 3]
      const remove = node.faults.add({ kind: 'tampered_hex', method: 'tokentransfer', tamper })
      counts.tampering += 1
      counts.tamperings += 1
      const asked = await called('tokentransfer', params, `tampered-${key}`)
      const { text } = asked
      counts.tampering -= 1
      remove()
      counts.tampered += text.includes('rejected') ? 1 : 0
      if (text.includes('"hex"')) wrong('tampered', asked)
      return 1
    },
  }
  return kinds
}

/** Returns what an answer to a batch has in place of the right answers. */
function differenceOf(text, right) {
  const answers = right.filter((answer) => !text.includes(answer))
  return { missing: answers.slice(0, 3), text: text.slice(0, 200) }
}

function parsed(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
