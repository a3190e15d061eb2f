import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

import { RpcError } from '../rpc/errors.ts'
import { UsageError } from './command.ts'
import { endings } from './interrupt.ts'

/** The terminal of a person. */
interface Person {
  readonly input: NodeJS.ReadableStream
  readonly output: { write(text: string | Uint8Array): unknown }
  /** Ends the program, or aborts its work, like ^C without a prompt. */
  interrupt(): void
}

const here: Person = {
  get input() {
    return process.stdin
  },
  output: process.stderr,
  interrupt: () => process.kill(process.pid, 'SIGINT'),
}

/**
 * Asks on standard error, because another program may read the output. The input of a secret is not
 * shown.
 *
 * @throws {UsageError} if the input ends without an answer
 * @throws {RpcError} of kind `aborted` if ^C, or a signal that the program handles, has not ended it
 */
export function ask(question: string, isSecret: boolean, person: Person = here): Promise<string> {
  let isMuted = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) person.output.write(chunk)
      done()
    },
  })
  const reader = createInterface({ input: person.input, output, terminal: true })
  return new Promise((resolve, reject) => {
    // Resolves before the reader is closed, because closing calls the listener below at once.
    reader.question(question, (answer) => {
      resolve(answer)
      reader.close()
      if (isSecret) person.output.write('\n')
    })
    const stop = (): void => {
      reject(new RpcError('aborted', `interrupted at "${question.trim()}"`))
      reader.close()
      person.output.write('\n')
    }
    reader.on('SIGINT', () => {
      stop()
      person.interrupt()
    })
    // A program that handles a signal goes on. It would wait for the terminal, and never end.
    const handled = endings.filter((name) => process.listenerCount(name) > 0)
    for (const name of handled) process.once(name, stop)
    reader.on('close', () => {
      for (const name of handled) process.off(name, stop)
      // The input ended without an answer.
      reject(new UsageError(`no answer to "${question.trim()}"`))
    })
    isMuted = isSecret
  })
}
