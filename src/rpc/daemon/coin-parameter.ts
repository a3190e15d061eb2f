// Kinds of parameters of methods that pay, sign or look up coins.

import { AntaraError } from '../../errors/antara-error.ts'
import { formatCoins, satsMax } from '../../primitives/amount.ts'
import {
  argumentError,
  requireArray,
  requireObject,
  requireString,
  requireUint32,
} from '../../primitives/arguments.ts'
import { LosslessNumber } from '../../primitives/json.ts'
import { requireKnownMembers } from '../../primitives/known-members.ts'
import { amountOf, bytes, hash, type Parameter } from './parameter.ts'

/**
 * Satoshis, sent as a number of coins whose digits are exact: a double would change some.
 */
export const satoshis: Parameter = { form: 'coins', write: coinsFrom1 }

/** Satoshis from 0, for fee rates. */
export const feeRate: Parameter = { form: 'coins', write: coinsFrom0 }

/** Satoshis as a whole number, which may be negative. */
export const signedSatoshis: Parameter = {
  form: 'integer',
  write: (value, name) => new LosslessNumber(String(amountOf(value, name, -satsMax))),
}

/** A number that is not an amount. */
export const measure: Parameter = {
  form: 'json',
  write(value, name) {
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw argumentError(name, 'a number', value)
  },
}

function coinsFrom0(value: unknown, name: string): LosslessNumber {
  return new LosslessNumber(formatCoins(amountOf(value, name, 0n)))
}

function coinsFrom1(value: unknown, name: string): LosslessNumber {
  return new LosslessNumber(formatCoins(amountOf(value, name, 1n)))
}

/** Satoshis by address. */
export const payees: Parameter = {
  form: 'payees',
  write: (value, name) => outputsOf(value, name, coinsFrom1),
}

/** Satoshis by address, and `data` for the hex of a nulldata output. */
export const rawOutputs: Parameter = {
  form: 'payees',
  write: (value, name) =>
    outputsOf(value, name, (item, path) =>
      path.endsWith('.data') ? bytes.write(item, path) : coinsFrom1(item, path),
    ),
}

function outputsOf(value: unknown, name: string, write: Parameter['write']): object {
  requireObject(value, name)
  const entries = Object.entries(value)
  if (entries.length === 0) throw new AntaraError('empty_input', { path: name })
  return Object.fromEntries(
    entries.map(([address, item]) => [address, write(item, `${name}.${address}`)]),
  )
}

/** Hash or height of a block, which the daemon wants as a text. */
export const blockName: Parameter = {
  form: 'text',
  write(value, name) {
    if (typeof value === 'number') {
      requireUint32(value, name)
      return String(value)
    }
    requireString(value, name)
    return /^\d{1,10}$/.test(value) ? value : hash.write(value, name)
  },
}

/** Outputs of transactions: `{ txid, vout }`, with members that the caller names. */
function outpointsWith(further: readonly string[], write: (item: Given, name: string) => object) {
  return {
    form: 'outputs',
    write(value: unknown, name: string) {
      requireArray(value, name)
      return value.map((item, at) => {
        const path = `${name}[${at}]`
        requireObject(item, path)
        requireKnownMembers(item, ['txid', 'vout', ...further], path)
        const { txid, vout, ...rest } = item as Given
        requireUint32(vout, `${path}.vout`)
        return { txid: hash.write(txid, `${path}.txid`), vout, ...write(rest, path) }
      })
    },
  } as const satisfies Parameter
}

type Given = Readonly<Record<string, unknown>>

export const outpoints: Parameter = outpointsWith([], () => ({}))

export const rawInputs: Parameter = outpointsWith(['sequence'], ({ sequence }, path) => {
  if (sequence === undefined) return {}
  requireUint32(sequence, `${path}.sequence`)
  return { sequence }
})

export const spentOutputs: Parameter = outpointsWith(
  ['scriptPubKey', 'redeemScript', 'amount'],
  ({ scriptPubKey, redeemScript, amount }, path) => ({
    scriptPubKey: bytes.write(scriptPubKey, `${path}.scriptPubKey`),
    ...(redeemScript !== undefined && {
      redeemScript: bytes.write(redeemScript, `${path}.redeemScript`),
    }),
    ...(amount !== undefined && { amount: coinsFrom0(amount, `${path}.amount`) }),
  }),
)

export function numberFromTo(least: number, most: number): Parameter {
  return {
    form: 'number',
    write(value, name) {
      requireUint32(value, name)
      if (value >= least && value <= most) return value
      throw argumentError(name, `${least} to ${most}`, value)
    },
  }
}

/** The keys that must sign: `OP_CHECKMULTISIG` reads 16 of a script. komodo src/script/standard.cpp */
export const keyCount: Parameter = numberFromTo(1, 16)
