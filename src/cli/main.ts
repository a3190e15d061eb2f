#!/usr/bin/env node
import { keepCompiledCode } from './compiled-code.ts'
// A number alone: the build writes it here, so this file loads nothing before compiled code is kept.
import { exitFault } from './fault.ts'

let faultText = (error: Error) => `antara-tx: its installation is broken:\n${error.stack}\n`

// Node ends with 1 for an uncaught error, which is this program's status for findings.
process.on('uncaughtException', (error) => {
  process.stderr.write(faultText(error))
  process.exit(exitFault)
})

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the output may close it early.
  if (error.code === 'EPIPE') return
  process.stderr.write(`antara-tx: the output cannot be written: ${error.code}\n`)
  process.exit(exitFault)
})
process.stderr.on('error', () => undefined)

keepCompiledCode()

// Loaded here, so that a broken installation has its own status too.
const program = await import('./program.ts')
faultText = program.faultText

process.exitCode = await program.runProgram()
