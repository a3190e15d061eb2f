#!/usr/bin/env node
import { isatty } from 'node:tty'

import { exitFault, faultText } from './fault.ts'

// Node ends with 1 for what nobody caught, which is our status for findings.
process.on('uncaughtException', (error) => {
  process.stderr.write(faultText(error))
  process.exit(exitFault)
})

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever reads the output may have read enough.
  if (error.code === 'EPIPE') return
  process.stderr.write(`antara-tx: the output cannot be written: ${error.code}\n`)
  process.exit(exitFault)
})
process.stderr.on('error', () => undefined)

// Loaded here, so that a broken installation has its status too.
const { ask } = await import('./ask.ts')
const { readText } = await import('./read.ts')
const { run } = await import('./run.ts')
const { wantsColor } = await import('./style.ts')

process.exitCode = await run(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
  readStdin: () => readText(process.stdin, 'standard input'),
  // Not `process.stdin.isTTY`: to look at that stream is to open it.
  isInteractive: isatty(0),
  hasColor: wantsColor(isatty(1), process.env),
  hasErrorColor: wantsColor(isatty(2), process.env),
  ask,
})
