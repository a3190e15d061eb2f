import assert from 'node:assert/strict'
import { fork, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { wholeNumber } from '../lib/arguments.mjs'
import { nextMessage } from '../lib/child.mjs'

const program = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`../${name}`, import.meta.url))

test('an argument that is absent has its default', () => {
  assert.equal(wholeNumber('ROUNDS', undefined, { least: 4, otherwise: 200 }), 200)
  assert.equal(wholeNumber('ROUNDS', '4', { least: 4, otherwise: 200 }), 4)
})

test('an argument that is no whole number, or too small, is refused by name', () => {
  for (const text of ['3', '-5', '4.5', 'abc', 'NaN', 'Infinity', '']) {
    assert.throws(() => wholeNumber('ROUNDS', text, { least: 4, otherwise: 200 }), {
      name: 'RangeError',
      message: `ROUNDS: expected a whole number from 4, got ${text}`,
    })
  }
})

test('programs refuse wrong arguments before they start a node', () => {
  const calls = [
    [['fork.mjs', 'abc'], 'BLOCKS: expected a whole number from 1, got abc'],
    [['guard.mjs', '3'], 'ROUNDS: expected a whole number from 4, got 3'],
    [['guard.mjs', '4', '0'], 'READS: expected a whole number from 1, got 0'],
  ]
  for (const [[name, ...rest], message] of calls) {
    const { status, stderr, stdout } = spawnSync(process.execPath, [program(name), ...rest], {
      encoding: 'utf8',
    })
    assert.equal(status, 1)
    assert.match(stderr, new RegExp(message))
    assert.equal(stdout, '')
  }
})

test('a child process that ends before it sends a message is an error', async () => {
  const child = fork('--eval=process.exit(7)', { stdio: 'ignore', execArgv: [] })
  await assert.rejects(nextMessage(child), /ended with exit status 7/)
})
