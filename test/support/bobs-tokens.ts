// Coins of a real chain that transfers and creations are built from, and what of them is refused.

import {
  decodeTransaction,
  encodeTransaction,
  isAntaraError,
  type Outpoint,
  proveTokenOutput,
  type TokenCreateRequest,
  type TokenTransferRequest,
  tokenScript,
  transactionId,
} from '../../src/index.ts'
import { madeUpInputs } from './made-up.ts'
import { p2pkh } from './payments.ts'
import { chain } from './vectors.ts'

export const alice = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'
export const bob = '02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275'
export const carol = '0390f4acb13cfa43cf9d3089e7398daaba689e2bdd3a7a23259682aeec4bc46cdb'
export const previousTransactions: readonly string[] = chain.map((it) => it.hex)

// Bob's coins at block 39: 220 units of a token, and native coins.
export const tokenid = '8ffef3263cfbdd65f3e6086e262da4295996e77d39c27a7c6aa46913a6ad517e'
export const atBlock = chain.filter((it) => it.height <= 39)
const spent = new Set(
  atBlock.flatMap((it) =>
    decodeTransaction(it.hex).inputs.map(({ txid, vout }) => `${txid}:${vout}`),
  ),
)
export function coinsOf(script: string): Outpoint[] {
  return atBlock.flatMap(({ txid, hex }) =>
    decodeTransaction(hex).outputs.flatMap((output, vout) =>
      output.script === script && !spent.has(`${txid}:${vout}`) ? [{ txid, vout }] : [],
    ),
  )
}
export const isProven = ({ txid, vout }: Outpoint): boolean =>
  proveTokenOutput(txid, vout, tokenid, previousTransactions).verdict === 'proven'
export const tokenCoins = coinsOf(tokenScript(bob)).filter(isProven)
export const coins = coinsOf(p2pkh(bob))

/** Twelve units of Bob's for Alice. */
export const request: TokenTransferRequest = {
  tokenid,
  recipients: [{ pubkey: alice, amount: 12n }],
  from: bob,
  tokenCoins,
  coins,
  previousTransactions: atBlock.map((it) => it.hex),
  tipHeight: 39,
}

/** A token of Bob's. */
export const create: TokenCreateRequest = {
  name: 'DEMO',
  supply: 100_000_000n,
  owner: bob,
  coins,
  previousTransactions: request.previousTransactions,
  tipHeight: 39,
}

/** One native coin of Bob's in place of those of the chain. */
export function worth(...values: readonly bigint[]) {
  const hex = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: madeUpInputs,
    outputs: values.map((value) => ({ value, script: `21${bob}ac` })),
    lockTime: 0,
  })
  return {
    coins: values.map((_, vout) => ({ txid: transactionId(hex), vout })),
    previousTransactions: [...request.previousTransactions, hex],
  }
}

/** Returns the code and the whole context of the error that `run` throws. */
export function refusal(run: () => unknown): Record<string, unknown> {
  try {
    run()
  } catch (error) {
    if (isAntaraError(error)) return { code: error.code, ...error.context }
    throw error
  }
  throw new Error('nothing was thrown')
}

/** Returns the code and the path of the error that `run` throws. */
export function failure(run: () => unknown): { code: unknown; path: unknown } {
  const { code, path } = refusal(run)
  return { code, path }
}
