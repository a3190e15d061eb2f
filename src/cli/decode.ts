import { finalSequence } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { isAntaraError, sentenceOf } from '../errors/antara-error.ts'
import { formatCoins } from '../primitives/amount.ts'
import { bigintAsText } from '../primitives/json-replacer.ts'
import type { Style } from '../primitives/style.ts'
import { networkMember } from '../request/format-case.ts'
import { holderOf, holderWords } from '../token/read/holder.ts'
import { decodeTokenTransaction } from '../token/read/read.ts'
import type { TokenTransaction } from '../token/read/token-transaction.ts'
import { daemonJson } from '../transaction/daemon-json.ts'
import {
  type DecodedJoinSplit,
  type DecodedTransaction,
  describeTransaction,
} from '../transaction/describe.ts'
import {
  type Command,
  exitAgrees,
  onePositional,
  type ParsedArguments,
  type Terminal,
  UsageError,
} from './command.ts'
import { connectionNotes, connectionOptions, requireNoConnection } from './connection-options.ts'
import { linesNotes, linesOptions, linesUsage, requireNoLines } from './lines/options.ts'
import { chosenNetwork, networkOption } from './network.ts'
import { readSource } from './read.ts'
import { show, styleFor } from './style.ts'

export const decode: Command = {
  usage: ['[HEX | FILE | -]', 'TXID --daemon', linesUsage],
  about: `Shows a raw transaction and its token data. Bytes after the transaction are an error. With --daemon,
fetches the transaction of a txid from a daemon; the answer must hash to that txid.`,
  options: [
    { name: 'json', about: "print the JSON text of a daemon's decoderawtransaction" },
    { name: 'legacy', about: 'with --json: print the older form, with size and valueSat' },
    networkOption,
    { name: 'daemon', about: 'fetch the transaction from a daemon' },
    ...connectionOptions,
    ...linesOptions,
  ],
  notes: `${connectionNotes}
${linesNotes}
Each line is a transaction with amounts as decimal strings; with --json, a daemon's JSON.`,
  async run(parsed, terminal) {
    if (parsed.flags.has('lines')) return decodeLines(parsed, terminal)
    requireNoLines(parsed)
    const network = chosenNetwork(parsed)
    const dialect = dialectOf(parsed)
    const hex = await transactionOf(parsed, terminal)
    const described = describeTransaction(hex, { network, dialect })
    if (parsed.flags.has('json')) {
      terminal.print(`${daemonJson(described, dialect)}\n`)
    } else {
      const style = styleFor(terminal)
      const lines = [...transactionLines(described, style), ...tokenLines(hex, network, style)]
      terminal.print(`${lines.join('\n')}\n`)
    }
    return exitAgrees
  },
}

function dialectOf({ flags }: ParsedArguments): 'current' | 'legacy' {
  if (flags.has('legacy') && !flags.has('json')) throw new UsageError('--legacy needs --json')
  return flags.has('legacy') ? 'legacy' : 'current'
}

async function decodeLines(parsed: ParsedArguments, terminal: Terminal): Promise<number> {
  if (parsed.flags.has('daemon')) throw new UsageError('--lines cannot be combined with --daemon')
  requireNoConnection(parsed)
  // The job goes to other threads and to checkpoints as JSON.
  const network = JSON.parse(JSON.stringify(networkMember(chosenNetwork(parsed)), bigintAsText))
  const { runLines } = await import('./lines/run.ts')
  const dialect = dialectOf(parsed)
  const form = parsed.flags.has('json') ? dialect : 'fields'
  const job = { command: 'decode', form, network } as const
  return runLines(job, onePositional(parsed), parsed, terminal)
}

async function transactionOf(parsed: ParsedArguments, terminal: Terminal): Promise<string> {
  const given = onePositional(parsed)
  if (!parsed.flags.has('daemon')) {
    requireNoConnection(parsed)
    return readSource(given, terminal)
  }
  // Loaded only with --daemon, because most uses need no client.
  const { fetchTransaction } = await import('./fetch-transaction.ts')
  return fetchTransaction(given, parsed, terminal)
}

function transactionLines(tx: DecodedTransaction, { bold }: Style): string[] {
  const lines = [
    `${bold('transaction')} ${tx.txid}`,
    `  version ${tx.version}${tx.versiongroupid ? ` (${tx.versiongroupid})` : ''}, ${tx.size} bytes, ` +
      `lock time ${tx.locktime}${expiryOf(tx)}`,
    bold('inputs'),
    ...tx.vin.map((input, index) => {
      if ('coinbase' in input) return `  [${index}] coinbase ${input.coinbase}`
      const sequence = input.sequence === finalSequence ? '' : `, sequence ${input.sequence}`
      const asm = input.scriptSig.asm === '' ? '(unsigned)' : input.scriptSig.asm
      return `  [${index}] ${input.txid}:${input.vout}${sequence}\n      ${asm}`
    }),
    bold('outputs'),
    ...tx.vout.map(({ value, n, scriptPubKey }) => {
      const { type, addresses = [], asm } = scriptPubKey
      const to = addresses.length === 0 ? '' : ` ${addresses.join(' ')}`
      return `  [${n}] ${formatCoins(value)} ${type}${to}\n      ${asm}`
    }),
  ]
  const shielded = [
    [tx.vjoinsplit.length, `JoinSplits: ${movedBy(tx.vjoinsplit)}`],
    [tx.vShieldedSpend?.length ?? 0, 'shielded spends'],
    [tx.vShieldedOutput?.length ?? 0, 'shielded outputs'],
  ] as const
  for (const [count, name] of shielded) if (count > 0) lines.push(`${count} ${name}`)
  if (tx.valueBalance !== undefined && tx.valueBalance !== 0n) {
    lines.push(`value balance ${formatCoins(tx.valueBalance)}`)
  }
  return lines
}

/** An expiry height of 0 means that there is none. */
function expiryOf({ expiryheight }: DecodedTransaction): string {
  if (expiryheight === undefined) return ''
  return expiryheight === 0 ? ', never expires' : `, expires ${expiryheight}`
}

function movedBy(joinSplits: readonly DecodedJoinSplit[]): string {
  const sum = (name: 'vpubOld' | 'vpubNew') =>
    formatCoins(joinSplits.reduce((total, item) => total + item[name], 0n))
  return `${sum('vpubOld')} into the shielded pool, ${sum('vpubNew')} out of it`
}

/** Returns no lines if the transaction has no token data. */
function tokenLines(
  hex: string | Uint8Array,
  network: Network | undefined,
  { bold }: Style,
): string[] {
  let read: TokenTransaction | undefined
  try {
    read = decodeTokenTransaction(hex, network)
  } catch (error) {
    if (!isAntaraError(error)) throw error
    return [`${bold('tokens')} ${show(sentenceOf(error))}`]
  }
  if (read === undefined) return []
  const { layout, payload, tokenid, outputs, supply } = read
  const what =
    payload.kind === 'create'
      ? [
          `${supply} units of "${show(payload.name)}"`,
          `  saying "${show(payload.description)}"`,
          `  owned by ${payload.owner}`,
        ]
      : [`transfer of ${tokenid}`]
  const left = payload.rest + payload.trailing
  return [
    `${bold('tokens')} (${layout}) ${what[0]}`,
    ...what.slice(1),
    ...payload.extras.map(({ kind, data }) => `  carries ${kind} ${data}`),
    ...(left === '' ? [] : [`  left over ${left}`]),
    ...outputs.map(({ role, value, ...keys }, index) =>
      `  [${index}] ${value} ${role} ${holderWords(holderOf(keys) ?? '')}`.trimEnd(),
    ),
  ]
}
