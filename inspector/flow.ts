// The flow of coins and tokens through a transaction, from inputs to outputs.

import {
  decodeTokenTransaction,
  encodeTransaction,
  type Network,
  type TokenTransaction,
} from '../src/index.ts'
import type { TransactionSubject } from './subject.ts'

/** The amount of one asset that goes in or comes out at one place. */
export interface Part {
  /** As findings name it; `fee` for what nobody gets. */
  readonly path: string
  readonly label: string
  /** Satoshis or units; absent where no evidence tells. */
  readonly amount?: bigint
}

export interface Flow {
  /** `coins`, or a tokenid. */
  readonly asset: string
  readonly inputs: readonly Part[]
  readonly outputs: readonly Part[]
}

export const coins = 'coins'
const tokenOutputRoles: readonly string[] = ['issuance', 'destination', 'token-change']
const tokensEvalCodes: readonly number[] = [0xf2, 0xf5]
/** A fact that follows from the intent only: an unsigned transaction does not show its sender. */
const checkedTokenRoles: readonly string[] = ['token-change', 'order-tokens']

/** Flows by asset, coins first. */
export function flowsOf(subject: TransactionSubject): Flow[] {
  const inputs = inputParts(subject)
  const outputs = outputParts(subject)
  const fee = feeOf(subject)
  const assets = [...new Set([coins, ...[...inputs, ...outputs].map(({ asset }) => asset)])]
  return assets
    .map((asset): Flow => {
      const of = (parts: readonly Assigned[]) =>
        parts.filter((part) => part.asset === asset).map(({ asset: _, ...part }) => part)
      const made = asset === coins ? issued(outputs, subject.token) : []
      const paid = asset === coins && fee !== undefined && fee > 0n ? [feePart(fee)] : []
      return { asset, inputs: of(inputs), outputs: [...of(outputs), ...made, ...paid] }
    })
    .filter((flow) => flow.inputs.length + flow.outputs.length > 0)
}

type Assigned = Part & { readonly asset: string }

function inputParts({ transaction, parents, token, network }: TransactionSubject): Assigned[] {
  const readParents = new Map<string, TokenTransaction | undefined>()
  return transaction.inputs.map(({ txid, vout }, at): Assigned => {
    const parent = parents.get(txid)
    const spent = parent?.outputs[vout]
    const input = token?.inputs[at]
    const role = input?.role
    if (parent !== undefined && !readParents.has(txid)) {
      readParents.set(txid, tokenIn(parent, network))
    }
    const before = readParents.get(txid)
    const held = before && tokenOf(before, vout)
    const isToken = role === 'token' || (role === 'order' && hasTokensCode(input?.evalCodes))
    return {
      path: `inputs[${at}]`,
      label: role === undefined || role === 'unknown' ? 'input' : role,
      asset: held ?? (isToken ? (before ?? token!).tokenid : coins),
      ...(spent !== undefined && { amount: spent.value }),
    }
  })
}

function tokenIn(
  parent: Parameters<typeof encodeTransaction>[0],
  network: Network,
): TokenTransaction | undefined {
  try {
    return decodeTokenTransaction(encodeTransaction(parent), network)
  } catch {
    return undefined
  }
}

/** Returns the token of an output, by its own transaction; undefined if it holds coins. */
function tokenOf({ outputs, tokenid }: TokenTransaction, vout: number): string | undefined {
  const output = outputs[vout]
  if (output === undefined) return undefined
  const { role, evalCodes } = output
  const isToken = tokenOutputRoles.includes(role) || (role === 'order' && hasTokensCode(evalCodes))
  return isToken ? (output.tokenid ?? tokenid) : undefined
}

function hasTokensCode(codes: readonly number[] = []): boolean {
  return codes.some((code) => tokensEvalCodes.includes(code))
}

function outputParts({ transaction, token, checked }: TransactionSubject): Assigned[] {
  return transaction.outputs.map(({ value }, at): Assigned => {
    const reported = checked?.report.effects[at]?.role
    const isReported = reported !== undefined && checkedTokenRoles.includes(reported)
    const held = token && (tokenOf(token, at) ?? (isReported ? token.tokenid : undefined))
    return {
      path: `outputs[${at}]`,
      label: reported ?? token?.outputs[at]?.role ?? 'output',
      amount: value,
      asset: held ?? coins,
    }
  })
}

/** The coins that a creation turns into units of its token. */
function issued(outputs: readonly Assigned[], token: TokenTransaction | undefined): Part[] {
  if (token?.kind !== 'create') return []
  return outputs
    .filter(({ asset }) => asset !== coins)
    .map(({ path, amount = 0n }) => ({ path, label: 'becomes tokens', amount }))
}

/** Returns inputs minus outputs, if every input's amount is known. */
export function feeOf({ transaction, parents, checked }: TransactionSubject): bigint | undefined {
  if (checked !== undefined) return checked.report.fee
  let sum = 0n
  for (const { txid, vout } of transaction.inputs) {
    const spent = parents.get(txid)?.outputs[vout]
    if (spent === undefined) return undefined
    sum += spent.value
  }
  return transaction.outputs.reduce((left, { value }) => left - value, sum)
}

function feePart(amount: bigint): Part {
  return { path: 'fee', label: 'fee', amount }
}
