import { readFileSync } from 'node:fs'

import { isAntaraError } from '../errors/antara-error.ts'
import { printable, printableMessage } from '../primitives/printable.ts'
import { tellableKey } from '../primitives/tellable-key.ts'
import { RpcError } from '../rpc/errors.ts'
import {
  type Command,
  exitFault,
  exitFindings,
  exitMalformed,
  exitUnavailable,
  exitUsage,
  type Terminal,
  UsageError,
} from './command.ts'
import { faultText } from './fault.ts'

// Commands are loaded when asked for, so that `--help` works even where the engine does not.
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  verify: async () => (await import('./verify.ts')).verify,
  decode: async () => (await import('./decode.ts')).decode,
  txid: async () => (await import('./txid.ts')).txid,
  condition: async () => (await import('./condition.ts')).condition,
  address: async () => (await import('./address.ts')).address,
  select: async () => (await import('./select.ts')).select,
  rpc: async () => (await import('./rpc.ts')).rpc,
  create: async () => (await import('./create.ts')).create,
  sign: async () => (await import('./sign.ts')).sign,
  transfer: async () => (await import('./transfer.ts')).transfer,
  doctor: async () => (await import('./doctor.ts')).doctor,
}

const help = `Usage: antara-tx COMMAND [ARGUMENTS]

  verify    whether a transaction does exactly what was asked, and nothing else
  decode    show what a raw transaction says
  txid      the txid of a raw transaction
  condition decode and encode crypto-conditions and their fulfillments
  address   addresses and scripts of a public key, a script or an address
  select    chooses the coins of a payment or a token transfer
  rpc       calls a daemon or a framework server
  create    builds the creation of a token, unsigned
  transfer  builds a token transfer, or makes one through a daemon
  sign      signs a case file, if it does exactly what was asked
  doctor    what this installation runs on

antara-tx COMMAND --help says more. Hex comes from an argument, a file or standard input.
Exit status: 0 agrees, 1 findings, 2 malformed input, 64 usage,
69 no engine or no server, 70 a fault of antara-tx itself.
`

/** Runs one command line and returns its exit status. */
export async function run(args: readonly string[], io: Terminal): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined || name === '--help' || name === 'help') {
    io.print(help)
    return name === undefined ? exitUsage : 0
  }
  if (name === '--version') {
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    io.print(`${JSON.parse(manifest).version}\n`)
    return 0
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load === undefined) {
    io.printError(`antara-tx: unknown command ${printable(tellableKey(name))}\n\n${help}`)
    return exitUsage
  }
  try {
    const command = await load()
    if (rest.includes('--help')) {
      io.print(`${command.help}\n`)
      return 0
    }
    return await command.run(rest, io)
  } catch (error) {
    return tell(error, name, io)
  }
}

/** Says what went wrong, and returns the exit status for it. */
function tell(error: unknown, name: string, { printError }: Terminal): number {
  if (error instanceof UsageError) {
    const words = printableMessage(error.message)
    printError(`antara-tx ${name}: ${words}\nantara-tx ${name} --help says more.\n`)
    return exitUsage
  }
  if (isAntaraError(error, 'engine_unavailable')) {
    // Our own words, of many lines.
    const words = error.message.split('\n').map(printableMessage).join('\n')
    printError(`antara-tx ${name}: ${error.code}: ${words}\n`)
    return exitUnavailable
  }
  if (isAntaraError(error)) {
    printError(`antara-tx ${name}: ${error.code}: ${printableMessage(error.message)}\n`)
    return exitMalformed
  }
  if (error instanceof RpcError) {
    // The server's words, line by line: usage texts have many.
    const words = error.message.split('\n').map(printable).join('\n')
    printError(`antara-tx ${name}: ${error.kind}: ${words}\n`)
    return isSilent(error) ? exitUnavailable : exitFindings
  }
  printError(faultText(error))
  return exitFault
}

/** Whether no server answered. */
function isSilent({ kind, reason }: RpcError): boolean {
  return kind === 'transport' || kind === 'timeout' || reason === 'unavailable'
}
