// The scenario of a development framework: balances, devices, and the fate of activations.

import * as v from 'valibot'
import { AntaraError } from '../../errors/antara-error.ts'
import type { ClockKind } from './clock.ts'

/** Amounts as decimal texts. */
export interface BalanceScript {
  readonly spendable: string
  readonly unspendable: string
}

export interface AddressScript {
  readonly address: string
  readonly derivation_path: string
  readonly chain: 'External' | 'Internal'
  readonly balance: BalanceScript
}

/** An account of an HD wallet; its total is computed. */
export interface AccountScript {
  readonly account_index: number
  readonly derivation_path: string
  readonly addresses: readonly AddressScript[]
}

/** A stretch of an activation. */
export type StepScript =
  | {
      /** The status to show: a name, or an object such as `{ "TemporaryError": "…" }`. */
      readonly progress: string | Readonly<Record<string, unknown>>
      /** For how long; without it the activation never gets any further. */
      readonly ms?: number | undefined
    }
  /** The user is asked, and whatever the answer is, it is the right one. */
  | { readonly asks: 'EnterTrezorPin' | 'EnterTrezorPassphrase' }
  /** The conversation with the device, if the request wants one. */
  | { readonly device: true }

/** How an activation ends that does not succeed. */
export interface FailureScript {
  readonly error_type: string
  readonly error: string
  readonly error_data?: unknown
  /** `file:line]` items joined by blanks. */
  readonly error_trace?: string | undefined
  /** The HTTP status of a call that is not a task; default 500. */
  readonly status?: number | undefined
}

/** A chain or token as the wallet of the script finds it. */
export interface CoinScript {
  readonly address: string
  /** Chains only. */
  readonly current_block?: number | undefined
  readonly balance: BalanceScript
  /** For an HD wallet, in place of address and balance. */
  readonly accounts?: readonly AccountScript[] | undefined
  /** Milliseconds that each step of the usual course takes. Default 1000. */
  readonly latencyMs?: number | undefined
  /** The course of an activation, in place of the usual one. */
  readonly steps?: readonly StepScript[] | undefined
  /** The end, in place of the result. */
  readonly fails?: FailureScript | undefined
  /** WalletConnect sessions that exist, by topic. */
  readonly sessions?: readonly string[] | undefined
}

/** The moment at which a device is unplugged. */
export type UnplugMoment = 'connect' | 'pin' | 'passphrase' | 'confirm'

/** A hardware wallet. */
export interface DeviceScript {
  readonly name: string
  readonly model?: string | undefined
  readonly device_id?: string | undefined
  readonly device_pubkey?: string | undefined
  /** Default true. */
  readonly plugged?: boolean | undefined
  /** When it is plugged in, in milliseconds since the start. Default 0. */
  readonly pluggedAfterMs?: number | undefined
  /** Milliseconds until it answers. Default 500. */
  readonly connectMs?: number | undefined
  /**
   * The PIN, which the device requests if it is given: digits by their places on the pad
   * 789/456/123.
   */
  readonly pin?: string | undefined
  /**
   * The passphrase, which the device requests if it is given; the empty one opens the standard
   * wallet.
   */
  readonly passphrase?: string | undefined
  /** Milliseconds until its user confirms. Default 1000. */
  readonly confirmMs?: number | undefined
  /** True if its user refuses. */
  readonly declines?: boolean | undefined
  /** False for a device that was never set up. */
  readonly initialized?: boolean | undefined
  readonly unplugsAt?: UnplugMoment | undefined
}

/** An answer to a method that the framework does not compute. */
export interface ScriptedAnswer {
  readonly result?: unknown
  readonly error?: FailureScript | undefined
  /** The whole answer of the legacy dispatcher. */
  readonly body?: unknown
  readonly delayMs?: number | undefined
}

/** One answer, or several for one call after the other; the last one stays. */
export type ScriptedAnswers = ScriptedAnswer | readonly ScriptedAnswer[]

export interface FrameworkScript {
  /** The password. Default: `userpass`. */
  readonly userpass?: string | undefined
  /** Default `look`. */
  readonly clock?: ClockKind | undefined
  /** How the server was started (`enable_hd`). Default Iguana. */
  readonly wallet?: 'Iguana' | 'HD' | undefined
  /** By ticker. */
  readonly coins?: Readonly<Record<string, CoinScript>> | undefined
  readonly devices?: readonly DeviceScript[] | undefined
  /** By name, mmrpc 2.0. */
  readonly methods?: Readonly<Record<string, ScriptedAnswers>> | undefined
  /** By name, of the older dispatcher. */
  readonly legacy?: Readonly<Record<string, ScriptedAnswers>> | undefined
}

