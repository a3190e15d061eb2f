import { isatty } from 'node:tty'

import { ask } from './ask.ts'
import { readText } from './read.ts'
import { run } from './run.ts'
import { rememberPayment, watchStreams } from './streams.ts'
import { wantsColor } from './style.ts'

export { faultText } from './fault.ts'

/** Runs the command line of this process and returns its exit status. */
export function runProgram(): Promise<number> {
  watchStreams()
  return run(process.argv.slice(2), {
    print(text, payment) {
      if (payment !== undefined) rememberPayment(payment)
      process.stdout.write(text)
    },
    printError: (text) => process.stderr.write(text),
    readStdin: () => readText(process.stdin, 'standard input'),
    // Not `process.stdin.isTTY`, because access to it opens the stream.
    isInteractive: isatty(0),
    hasColor: wantsColor(isatty(1), process.env),
    hasErrorColor: wantsColor(isatty(2), process.env),
    ask,
    streams: {
      stdin: () => process.stdin,
      write: (bytes) =>
        new Promise((resolve) => {
          process.stdout.write(bytes, (error) => resolve(!error))
        }),
      isErrorTerminal: isatty(2),
    },
  })
}
