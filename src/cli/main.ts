#!/usr/bin/env node
import { readFileSync } from 'node:fs'

import { ask } from './ask.ts'
import { decodeText, type Terminal } from './command.ts'
import { run } from './run.ts'

const terminal: Terminal = {
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
  readStdin: () => decodeText(readFileSync(0), 'standard input'),
  isInteractive: process.stdin.isTTY === true,
  hasColor: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  ask,
}

// Whoever reads the output may have read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(process.argv.slice(2), terminal)
