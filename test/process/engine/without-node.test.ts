// These tests cover the build for browsers and bundles: WebAssembly included as text, keys without
// node:crypto, and nothing of Node. Node itself runs it, with the condition that bundlers use.

import { spawnSync } from 'node:child_process'
import { constants, createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'

import { publicKeys as byNode } from '../../../src/condition/public-keys-node.ts'
import { publicKeys as portable } from '../../../src/condition/public-keys-portable.ts'
import * as library from '../../../src/index.ts'
import { answersOf } from '../../consumers/answers.mjs'
import { vectors } from '../../consumers/vectors.ts'
import { compileSources, root } from '../../support/built.ts'
import { readVectors } from '../../support/vectors.ts'

const { entry } = compileSources('without-node')

function node(args: string[], input = '') {
  const { ANTARA_TX_ADDON: _, ANTARA_TX_ENGINE: __, ...env } = process.env
  return spawnSync(process.execPath, args, { input, env, encoding: 'utf8', maxBuffer: 1 << 26 })
}

test('all answers are those that Node gives, without Buffer and process', async () => {
  const args = ['--conditions', 'module', `${root}test/support/without-node.mjs`, entry]
  const { stdout, stderr } = node(args, JSON.stringify(vectors))
  expect(stderr).toBe('')
  const answers = JSON.parse(stdout)
  expect(Object.keys(answers).length).toBeGreaterThan(700)
  expect(answers).toEqual(await answersOf(library, vectors))
  expect(answers['verdict on transfer']).toContain('"ok":true')
  expect(answers['verdict on transfer-stolen-change']).toContain('"ok":false')
})

test.each([
  [
    'forbids to compile it',
    'new Proxy(WebAssembly, { get: () => class { constructor() { throw new EvalError("blocked by policy") } } })',
    "'wasm-unsafe-eval' in script-src",
  ],
  ['has none', 'undefined', 'a JavaScript engine with WebAssembly'],
])('where a page %s, the error says what helps', (_, replaced, remedy) => {
  const script = `
    ${replaced === 'undefined' ? 'delete globalThis.WebAssembly' : `globalThis.WebAssembly = ${replaced}`}
    const { networks, transactionId } = await import('${entry}')
    console.log(networks.komodo.name)
    try { transactionId('00') } catch ({ code, message }) { console.log(code + message) }`
  const { stdout, stderr } = node(['-C', 'module', '--input-type=module', '-e', script])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^komodo\nengine_unavailable/)
  expect(stdout).toContain(remedy)
})

/** A page's workers, of Node's threads. What it does is printed: `starts`, `tasks`. */
const pageWorkers = (breaks: boolean) => `
  import { Worker as Thread } from 'node:worker_threads'
  import { resolveObjectURL } from 'node:buffer'
  globalThis.location = { href: 'http://127.0.0.1/' }
  globalThis.counts = { starts: 0, tasks: 0 }
  const prelude = 'const { parentPort } = require("node:worker_threads");'
    + 'globalThis.postMessage = (data) => parentPort.postMessage(data);'
    + 'parentPort.on("message", (data) => globalThis.onmessage({ data }));'
  globalThis.Worker = class {
    #queue = []
    constructor(url) {
      counts.starts += 1
      resolveObjectURL(url).text().then((text) => {
        if (${breaks}) return this.onerror({ preventDefault() {} })
        this.thread = new Thread(prelude + text, { eval: true, execArgv: [] })
        this.thread.unref()
        this.thread.on('message', (data) => this.onmessage({ data }))
        for (const message of this.#queue) this.thread.postMessage(message)
      })
    }
    postMessage(message) {
      if (!('module' in message)) counts.tasks += 1
      if (this.thread) this.thread.postMessage(message)
      else this.#queue.push(message)
    }
    terminate() { this.thread?.terminate() }
  }`

test.each([
  ['by workers', false],
  ['by the engine itself, where a worker fails', true],
])('signatures of many transactions are verified %s', (_, breaks) => {
  const script = `${pageWorkers(breaks)}
    const { decodeTransaction, parseCase, verifyInputs, verifyInputsAsync } = await import('${entry}')
    const cases = ${JSON.stringify(Object.values(vectors.cases).slice(1))}
    const signed = cases.map((text) => {
      const { hex, evidence } = parseCase(text)
      const parents = new Map(evidence.previousTransactions.map(decodeTransaction).map((tx) => [tx.txid, tx]))
      return [hex, decodeTransaction(hex).inputs.map(({ txid, vout }) => parents.get(txid).outputs[vout])]
    })
    const alone = signed.map((it) => JSON.stringify(verifyInputs(...it)))
    const asked = Array.from({ length: 30 }, (_, at) => signed[at % signed.length])
    const together = await Promise.all(asked.map((it) => verifyInputsAsync(...it)))
    const same = together.filter((one, at) => JSON.stringify(one) === alone[at % signed.length])
    console.log(JSON.stringify({ same: same.length, ...counts }))
    process.exit()`
  const { stdout, stderr } = node(['-C', 'module', '--input-type=module', '-e', script])
  expect(stderr).toBe('')
  const { same, starts, tasks } = JSON.parse(stdout)
  expect(same).toBe(30)
  expect(starts).toBeGreaterThan(0)
  expect(starts).toBeLessThanOrEqual(4)
  expect(tasks).toBeGreaterThan(10)
})

