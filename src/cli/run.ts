import { readFileSync } from 'node:fs'

import { didYouMean } from '../primitives/closest.ts'
import { printable } from '../primitives/printable.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { catalogue } from './catalogue.ts'
import { type Entry, exitUsage, type Terminal } from './command.ts'
import { commandHelp, generalHelp } from './help.ts'
import { possibleOptions, type RunnableCommand, reportError, runCommand } from './run-command.ts'

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
  if (possibleOptions(rest).some(isHelp)) return help(name, io)
  return runCommand(name, rest, () => loadRunnable(command), io)
}

async function loadRunnable({ load }: Entry): Promise<RunnableCommand> {
  const command = await load()
  return {
    options: command.options,
    run: (parsed, io) => command.run(parsed, io, catalogue),
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
