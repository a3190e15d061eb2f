// The safe flows request recorded transactions from tokeld, and accept them. Tokens v2 have methods
// of their own; tokens v1 use the old ones.

import { expect, test } from 'vitest'
import { networks, transactionId } from '../../src/index.ts'
import type { CreateIntent } from '../../src/request/create.ts'
import type { TokenOrderIntent } from '../../src/request/order.ts'
import type { TransferIntent } from '../../src/request/transfer.ts'
import {
  createDaemonClient,
  createToken,
  type SafeFlowResult,
  tradeToken,
  transferToken,
} from '../../src/rpc/index.ts'
import { tipHeightOf } from '../support/komodod.ts'
import { tokelChain } from '../support/tokeld.ts'
import { type MadeByTokeld, madeByTokeld, rebuilt } from '../support/tokeld-made.ts'

const chain = new Map(tokelChain.map(({ txid, hex }) => [txid, hex]))

interface Asked {
  readonly method: string
  readonly params: readonly unknown[]
}

/** A daemon that made this, and has the chain as it was. */
function daemonThatMade({ method: making, hex }: MadeByTokeld) {
  const asked: Asked[] = []
  const answer = ({ method, params }: Asked): unknown => {
    if (method === making) return { result: 'success', hex }
    if (method === 'getblockcount') return tipHeightOf(hex)
    if (method === 'getrawtransaction') return chain.get(String(params[0]))
    if (method === 'gettxout') return { value: 1, confirmations: 1, scriptPubKey: { hex: '' } }
    return undefined
  }
  const client = createDaemonClient({
    url: 'http://127.0.0.1:1',
    user: 'u',
    password: 'p',
    fetch: async (_, { body }) => {
      const { id, ...call } = JSON.parse(String(body))
      asked.push(call)
      const result = answer(call)
      const error = result === undefined ? { code: -5, message: 'not here' } : null
      const reply = JSON.stringify({ result: result ?? null, error, id })
      return new Response(reply, { headers: { 'content-type': 'application/json' } })
    },
  })
  return { client, asked }
}

const agreed = madeByTokeld.filter(({ at, note, method }) => {
  // Transactions that chains do not mine, odd spellings, and those that another node must sign.
  const isOdd = /numeric|float|exponent|fraction|data 010203|data e3|4096|partial/.test(note)
  return method !== 'addccv2signature' && !isOdd && !at.startsWith('00')
})

function perform(made: MadeByTokeld): {
  readonly asked: readonly Asked[]
  readonly result: Promise<SafeFlowResult>
} {
  const { client, asked } = daemonThatMade(made)
  const { operation, intent } = rebuilt(made)
  const options = { dryRun: true }
  if (operation === 'tokencreate') {
    const { spendable: _, data, ...rest } = intent as CreateIntent
    // as it was asked for: properties, or data
    const [, , , given] = made.params
    const isTokel = made.method === 'tokenv2createtokel'
    const claimed = isTokel ? { properties: JSON.parse(String(given)) } : data && { data }
    return { asked, result: createToken(client, { ...rest, ...claimed }, options) }
  }
  if (operation === 'tokentransfer') {
    return { asked, result: transferToken(client, intent as TransferIntent, options) }
  }
  const { expiryHeight: _, ...unended } = intent as TokenOrderIntent & { expiryHeight?: number }
  return { asked, result: tradeToken(client, unended as TokenOrderIntent, options) }
}

/** JSON in a text, whatever stands between its members; amounts of coins in one spelling. */
function meaning(params: readonly unknown[]): unknown[] {
  return params.map((it) => {
    const text = String(it)
    if (text.startsWith('{')) return JSON.parse(text)
    return /^\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text
  })
}

test.each(agreed.map((it) => [`${it.at} ${it.method} ${it.note}`, it] as const))(
  '%s is asked for alike, and agrees',
  async (_, made) => {
    const { asked, result } = perform(made)
    const { report, held } = await result
    expect(report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
    expect({ held, txid: report.txid }).toEqual({ held: 'dry-run', txid: transactionId(made.hex) })
    const { params } = asked.find(({ method }) => method === made.method)!
    expect(meaning(params)).toEqual(meaning(made.params))
  },
)

test('refuses a transfer that no daemon makes in one call, before it asks', async () => {
  const made = madeByTokeld.find(({ method }) => method === 'tokenv2transfer')!
  const { client, asked } = daemonThatMade(made)
  const intent = rebuilt(made).intent as TransferIntent
  const fromKeys = { required: 2, pubkeys: [intent.from, intent.destination] }
  await expect(transferToken(client, { ...intent, fromKeys })).rejects.toThrow(TypeError)
  expect(asked).toEqual([])
  expect(intent.network).toBe(networks.tokel)
})