/** Files of src that an entry reaches, `#` modules as those get them who are not Node. */
function reachedFrom(start: string): Map<string, string> {
  const { imports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const reached = new Map<string, string>()
  const pending = [start]
  for (const path of pending) {
    if (reached.has(path)) continue
    const text = readFileSync(`${root}${path}`, 'utf8')
    reached.set(path, text)
    for (const [, target] of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      if (target!.startsWith('.')) pending.push(posix.join(posix.dirname(path), target!))
      const conditions = imports[target!]
      if (conditions === undefined) continue
      expect(conditions.module).toBe(conditions.default)
      pending.push(conditions.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))
    }
  }
  return reached
}

test.each(['src/index.ts', 'src/rpc/index.ts'])('%s reaches nothing of Node', (start) => {
  const reached = reachedFrom(start)
  expect(reached.has('src/engine/loader-inline.ts')).toBe(true)
  expect(reached.size).toBeGreaterThan(100)
  const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const wrong = [...reached].filter(([, text]) =>
    /from 'node:|\bBuffer\.|\bprocess\.|\brequire\(|\bglobal\./.test(code(text)),
  )
  expect(wrong.map(([path]) => path)).toEqual([])
})

interface Ed25519Vectors {
  groups: { publicKey: string; tests: { msg: string; sig: string }[] }[]
}

/** Encodings of points whose order divides eight: the shortest ones, and two that are not. */
const smallOrder = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].flatMap((hex) => [
  hex,
  `${hex.slice(0, 62)}${(Number.parseInt(hex.slice(62), 16) | 0x80).toString(16)}`,
])

/**
 * Node 24.21 and 26.10 refuse keys whose order divides eight. Node 20.20 and 22.23 compute with them as
 * with any other key, although 22.23 has the same OpenSSL 3.5.8 as the newer two.
 */
const refusesSmallOrder = (() => {
  const [neutral = ''] = smallOrder
  return !byNode.ed25519Verifies(neutral, `${neutral}${'00'.repeat(32)}`, Buffer.from('a'))
})()

test('Ed25519 signatures verify where OpenSSL says so, those of strange points too', () => {
  const { groups } = readVectors<Ed25519Vectors>('signing/wycheproof-ed25519.json')
  const signatures = [
    ...groups.flatMap(({ publicKey, tests }) =>
      tests.map(({ msg, sig }) => [publicKey, sig, Buffer.from(msg, 'hex')] as const),
    ),
    ...smallOrder.flatMap((publicKey) =>
      smallOrder.flatMap((r) =>
        ['a', 'b', 'c'].map(
          (text) => [publicKey, `${r}${'00'.repeat(32)}`, Buffer.from(text)] as const,
        ),
      ),
    ),
  ]
  const differing = signatures.filter(
    (signature) => portable.ed25519Verifies(...signature) !== byNode.ed25519Verifies(...signature),
  )
  const isRefused = ([publicKey]: readonly [string, ...unknown[]]) =>
    refusesSmallOrder && smallOrder.includes(publicKey)
  expect(differing.filter((signature) => !isRefused(signature))).toEqual([])
  // Where they differ, Node is the one that refuses.
  expect(differing.filter((signature) => byNode.ed25519Verifies(...signature))).toEqual([])
  expect(differing.length > 0).toBe(refusesSmallOrder)
  const isValid = signatures.map((signature) => portable.ed25519Verifies(...signature))
  expect(isValid.filter(Boolean).length).toBeGreaterThan(100)
  expect(isValid.filter((it) => !it).length).toBeGreaterThan(100)
})

test('Ed25519 keys and signatures are made alike', () => {
  for (let at = 0; at < 20; at += 1) {
    const seed = createHash('sha256').update(`seed ${at}`).digest()
    const [one, other] = [byNode.ed25519Signer(seed), portable.ed25519Signer(seed)]
    expect(other.publicKey).toBe(one.publicKey)
    expect(other.sign(seed)).toBe(one.sign(seed))
  }
})

test('RSA signatures verify where OpenSSL says so', () => {
  const message = Buffer.from('a message')
  const outcomes = [1024, 1025, 2048].flatMap((modulusLength) => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength })
    const n = Buffer.from(publicKey.export({ format: 'jwk' }).n!, 'base64url').toString('hex')
    const padding = constants.RSA_PKCS1_PSS_PADDING
    const signed = [32, 20, 0].map((saltLength) =>
      sign('sha256', message, { key: privateKey, padding, saltLength }).toString('hex'),
    )
    const others = [signed[0]!.slice(2), `00${signed[0]}`, 'ff'.repeat(n.length / 2), n, '00', '']
    return [...signed, sign('sha256', message, privateKey).toString('hex'), ...others].map(
      (signature) => {
        const verifies = portable.rsaVerifies(n, signature, message)
        expect(verifies, signature).toBe(byNode.rsaVerifies(n, signature, message))
        return verifies
      },
    )
  })
  expect(outcomes.filter(Boolean).length).toBeGreaterThanOrEqual(3)
})
