import { formatCoins } from '../primitives/amount.ts'
import { decodeRawTransaction } from '../transaction/daemon-json.ts'
import { type DecodedTransaction, describeTransaction } from '../transaction/describe.ts'
import {
  type Command,
  exitAgrees,
  networkHelp,
  networkOption,
  onePositional,
  parseArguments,
  readSource,
} from './command.ts'
import { styleFor } from './style.ts'

export const decode: Command = {
  name: 'decode',
  summary: 'show what a raw transaction says',
  help: `Usage: antara-tx decode [HEX | FILE | -]

Shows a raw transaction. Bytes after it are an error.

  --json           the JSON text that a daemon's decoderawtransaction prints
  --legacy         with --json: the older form, with size and valueSat
${networkHelp}`,
  run(args, terminal) {
    const parsed = parseArguments(args, { flags: ['json', 'legacy'], options: ['network'] })
    const hex = readSource(onePositional(parsed.positionals), terminal)
    const network = networkOption(parsed)
    const described = describeTransaction(hex, { network })
    if (parsed.flags.has('json')) {
      const dialect = parsed.flags.has('legacy') ? 'legacy' : 'current'
      terminal.print(`${decodeRawTransaction(hex, { network, dialect })}\n`)
    } else {
      const { bold } = styleFor(terminal)
      terminal.print(transactionText(described, bold))
    }
    return exitAgrees
  },
}

function transactionText(tx: DecodedTransaction, bold: (text: string) => string): string {
  const lines = [
    `${bold('transaction')} ${tx.txid}`,
    `  version ${tx.version}${tx.versiongroupid ? ` (${tx.versiongroupid})` : ''}, ${tx.size} bytes, ` +
      `lock time ${tx.locktime}${tx.expiryheight === undefined ? '' : `, expires ${tx.expiryheight}`}`,
    bold('inputs'),
    ...tx.vin.map((input, index) => {
      if ('coinbase' in input) return `  [${index}] coinbase ${input.coinbase}`
      const sequence = input.sequence === 0xffffffff ? '' : `, sequence ${input.sequence}`
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
    [tx.vjoinsplit.length, 'JoinSplits'],
    [tx.vShieldedSpend?.length ?? 0, 'shielded spends'],
    [tx.vShieldedOutput?.length ?? 0, 'shielded outputs'],
  ] as const
  for (const [count, name] of shielded) if (count > 0) lines.push(`${count} ${name}`)
  if (tx.valueBalance !== undefined && tx.valueBalance !== 0n) {
    lines.push(`value balance ${formatCoins(tx.valueBalance)}`)
  }
  return `${lines.join('\n')}\n`
}
