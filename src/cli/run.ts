import { readFileSync } from 'node:fs'

import { explainOf, isAntaraError } from '../errors/antara-error.ts'
import { didYouMean } from '../primitives/closest.ts'
import { printable, printableMessage } from '../primitives/printable.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { RpcError } from '../rpc/errors.ts'
import { catalogue } from './catalogue.ts'
import {
  exitFault,
  exitFindings,
  exitMalformed,
  exitUnavailable,
  exitUnsettled,
  exitUsage,
  parseArguments,
  ServerFailedError,
  type Terminal,
  UnsettledError,
  UsageError,
} from './command.ts'
import { errorJson } from './error-json.ts'
import { faultText } from './fault.ts'
import { commandHelp, generalHelp } from './help.ts'

/** Runs one command line and returns its exit status. */
export async function run(args: readonly string[], io: Terminal): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined) {
    io.printError(generalHelp(catalogue))
    return exitUsage
  }
  if (name === '--version') {
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    io.print(`${JSON.parse(manifest).version}\n`)
    return 0
  }
  if (isHelp(name) || name === 'help') return help(rest[0], io)
  const command = catalogue.find((entry) => entry.name === name)
  if (command === undefined) return unknownCommand(name, io)
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  if (own.some(isHelp)) return help(name, io)
  try {
    const { options, run: runCommand } = await command.load()
    return await runCommand(parseArguments(rest, options), io, catalogue)
  } catch (error) {
    // Programs read standard output alone.
    if (own.includes('--json')) io.print(errorJson(error, name))
    return reportError(error, name, io)
  }
}

function isHelp(argument: string): boolean {
  return argument === '--help' || argument === '-h'
}

async function help(name: string | undefined, io: Terminal): Promise<number> {
  if (name === undefined) {
    io.print(generalHelp(catalogue))
    return 0
  }
  const command = catalogue.find((entry) => entry.name === name)
  if (command === undefined) return unknownCommand(name, io)
  try {
    io.print(commandHelp(name, await command.load()))
    return 0
  } catch (error) {
    return reportError(error, name, io)
  }
}

function unknownCommand(name: string, { printError }: Terminal): number {
  const names = catalogue.map((entry) => entry.name)
  const shown = printable(redactKey(name))
  printError(`antara-tx: unknown command ${shown}${didYouMean(name, names)}\n`)
  printError('Run antara-tx help for the list of commands.\n')
  return exitUsage
}

/** Prints an error and returns its exit status. */
function reportError(
  error: unknown,
  name: string,
  { printError }: Pick<Terminal, 'printError'>,
): number {
  if (error instanceof UnsettledError) {
    reportError(error.cause, name, { printError })
    printError(`antara-tx ${name}: ${error.message}\n`)
    return exitUnsettled
  }
  if (error instanceof ServerFailedError) {
    reportError(error.cause, name, { printError })
    printError(`antara-tx ${name}: ${error.message}\n`)
    return exitUnavailable
  }
  if (error instanceof UsageError) {
    const message = printableMessage(error.message)
    printError(`antara-tx ${name}: ${message}\nRun antara-tx ${name} --help for the arguments.\n`)
    return exitUsage
  }
  if (isAntaraError(error, 'engine_unavailable')) {
    // This message is the library's own, with several lines.
    const text = error.message.split('\n').map(printableMessage).join('\n')
    printError(`antara-tx ${name}: ${error.code}: ${text}\n`)
    return exitUnavailable
  }
  if (isAntaraError(error)) {
    printError(`antara-tx ${name}: ${error.code}: ${printableMessage(error.message)}\n`)
    return exitMalformed
  }
  if (error instanceof RpcError) {
    // A server's message may have many lines. They are indented, so that none looks like the
    // program's own.
    const text = error.message.split('\n').map(printable).join('\n  ')
    printError(
      `antara-tx ${name}: ${error.kind}: ${text}\nRun ${explainOf(error.reason ?? error.kind)} for the cause and the remedy.\n`,
    )
    if (error.uncertain === true) {
      printError('The server may have carried it out anyway: check before you repeat it.\n')
      return exitUnsettled
    }
    return isSilent(error) ? exitUnavailable : exitFindings
  }
  printError(faultText(error))
  return exitFault
}

/** Returns true if no server answered. */
function isSilent({ kind, reason }: RpcError): boolean {
  return kind === 'transport' || kind === 'timeout' || reason === 'unavailable'
}
