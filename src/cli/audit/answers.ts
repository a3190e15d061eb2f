// Answers from a ledger: a summary, the holders of a token, the tokens of an owner, and a proof.

import {
  type Balance,
  balancesOfOwner,
  holdersOf,
  lastBlockIn,
  proofOf,
  type Refusal,
  refusalsIn,
  type TokenSummary,
  tokensIn,
} from '../../audit/queries.ts'
import { atOneMoment, type Database } from '../../audit/sqlite.ts'
import { settingOf } from '../../audit/store.ts'
import type { Network } from '../../chain/network.ts'
import { isHex32 } from '../../primitives/hex-forms.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import { proveTokenOutput } from '../../token/proof/prove.ts'
import { holderWords } from '../../token/read/holder.ts'
import {
  exitAgrees,
  exitFindings,
  jsonText,
  type ParsedArguments,
  type Terminal,
  UsageError,
} from '../command.ts'
import { show, styleFor } from '../style.ts'
import { ownerOf, requireFound } from './owner.ts'

export const questions = ['token', 'owner', 'proof'] as const

export interface Question {
  readonly database: Database
  /** The network of the ledger. */
  readonly network: Network
  readonly parsed: ParsedArguments
  readonly terminal: Terminal
  /** Value of the option that selects the question. */
  readonly value: string
}

const answers = { token: aboutToken, owner: aboutOwner, proof: aboutProof } as const

/** Prints the answer to a question, or the summary, and returns the exit status. */
export function answer(name: (typeof questions)[number] | undefined, question: Question): number {
  const print = name === undefined ? summary : answers[name]
  return atOneMoment(question.database, () => print(question))
}

/** Returns whether the ledger has checked signatures. Its answers are no proof otherwise. */
function isSigned(database: Database): boolean {
  return settingOf(database, 'signatures') === 'true'
}

/** Says up to which block an answer is true, so that one from an old copy of the ledger shows. */
function upToText(database: Database): string {
  const signed = isSigned(database) ? '' : ', signatures not checked'
  const last = lastBlockIn(database)!
  const name = 'hash' in last ? last.hash : `of a list with Merkle root ${last.merkleRoot}`
  return `up to block ${last.height} ${name}${signed}`
}

function summary({ database, parsed, terminal }: Question): number {
  const tokens = tokensIn(database)
  const upTo = lastBlockIn(database)
  const refusals = refusalsIn(database)
  if (parsed.flags.has('json')) {
    const signatures = isSigned(database)
    terminal.print(jsonText({ height: upTo?.height, upTo, signatures, tokens, refusals }))
  } else {
    const { bold } = styleFor(terminal)
    const lines = [
      `${bold('ledger')} ${upToText(database)}: ${tokens.length} tokens, ${refusals.length} transactions that moved none`,
      ...otherModules(refusals),
      ...tokens.map(({ tokenid, name, supply, held }) => {
        const difference = held === supply ? '' : `, ${held} held`
        return `  ${tokenid} ${supply} ${show(name)}${difference}`
      }),
    ]
    terminal.print(`${lines.join('\n')}\n`)
  }
  return tokens.every(isWhole) ? exitAgrees : exitFindings
}

/** Says that the ledger does not have all tokens of the chain. */
function otherModules(refusals: readonly Refusal[]): string[] {
  const { length } = refusals.filter(({ rule }) => rule === 'other_module')
  if (length === 0) return []
  return [
    `  ${length} of them create tokens that are not in this ledger: antara-tx explain other_module`,
  ]
}

