/**
 * The two builds of the core, side by side: the same inputs and words give the same outcome, words and
 * text. Inputs are those of native/fuzz/seam_fuzz.cpp, and read as it reads them; the corpora of the
 * core's other targets are made into such.
 */

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { corpora } from './corpora.mjs'
import { mutateHex } from './random.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const corpus = `${root}native/fuzz/corpus`
const addon = process.env.ANTARA_TX_ADDON ?? `${root}build/Release/antara_tx.node`

/** True if there are two engines to compare. */
export const hasBoth = existsSync(addon)

/** Threads of their own do these: verifyInputs is the same. */
const threaded = ['startVerification', 'takeVerification']
/** These differ: each engine names what is its own, and only the addon takes keys and answers lines. */
const own = ['engineFeatures', 'derivePublicKey', 'signHash', 'answerLines']

/** Enough for all words of any seed and answer but the largest, which show how those are taken. */
const scratchWords = 4096

const coinValues = BigInt64Array.of(5n, 7n, 5n, 1_000_000n)

/** How an input is passed. */
const [asBytes, asText, misaligned] = [1, 2, 3]

/**
 * @typedef {import('../../src/engine/native.ts').NativeEngine} Engine
 * @typedef {{ seamFunctions: typeof import('../../src/engine/table.ts').seamFunctions, wasmEngine: typeof import('../../src/engine/wasm.ts').wasmEngine, compileWasm: typeof import('../../src/engine/wasm.ts').compileWasm, words: typeof import('../../src/engine/words.ts') }} Parts
 * @typedef {{ name: string, hex: string }} Input a function of the seam, and a file of its corpus
 */

/** @returns {Promise<Parts>} of dist/ */
async function partsOfDist() {
  const part = (/** @type {string} */ name) => import(`../../dist/inside/engine/${name}.js`)
  const [{ seamFunctions }, { wasmEngine, compileWasm }, words] = await Promise.all(
    ['table', 'wasm', 'words'].map(part),
  )
  return { seamFunctions, wasmEngine, compileWasm, words }
}

/** Bytes of a file, one after another; zero behind its end. */
function readerOf(/** @type {Buffer} */ file) {
  let at = 0
  return {
    take(/** @type {number} */ length) {
      const bytes = file.subarray(at, at + length)
      at += bytes.length
      return bytes
    },
    number(/** @type {number} */ length) {
      const bytes = Buffer.alloc(length)
      this.take(length).copy(bytes)
      return bytes.readUIntLE(0, length)
    },
    left: () => file.length - at,
  }
}

/**
 * @param {unknown} _library
 * @param {Parts} [given]
 * @returns {Promise<import('./loop.mjs').Target<Input> & { answered: Set<string> }>} `answered`: the
 *   functions that have given an answer, not refused every input
 */
export async function target(_library, given) {
  const { seamFunctions, wasmEngine, compileWasm, words } = given ?? (await partsOfDist())
  const module = compileWasm(readFileSync(`${root}native/wasm/antara_tx.wasm`))
  const wasm = wasmEngine(module, (cause) => cause)
  const engines = [createRequire(import.meta.url)(addon), wasm].map(playerOf)
  const kinds = new Map(seamFunctions.map(({ name, inputs }) => [name, inputs]))
  const names = [...kinds.keys()].filter((name) => ![...own, ...threaded].includes(name))
  const filesOf = (/** @type {string} */ folder) =>
    readdirSync(`${corpus}/${folder}`).map((file) => readFileSync(`${corpus}/${folder}/${file}`))
  const seeds = names.flatMap((name) => filesOf(`seam/${name}`).map(seedOf(name)))
  seeds.push(...threaded.flatMap((name) => filesOf(`seam/${name}`).map(seedOf('verifyInputs'))))
  for (const [folder, inputsOf] of Object.entries(corpora)) {
    seeds.push(...filesOf(folder).flatMap(inputsOf))
  }
  const hexes = seeds.map(({ hex }) => hex)
  const answered = new Set()

  return {
    seeds,
    answered,
    mutate: ({ name, hex }, random) => ({
      name: random.chance(20) ? random.one(names) : name,
      hex: mutateHex(hex, hexes, random),
    }),
    execute({ name, hex }) {
      const [native, wasm] = engines.map((play) => play(name, Buffer.from(hex, 'hex')))
      assert.deepEqual(wasm, native)
      if (native?.answer !== undefined) answered.add(name)
    },
  }

  /** A call on an engine, and all that can be seen of it. @param {Engine} engine */
  function playerOf(engine) {
    let scratch = new Uint32Array(0)
    const make = (/** @type {number} */ count) => {
      scratch = engine.makeScratch(count, (moved) => {
        scratch = moved
      })
    }
    make(scratchWords)

    return (/** @type {string} */ name, /** @type {Buffer} */ file) => {
      const reader = readerOf(file)
      const inputs = (kinds.get(name) ?? []).map((kind) => {
        const input = inputOf(reader, kind)
        return kind === 'index' ? coinIndex() : input
      })
      scratch.fill(0)
      const room = scratch.length - words.resultBase
      for (let at = 0; reader.left() >= 4 && at < room; at += 1) {
        scratch[words.resultBase + at] = reader.number(4)
      }
      const call = /** @type {any} */ (engine)[name]
      let answer = call.apply(engine, inputs)
      const outcome = [...scratch.slice(0, words.resultBase)]
      if (answer === undefined && outcome[0] === words.needsWords) {
        make(Number(outcome[1]))
        answer = engine.takeAnswer()
        const claimed = { outcome, answer, words: scratch.slice() }
        make(scratchWords)
        return claimed
      }
      const text = typeof answer === 'object' ? 'an index' : answer
      return { outcome, answer: text, words: answer === undefined ? [] : scratch.slice() }
    }

    function coinIndex() {
      scratch.fill(0)
      scratch[words.resultBase] = 148
      return engine.createCoinIndex(coinValues, new Uint32Array(0))
    }
  }
}

/** Checks that run on threads of their own are asked of `verifyInputs`, which runs on this one. */
function seedOf(/** @type {string} */ name) {
  return (/** @type {Buffer} */ file) => ({ name, hex: file.toString('hex') })
}

/** @param {ReturnType<typeof readerOf>} reader @param {string} kind */
function inputOf(reader, kind) {
  const passing = reader.number(1) % 4
  const bytes = reader.take(reader.number(2))
  const takesText = kind === 'source' || kind === 'hex'
  if (takesText && (kind === 'hex' || passing !== asBytes)) {
    return bytes.toString(passing === asText ? 'latin1' : 'hex')
  }
  const element = kind === 'values' ? 8 : kind === 'numbers' ? 4 : 1
  const offset = element === 1 && passing === misaligned ? 1 : 0
  const length = Math.floor(bytes.length / element) * element
  const memory = new Uint8Array(length + 8)
  memory.set(bytes.subarray(0, length), offset)
  if (kind === 'values') return new BigInt64Array(memory.buffer, 0, length / 8)
  if (kind === 'numbers') return new Uint32Array(memory.buffer, 0, length / 4)
  return memory.subarray(offset, offset + length)
}
