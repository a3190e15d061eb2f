#!/usr/bin/env node
import { exitFault, faultText } from './fault.ts'

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

// Loaded here, so that a broken installation has its own status too.
const { runProgram } = await import('./program.ts')

process.exitCode = await runProgram()
