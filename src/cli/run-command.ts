// Runs one command, and turns its failure into a message and an exit status.

import { explainOf, isAntaraError } from '../errors/antara-error.ts'
import { printable, printableMessage } from '../primitives/printable.ts'
import { RpcError } from '../rpc/errors.ts'
import {
  type Command,
  exitFault,
  exitFindings,
  exitMalformed,
  exitUnavailable,
  exitUnsettled,
  exitUsage,
  type ParsedArguments,
  parseArguments,
  ServerFailedError,
  type Terminal,
  UnsettledError,
  UsageError,
} from './command.ts'
import { errorJson } from './error-json.ts'
import { faultText } from './fault.ts'

/** A command without its help. */
export interface RunnableCommand extends Pick<Command, 'options'> {
  run(parsed: ParsedArguments, io: Terminal): number | Promise<number>
}

/** Runs one command and returns its exit status. */
export async function runCommand(
  name: string,
  args: readonly string[],
  load: () => RunnableCommand | Promise<RunnableCommand>,
  io: Terminal,
): Promise<number> {
  try {
    const { options, run } = await load()
    return await run(parseArguments(args, options), io)
  } catch (error) {
    const status = reportError(error, name, io)
    // Programs read standard output alone.
    if (possibleOptions(args).includes('--json')) {
      io.print(errorJson(error, name), status === exitUnsettled ? 'see the error above' : undefined)
    }
    return status
  }
}

/** Returns the arguments before `--`, because none after it is an option. */
export function possibleOptions(args: readonly string[]): readonly string[] {
  return args.includes('--') ? args.slice(0, args.indexOf('--')) : args
}

/** Prints an error and returns its exit status. */
export function reportError(
  error: unknown,
  name: string,
  { printError }: Pick<Terminal, 'printError'>,
): number {
  if (error instanceof UnsettledError || error instanceof ServerFailedError) {
    reportError(error.cause, name, { printError })
    printError(`antara-tx ${name}: ${error.message}\n`)
    return error instanceof UnsettledError ? exitUnsettled : exitUnavailable
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
    if (error.context.uncertain !== true) return exitMalformed
    printError(
      'Run the same command again: it finds the record, or makes a new one. Before you pay in another\n' +
        'way, forget the payment: antara-tx attempts forget.\n',
    )
    return exitUnsettled
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
