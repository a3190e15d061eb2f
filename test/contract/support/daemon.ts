import { setTimeout } from 'node:timers/promises'
import { transactionId } from '../../../src/index.ts'
import { chain } from '../../support/vectors.ts'
import {
  type Answer,
  answerText,
  errorText,
  reply,
  startServer,
  type TestServer,
} from './server.ts'

/** Differences between this daemon and an honest one. */
export interface Behaviour {
  /** Answers of tokentransfer and tokencreate, one after the other; the last one stays. */
  readonly hex: readonly string[]
  /** Null: it will not say. */
  readonly tip?: number | null
  /** In place of the recorded chain. */
  readonly transaction?: (txid: string) => string | undefined
  /** Addresses of its wallet; without them it knows no validateaddress. */
  readonly wallet?: readonly string[]
  /** Outputs that its chain has unspent, as `txid:vout`; without them it knows no gettxout. */
  readonly unspent?: readonly string[]
  /** Milliseconds that every answer takes. */
  readonly delayMs?: number
  /** How a broadcast ends, a number being an error's code; by default it is accepted. */
  readonly onBroadcast?: (
    hex: string,
    count: number,
  ) => 'accept' | 'lose' | 'refuse' | 'lie' | number
}

export interface Daemon extends TestServer {
  /** Raw transactions that were sent for broadcast. */
  readonly broadcasts: string[]
  /** Method names in the order of arrival. */
  methods(): string[]
}

const unspentOutput = `{"bestblock":"${'00'.repeat(32)}","confirmations":1,"value":1.00000000,
  "scriptPubKey":{"asm":"","hex":"","type":"nonstandard"},"version":4,"coinbase":false}`

const recorded = new Map(chain.map(({ txid, hex }) => [txid, hex]))

/** A daemon over the recorded chain that returns whatever transaction it is told to. */
export async function startDaemon(behaviour: Behaviour): Promise<Daemon> {
  const broadcasts: string[] = []
  const accepted = new Map<string, string>()
  let made = 0
  const answer: Answer = async (request, response) => {
    const { method, params } = JSON.parse(request.body)
    if (behaviour.delayMs) await setTimeout(behaviour.delayMs)
    const ok = (result: unknown): void =>
      reply(response, 200, answerText(request, JSON.stringify(result)))
    const fail = (code: number, message: string): void =>
      reply(response, 500, errorText(request, code, message))
    if (method === 'getblockcount' && behaviour.tip !== null) return ok(behaviour.tip ?? 12)
    if (method === 'tokentransfer' || method === 'tokencreate') {
      const hex = behaviour.hex[Math.min(made++, behaviour.hex.length - 1)]
      return ok({ result: 'success', hex })
    }
    if (method === 'validateaddress' && behaviour.wallet !== undefined) {
      const [address] = params
      return ok({ isvalid: true, address, ismine: behaviour.wallet.includes(address) })
    }
    if (method === 'gettxout' && behaviour.unspent !== undefined) {
      if (!behaviour.unspent.includes(params.join(':'))) return ok(null)
      return reply(response, 200, answerText(request, unspentOutput))
    }
    if (method === 'getrawtransaction') {
      const [txid] = params
      const hex = accepted.get(txid) ?? (behaviour.transaction ?? ((id) => recorded.get(id)))(txid)
      if (hex !== undefined) return ok(hex)
      return fail(-5, 'No information available about transaction')
    }
    if (method === 'sendrawtransaction') {
      const [hex] = params
      broadcasts.push(hex)
      const txid = transactionId(hex)
      const end = behaviour.onBroadcast?.(hex, broadcasts.length) ?? 'accept'
      if (typeof end === 'number') return fail(end, 'refused')
      switch (end) {
        case 'lose':
          accepted.set(txid, hex)
          return void response.socket?.resetAndDestroy()
        case 'refuse':
          return fail(-26, '16: mandatory-script-verify-flag-failed')
        case 'lie':
          return ok('00'.repeat(32))
        default:
          accepted.set(txid, hex)
          return ok(txid)
      }
    }
    fail(-32601, 'Method not found')
  }
  const server = await startServer(answer)
  return {
    ...server,
    broadcasts,
    methods: () => server.received.map(({ body }) => JSON.parse(body).method),
  }
}
