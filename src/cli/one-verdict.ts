// The program of most runs, `antara-tx verify CASE.json`. The build makes it one file, which Node loads
// quickly: docs/adr/0041-no-own-code-cache.md.

import { readText } from './read.ts'
import { runCommand } from './run-command.ts'
import { isTerminal, printNow, watchStreams } from './streams.ts'
import { wantsColor } from './style.ts'
import { printVerdict, verdictOptions } from './verdict.ts'

export { faultText } from './fault.ts'

/** Runs the command line of this process and returns its exit status. */
export function runProgram(): Promise<number> {
  const [name, ...args] = process.argv.slice(2)
  return runCommand(name!, args, () => ({ options: verdictOptions, run: printVerdict }), {
    print: printNow,
    printError(text) {
      watchStreams()
      process.stderr.write(text)
    },
    readStdin: () => readText(process.stdin, 'standard input'),
    get isInteractive() {
      return isTerminal(0)
    },
    hasColor: wantsColor(isTerminal(1), process.env),
  })
}
