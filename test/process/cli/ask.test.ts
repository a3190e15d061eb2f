// Questions to a person: what is typed is the answer, and nothing else is.

import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'

import { ask } from '../../../src/cli/ask.ts'
import { interruptible } from '../../../src/cli/interrupt.ts'
import { run } from '../../../src/cli/run.ts'
import { reportError } from '../../../src/cli/run-command.ts'
import { compileSources, root } from '../../support/built.ts'
import { outcomeOf } from '../../support/cli.ts'
import { testUnless } from '../../support/skip.ts'

/** Somebody at a terminal, and all that is written there. */
function person() {
  const written: string[] = []
  let interrupts = 0
  const input = new PassThrough()
  const output = { write: (text: string | Uint8Array) => written.push(String(text)) }
  const interrupt = () => {
    interrupts += 1
  }
  return {
    asks: (isSecret: boolean) => ask('Say: ', isSecret, { input, output, interrupt }),
    input,
    shown: () => written.join(''),
    interrupts: () => interrupts,
  }
}

test('takes one typed line for each question', async () => {
  const { asks, input, shown } = person()
  for (const line of ['yes', '  of two words ', '']) {
    const answer = asks(false)
    input.write(`${line}\n`)
    expect(await answer).toBe(line)
  }
  expect(shown()).toContain('Say: ')
  expect(shown()).toContain('yes')
})

test('a secret is the answer and is not shown', async () => {
  const { asks, input, shown } = person()
  const answer = asks(true)
  input.write('hunter2\r')
  expect(await answer).toBe('hunter2')
  expect(shown()).toMatch(/Say: .*\n$/s)
  expect(shown()).not.toContain('hunter')
})

test('an input that ends is not an answer', async () => {
  for (const how of ['end', '^D']) {
    const { asks, input } = person()
    const answer = asks(false)
    if (how === 'end') input.end()
    else input.write('\u0004')
    await expect(answer, how).rejects.toMatchObject({
      name: 'UsageError',
      message: 'no answer to "Say:"',
    })
  }
})

test('text that a terminal has before the question is no answer to it, nor a beginning of one', async () => {
  const { asks, input, shown } = person()
  Object.assign(input, { isTTY: true })
  input.write('yes\nye')
  const answer = asks(false)
  await vi.waitFor(() => expect(shown()).toContain('Say: '))
  expect(shown()).not.toContain('ye')
  input.write('no\n')
  expect(await answer).toBe('no')
})

test('^C before the question is shown interrupts it too', async () => {
  const { asks, input, interrupts } = person()
  Object.assign(input, { isTTY: true })
  input.write('yes\n\u0003')
  await expect(asks(false)).rejects.toMatchObject({ kind: 'aborted' })
  expect(interrupts()).toBe(1)
})

test('^C is none either, and is passed on', async () => {
  const { asks, input, interrupts } = person()
  const answer = asks(true)
  input.write('half\u0003')
  await expect(answer).rejects.toMatchObject({ kind: 'aborted', message: 'interrupted at "Say:"' })
  expect(interrupts()).toBe(1)
})

test.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s ends a question of a program that handles it',
  async (name) => {
    const others = process.listenerCount(name)
    const handler = () => undefined
    process.on(name, handler)
    const { asks, input, interrupts } = person()
    const answer = asks(true)
    process.emit(name)
    await expect(answer).rejects.toMatchObject({
      kind: 'aborted',
      message: 'interrupted at "Say:"',
    })
    // Otherwise the program would wait for the terminal for ever.
    expect(input.isPaused()).toBe(true)
    expect(interrupts()).toBe(0)
    process.off(name, handler)
    expect(process.listenerCount(name)).toBe(others)
  },
)

test('work that an interrupt ends is an aborted call, and no fault of the program', async () => {
  const work = interruptible(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  process.emit('SIGINT')
  const error = await work.catch((it) => it)
  expect(error).toMatchObject({ kind: 'aborted' })
  expect(reportError(error, 'wallet', { printError: () => undefined })).toBe(1)
})

test('a signal that nobody handles is left to Node, which ends the program', async () => {
  const others = process.listenerCount('SIGTERM')
  const { asks, input } = person()
  const answer = asks(false)
  expect(process.listenerCount('SIGTERM')).toBe(others)
  input.write('yes\n')
  expect(await answer).toBe('yes')
})

test('a dash is what a person types, where a command takes one', async () => {
  let output = ''
  const status = await run(['address', '-'], {
    print: (text) => {
      output += text
    },
    printError: () => undefined,
    readStdin: async () => 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb\n',
    isInteractive: true,
    hasColor: false,
  })
  expect([status, output.split('\n')[0]]).toEqual([
    0,
    'address: REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb',
  ])
})

// util-linux; the one of BSD takes its command otherwise.
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('linux')

testUnless(!hasScript && 'the program script of util-linux is not installed')(
  'a private key is typed at a terminal',
  async () => {
    const { entry, env } = compileSources('ask')
    const main = fileURLToPath(new URL('cli/main.js', entry))
    const command = `'${process.execPath}' '${main}' key show`
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: root, env })
    const key = readFileSync(`${root}examples/throw-away-key.txt`, 'utf8').trim()
    child.stdout!.on('data', (text) => {
      if (String(text).includes('private key: ')) child.stdin!.write(`${key}\n`)
    })
    const { status, output } = await outcomeOf(child)
    expect(output).toMatch(/^address +REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb/m)
    expect(output).not.toContain(key)
    expect(status).toBe(0)
  },
)
