import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

import { UsageError } from './command.ts'

/**
 * Asks on the terminal, beside the output that another program may read. What is typed for a secret
 * is not shown.
 */
export function ask(question: string, isSecret: boolean): Promise<string> {
  let isMuted = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) process.stderr.write(chunk)
      done()
    },
  })
  const reader = createInterface({ input: process.stdin, output, terminal: true })
  return new Promise((resolve, reject) => {
    reader.question(question, (answer) => {
      reader.close()
      if (isSecret) process.stderr.write('\n')
      resolve(answer)
    })
    // The input ended: nobody is there.
    reader.on('close', () => reject(new UsageError(`no answer to "${question.trim()}"`)))
    // ^C while a question is open ends the program, as it does elsewhere.
    reader.on('SIGINT', () => {
      reader.close()
      process.stderr.write('\n')
      reject(new Error('interrupted'))
      process.kill(process.pid, 'SIGINT')
    })
    isMuted = isSecret
  })
}
