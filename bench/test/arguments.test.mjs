import assert from 'node:assert/strict'
import { execFile, fork } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { wholeNumber } from '../lib/arguments.mjs'
import { nextMessage } from '../lib/child.mjs'

const program = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`../${name}`, import.meta.url))

/**
 * @param {string} name
 * @param {string[]} args
 * @returns {Promise<{ status: number, stderr: string, stdout: string }>}
 */
const run = (name, ...args) =>
  new Promise((done) => {
    execFile(process.execPath, [program(name), ...args], (error, stdout, stderr) => {
      done({ status: Number(error?.code ?? 0), stderr, stdout })
    })
  })

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

test('programs refuse wrong arguments before they start a node', async () => {
  const calls = [
    [['fork.mjs', 'abc'], 'BLOCKS: expected a whole number from 1, got abc'],
    [['guard.mjs', '3'], 'ROUNDS: expected a whole number from 4, got 3'],
    [['guard.mjs', '4', '0'], 'READS: expected a whole number from 1, got 0'],
    [['start.mjs', ''], 'ROUNDS: expected a whole number from 1, got $'],
    [['start.mjs', '1', 'no such subject'], 'WORD: no subject has "no such subject"'],
    [['audit.mjs', '10', 'x'], 'TRANSFERS: expected a whole number from 1, got x'],
    [['verdict.mjs', '--rounds='], '--rounds: expected a whole number from 1, got $'],
    [['spread.mjs', '1'], 'unexpected argument: 1'],
    [['node-builds.mjs', 'dist'], 'expected the folders of two builds'],
  ]
  for (const [[name, ...rest], message] of calls) {
    const { status, stderr, stdout } = await run(name, ...rest)
    assert.equal(status, 1)
    assert.match(stderr, new RegExp(message, 'm'))
    assert.doesNotMatch(stderr, /^ {4}at /m)
    assert.equal(stdout, '')
  }
})

/** The programs; the other file is a module of theirs. */
const programs = readdirSync(program('.')).filter((name) => /^(?!shapes).*\.mjs$/.test(name))

test('each program prints its usage for --help, and refuses what it does not know', async () => {
  const usage = /^(?: {2})?(?:Usage: )?(?:node(?: --expose-gc)? bench\/|npm )/m
  for (const name of [...programs, 'selection/run.mjs']) {
    const [help, unknown] = await Promise.all(['--help', '--unknown'].map((it) => run(name, it)))
    assert.deepEqual({ ...help, stdout: '' }, { status: 0, stderr: '', stdout: '' }, name)
    assert.match(help.stdout, usage, name)
    assert.notEqual(unknown.status, 0, name)
    assert.equal(unknown.stdout, '', name)
    assert.match(unknown.stderr, /'--unknown'/, name)
    assert.match(unknown.stderr, usage, name)
    assert.doesNotMatch(unknown.stderr, /^ {4}at /m, name)
  }
})

test('a child process that ends before it sends a message is an error', async () => {
  const child = fork('--eval=process.exit(7)', { stdio: 'ignore', execArgv: [] })
  await assert.rejects(nextMessage(child), /ended with exit status 7/)
})
