import { spawn } from 'node:child_process'
import { answerBytesMax } from './question.ts'

/**
 * Asks a program. It gets the question on standard input. Only the exit status 0 with the word
 * `yes` on standard output, in time, is a yes.
 *
 * No shell reads the arguments, and the program gets no variables but PATH: the daemon's password
 * may be one.
 */
export function askCommand(
  [program, ...args]: readonly string[],
  question: string,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const { PATH = '' } = process.env
    const child = spawn(program!, args, {
      shell: false,
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH },
      signal,
      killSignal: 'SIGKILL',
    })
    let answer = ''
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (chunk: string) => {
      if (answer.length <= answerBytesMax) answer += chunk
    })
    // A program that does not read its input closes the pipe.
    child.stdin.on('error', () => undefined)
    child.stdin.end(`${question}\n`)
    // A program that cannot start, or that the signal ended.
    child.on('error', () => resolve(false))
    child.on('close', (status) => {
      resolve(status === 0 && !signal.aborted && /^yes\r?\n?$/.test(answer))
    })
  })
}
