#!/usr/bin/env node
import { keepCompiledCode } from './compiled-code.ts'
// A number alone: the build writes it here, so this file loads nothing before compiled code is
// kept.
import { exitFault } from './fault.ts'

let faultText = (error: Error) => `antara-tx: its installation is broken:\n${error.stack}\n`

// Node ends with 1 for an uncaught error, which is this program's status for findings.
process.on('uncaughtException', fail)

function fail(error: Error): void {
  process.stderr.write(faultText(error))
  process.exit(exitFault)
}

// By default Node opens its debugger at this signal, without a password: any user of the machine could
// then read keys and passwords.
process.on('SIGUSR1', () => undefined)

// When nothing is left to wait for, Node ends with status 0, which would mean that all agrees.
process.exitCode = exitFault
let hasResult = false
process.once('beforeExit', () => {
  if (!hasResult) process.stderr.write(faultText(new Error('nothing is left to wait for')))
})

keepCompiledCode()
start().catch(fail)

async function start(): Promise<void> {
  // Loaded here, so that a broken installation has its own status too.
  const program = isOneVerdict(process.argv.slice(2))
    ? await import('./one-verdict.ts')
    : await import('./program.ts')
  faultText = program.faultText
  process.exitCode = await program.runProgram()
  hasResult = true
}

/**
 * Returns true for a verdict of one file without a server, which has a small program of its own.
 */
function isOneVerdict([command, ...args]: readonly string[]): boolean {
  return command === 'verify' && args.every((arg) => /^(?:[^-].*|-|--json|--strict)$/s.test(arg))
}