function aboutToken({ database, network, parsed, terminal, value }: Question): number {
  const tokenid = idOf(value)
  const token = tokensIn(database).find((it) => it.tokenid === tokenid)
  const refusals = refusalsIn(database, tokenid)
  if (token === undefined) {
    const refused = refusals.find(({ txid }) => txid === tokenid)
    const why = refused && ` (its creation is refused: antara-tx explain ${refused.rule})`
    throw new UsageError(`no such token in the ledger: ${tokenid}${why ?? ''}`)
  }
  const holders = holdersOf(database, tokenid, network)
  if (parsed.flags.has('json')) {
    const upTo = lastBlockIn(database)
    terminal.print(jsonText({ ...token, upTo, signatures: isSigned(database), holders, refusals }))
  } else {
    const { bold } = styleFor(terminal)
    const lines = [
      `${bold('token')} ${tokenid} ${upToText(database)}`,
      `  ${show(token.name)}, ${token.supply} units issued in block ${token.height}, ${token.held} held`,
      ...holders.map((it) => `  ${balanceText(it)}${it.isBurned ? ' (burned)' : ''}`),
      ...refusals.map(
        ({ txid, height, rule }) => `  refused ${txid} in block ${height}: ${show(rule)}`,
      ),
    ]
    terminal.print(`${lines.join('\n')}\n`)
  }
  return isWhole(token) ? exitAgrees : exitFindings
}

function isWhole({ supply, held }: TokenSummary): boolean {
  return supply === held
}

function aboutOwner({ database, network, parsed, terminal, value }: Question): number {
  const owner = ownerOf(value, network)
  const balances = balancesOfOwner(database, owner, network)
  if (balances.length === 0) requireFound(database, owner, network)
  if (parsed.flags.has('json')) {
    const upTo = lastBlockIn(database)
    terminal.print(jsonText({ upTo, signatures: isSigned(database), balances }))
  } else {
    const lines = balances.map(({ tokenid, amount, outputs, ...asks }) => {
      const count = `${outputs.length} ${outputs.length === 1 ? 'output' : 'outputs'}`
      return `${tokenid} ${amount} in ${count}${ordersText(asks)}`
    })
    const rows = lines.length === 0 ? '(none)' : lines.join('\n')
    terminal.print(`${rows}\n${upToText(database)}\n`)
  }
  return exitAgrees
}

function aboutProof({ database, network, parsed, terminal, value }: Question): number {
  const [, id = '', vout = ''] = /^([0-9a-fA-F]{64}):([0-9]{1,9})$/.exec(value) ?? []
  if (id === '') throw new UsageError(`--proof: expected TXID:VOUT, got ${redactKey(value)}`)
  const txid = id.toLowerCase()
  const proof = proofOf(database, txid, Number(vout))
  if (proof === undefined) throw new UsageError(`--proof: ${value} never held tokens`)
  const { tokenid, transactions, isSpent } = proof
  const options = { network, signatures: true }
  const { verdict } = proveTokenOutput(txid, Number(vout), tokenid, transactions, options)
  if (parsed.flags.has('json')) {
    terminal.print(jsonText({ verdict, upTo: lastBlockIn(database), ...proof }))
  } else {
    const count = `${transactions.length} transactions`
    terminal.print(
      `${verdict}: ${proof.amount} units of ${tokenid}, by ${count}${isSpent ? '; spent since' : ''}; ${upToText(database)}\n`,
    )
  }
  return verdict === 'proven' ? exitAgrees : exitFindings
}

function idOf(value: string): string {
  if (isHex32(value.toLowerCase())) return value.toLowerCase()
  throw new UsageError(`--token: expected 64 hex digits, got ${redactKey(value)}`)
}

function balanceText({ holder, amount, outputs, ...asks }: Balance): string {
  const [first] = outputs
  const more = outputs.length > 1 ? ` and ${outputs.length - 1} more` : ''
  const where = first === undefined ? '' : ` in ${first.txid}:${first.vout}${more}`
  return `${amount} ${show(holderWords(holder))}${where}${ordersText(asks)}`
}

function ordersText({ inOrders, orders }: Pick<Balance, 'inOrders' | 'orders'>): string {
  return orders.length === 0 ? '' : `, ${inOrders} in orders`
}
