// The command as a process of its own: what pipes, statuses and streams do is seen nowhere else.

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

import { compileSources, root } from '../../support/built.ts'
import { type Outcome, outcomeOf } from '../../support/cli.ts'
import { daemonMade } from '../../support/komodod.ts'
import { onWindows, testUnless } from '../../support/skip.ts'

const { entry, env } = compileSources('cli-process')
const main = fileURLToPath(new URL('cli/main.js', entry))
const transfer = daemonMade.find(({ file }) => file.startsWith('07-'))!
const txid = '6fafa939e3f28db273771b5726873af4e3deecefe10ef71cc2d498ca6a7b8195'

function antaraTx(args: string[], more: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [main, ...args], { cwd: root, env: { ...env, ...more } })
}

/** A line of the shell, in which `antara-tx` is the command. */
function shell(line: string): Promise<Outcome> {
  const script = `antara-tx() { '${process.execPath}' '${main}' "$@"; }\n${line}`
  return outcomeOf(spawn('bash', ['-c', script], { cwd: root, env }))
}

async function piped(args: string[], chunks: AsyncIterable<string> | Iterable<string>) {
  const child = antaraTx(args)
  const ended = outcomeOf(child)
  for await (const chunk of chunks) child.stdin!.write(chunk)
  child.stdin!.end()
  return ended
}

async function* slowly(text: string, pieces: number): AsyncIterable<string> {
  const size = Math.ceil(text.length / pieces)
  for (let at = 0; at < text.length; at += size) {
    await sleep(60)
    yield text.slice(at, at + size)
  }
}

describe('standard input', () => {
  test('is waited for, however late and in pieces it comes', async () => {
    for (const args of [['txid'], ['txid', '-']]) {
      expect(await piped(args, slowly(`${transfer.hex}\n`, 5))).toEqual({
        status: 0,
        output: `${txid}\n`,
        errors: '',
      })
    }
  })

  testUnless(onWindows)('is the pipe of a shell, slow or fast', async () => {
    const late = await shell(`(sleep 0.3; echo ${transfer.hex}) | antara-tx txid`)
    expect(late).toEqual({ status: 0, output: `${txid}\n`, errors: '' })
    const chain = await shell(
      'set -o pipefail; antara-tx transfer examples/transfer-request.json' +
        ' | ANTARA_TX_KEY="$(cat examples/throw-away-key.txt)" antara-tx sign - | antara-tx verify -',
    )
    expect(chain.status).toBe(0)
    expect(chain.output).toMatch(/^AGREES/)
    const unsigned = await shell(
      'antara-tx transfer examples/transfer-request.json | antara-tx verify -',
    )
    expect(unsigned.status).toBe(1)
    expect(unsigned.output).toMatch(/^UNSIGNED/)
  })

  test('may be large', async () => {
    const text = readFileSync(`${root}examples/transfer.json`, 'utf8')
    const { status, output } = await piped(['verify', '-'], [' '.repeat(1 << 24), text])
    expect(status).toBe(0)
    expect(output).toMatch(/^AGREES/)
  })

  test('may be empty or end in the middle: that is malformed, not a crash', async () => {
    expect((await piped(['txid'], [])).status).toBe(2)
    expect((await piped(['txid'], [transfer.hex.slice(0, 100)])).status).toBe(2)
    expect((await piped(['verify'], ['{"operation":'])).status).toBe(2)
  })
})

describe('standard output', () => {
  testUnless(onWindows)('may be closed by who has read enough', async () => {
    const first = await shell(`set -o pipefail; antara-tx decode ${transfer.hex} | head -n 1`)
    expect(first).toEqual({ status: 0, output: `transaction ${txid}\n`, errors: '' })
    const child = antaraTx(['decode', transfer.hex])
    child.stdout!.destroy()
    expect(await outcomeOf(child)).toEqual({ status: 0, output: '', errors: '' })
  })

  testUnless(process.platform !== 'linux' && 'only Linux has /dev/full')(
    'a full standard output is not taken for a verdict',
    async () => {
      const full = openSync('/dev/full', 'w')
      const child = spawn(process.execPath, [main, 'txid', transfer.hex], {
        env,
        stdio: ['ignore', full, 'pipe'],
      })
      const { status, errors } = await outcomeOf(child)
      closeSync(full)
      expect({ status, errors }).toEqual({
        status: 70,
        errors: 'antara-tx: the output cannot be written: ENOSPC\n',
      })
    },
  )
})

describe('exit statuses', () => {
  test.each([
    ['verify', '-'],
    ['txid', '-'],
  ])('a %s that waits for nothing any more has no result, and so not 0', async (...args) => {
    // A source that is waited for and holds nothing open, as a socket or a timer would.
    const stdin = 'async*[Symbol.asyncIterator](){await new Promise(()=>{})}'
    const trap = `Object.defineProperty(process,'stdin',{value:{${stdin}}})`
    const preload = `--import=data:text/javascript,${encodeURIComponent(trap)}`
    const outcome = await outcomeOf(antaraTx(args, { NODE_OPTIONS: preload }))
    expect(outcome).toMatchObject({ status: 70, output: '' })
    expect(outcome.errors).toContain('it reached no result')
  })

  test('a missing engine is 69, never that of findings', async () => {
    for (const args of [
      ['verify', 'examples/transfer.json'],
      ['txid', transfer.hex],
    ]) {
      const child = antaraTx(args, { ANTARA_TX_ADDON: `${root}nowhere.node`, ANTARA_TX_ENGINE: '' })
      const { status, errors } = await outcomeOf(child)
      expect(status).toBe(69)
      expect(errors).toContain('engine_unavailable')
    }
  })

  test('no server is 69', async () => {
    const child = antaraTx(['rpc', 'daemon', 'getinfo', '--url', 'http://127.0.0.1:1'], {
      ANTARA_RPC_USER: 'user',
      ANTARA_RPC_PASSWORD: 'password',
    })
    const { status, errors } = await outcomeOf(child)
    expect(status).toBe(69)
    expect(errors).toContain('transport')
  })

  test('a fault of ours is 70, told without what could be a key', async () => {
    const wif = 'Up1YVLk7uuErCHVQyFCtfinZngmdwfyfc47WCQ8oJxgowjVzNeqs'
    const preload = `data:text/javascript,String.prototype.padEnd = () => { throw new Error('no ${wif}') }`
    const child = spawn(process.execPath, ['--import', preload, main, 'verify', '-'], { env })
    child.stdin.end(readFileSync(`${root}examples/transfer.json`))
    const { status, output, errors } = await outcomeOf(child)
    expect({ status, output }).toEqual({ status: 70, output: '' })
    expect(errors).toContain('a fault of antara-tx itself')
    expect(errors).toContain('no (hidden)')
    expect(errors).not.toContain(wif.slice(0, 6))
  })
})
