// The command line, in this process or in one of its own.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

import { run } from '../../src/cli/run.ts'

export interface Outcome {
  status: number | null
  output: string
  errors: string
}

/** Runs a command in this process, with a standard input and nobody to ask. */
export async function runCommand(args: string[], stdin = ''): Promise<Outcome> {
  const outcome: Outcome = { status: -1, output: '', errors: '' }
  outcome.status = await run(args, {
    print: (text) => {
      outcome.output += text
    },
    printError: (text) => {
      outcome.errors += text
    },
    readStdin: async () => stdin,
    isInteractive: false,
    hasColor: false,
  })
  return outcome
}

/** Returns the output of a process, once it has ended. */
export async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const outcome: Outcome = { status: null, output: '', errors: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    outcome.output += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    outcome.errors += text
  })
  const [status] = await once(child, 'close')
  return { ...outcome, status }
}