const decimal = v.pipe(v.string(), v.regex(/^\d+(\.\d+)?$/, 'a decimal text'))
const natural = v.pipe(v.number(), v.integer(), v.minValue(0))
/** A timer of Node fires at once if it is set to more. */
const milliseconds = v.pipe(natural, v.maxValue(2 ** 31 - 1))
const optional = v.optional
const balance = v.strictObject({ spendable: decimal, unspendable: decimal })
const failure = v.strictObject({
  error_type: v.string(),
  error: v.string(),
  error_data: v.optional(v.unknown()),
  error_trace: optional(v.string()),
  status: optional(v.pipe(natural, v.minValue(200), v.maxValue(599))),
})
const answer = v.strictObject({
  result: optional(v.unknown()),
  error: optional(failure),
  body: optional(v.unknown()),
  delayMs: optional(milliseconds),
})
const answers = v.record(v.string(), v.union([answer, v.pipe(v.array(answer), v.minLength(1))]))

const scriptSchema = v.strictObject({
  userpass: optional(v.string()),
  clock: optional(v.picklist(['look', 'manual', 'real'])),
  wallet: optional(v.picklist(['Iguana', 'HD'])),
  coins: optional(
    v.record(
      v.string(),
      v.strictObject({
        address: v.string(),
        current_block: optional(natural),
        balance,
        accounts: optional(
          v.array(
            v.strictObject({
              account_index: natural,
              derivation_path: v.string(),
              addresses: v.array(
                v.strictObject({
                  address: v.string(),
                  derivation_path: v.string(),
                  chain: v.picklist(['External', 'Internal']),
                  balance,
                }),
              ),
            }),
          ),
        ),
        latencyMs: optional(milliseconds),
        steps: optional(
          v.array(
            v.union([
              v.strictObject({
                progress: v.union([v.string(), v.record(v.string(), v.unknown())]),
                ms: optional(milliseconds),
              }),
              v.strictObject({ asks: v.picklist(['EnterTrezorPin', 'EnterTrezorPassphrase']) }),
              v.strictObject({ device: v.literal(true) }),
            ]),
          ),
        ),
        fails: optional(failure),
        sessions: optional(v.array(v.string())),
      }),
    ),
  ),
  devices: optional(
    v.array(
      v.strictObject({
        name: v.string(),
        model: optional(v.string()),
        device_id: optional(v.string()),
        device_pubkey: optional(v.string()),
        plugged: optional(v.boolean()),
        pluggedAfterMs: optional(milliseconds),
        connectMs: optional(milliseconds),
        pin: optional(v.pipe(v.string(), v.regex(/^[1-9]+$/, 'digits from 1 to 9'))),
        passphrase: optional(v.string()),
        confirmMs: optional(milliseconds),
        declines: optional(v.boolean()),
        initialized: optional(v.boolean()),
        unplugsAt: optional(v.picklist(['connect', 'pin', 'passphrase', 'confirm'])),
      }),
    ),
  ),
  methods: optional(answers),
  legacy: optional(answers),
})

/** An entry of a coins file; only these members are read. */
export interface CoinConfig {
  readonly coin: string
  readonly protocol?: unknown
  readonly avg_blocktime?: unknown
  readonly [member: string]: unknown
}

const coinsSchema = v.array(v.looseObject({ coin: v.string() }))

/**
 * Reads a script, every member of it known.
 *
 * @throws {AntaraError} `malformed_case`, with the path of what does not fit
 */
export function readScript(value: unknown): FrameworkScript {
  return checked(scriptSchema, value, 'script')
}

/** @throws {AntaraError} `malformed_case` */
export function readCoins(value: unknown): readonly CoinConfig[] {
  return checked(coinsSchema, value, 'coins')
}

function checked<T>(schema: v.GenericSchema<unknown, T>, value: unknown, name: string): T {
  const outcome = v.safeParse(schema, value, { abortEarly: true })
  if (outcome.success) return outcome.output
  const [issue] = outcome.issues
  const within = v.getDotPath(issue)
  throw new AntaraError('malformed_case', {
    path: within === null ? name : `${name}.${within}`,
    expected: issue.expected ?? issue.message,
    // Shows no part of a string: a file that was given by mistake must not appear on the screen.
    actual: typeof issue.input === 'string' ? 'another text' : issue.received,
  })
}
