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

/** Time in which a terminal gives all that was typed before. */
const typedAheadMs = 50

/**
 * Asks on standard error, because another program may read the output. The input of a secret is not
 * shown. What was typed at a terminal before the question is no answer to it.
 *
 * @throws {UsageError} if the input ends without an answer
 * @throws {RpcError} of kind `aborted` if ^C, or a signal that the program handles, has not ended it
 */
export function ask(question: string, isSecret: boolean, person: Person = here): Promise<string> {
  let isMuted = true
  let isOpen = true
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) person.output.write(chunk)
      done()
    },
  })
  const reader = createInterface({ input: person.input, output, terminal: true })
  return new Promise((resolve, reject) => {
    const put = (): void => {
      // Removes what an unfinished line has on both sides of the cursor.
      for (const name of ['e', 'u']) reader.write(null as never, { ctrl: true, name })
      isMuted = false
      // Resolves before the reader is closed, because closing calls the listener below at once.
      reader.question(question, (answer) => {
        resolve(answer)
        reader.close()
        if (isSecret) person.output.write('\n')
      })
      isMuted = isSecret
    }
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
      isOpen = false
      // The input ended without an answer.
      reject(new UsageError(`no answer to "${question.trim()}"`))
    })
    if ((person.input as { readonly isTTY?: boolean }).isTTY !== true) return put()
    // The immediate comes after one more look at the input.
    setTimeout(() => setImmediate(() => isOpen && put()), typedAheadMs)
  })
}
