/** Nulldata scripts: read or refused with a typed error, and given back byte for byte. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

import { mutateHex } from './random.mjs'

const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8'))

// A terminal might obey these.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** @param {typeof import('../../dist/index.js')} library @returns {import('./loop.mjs').Target<string>} */
export function target(library) {
  const chains = ['komodod/90-chain-dump.json', 'tokeld/90-chain-dump.json']
  const transactions = chains.flatMap((name) => read(name).transactions)
  const scripts = transactions.map(
    ({ hex }) => library.decodeTransaction(hex).outputs.at(-1)?.script,
  )
  const seeds = [...new Set(scripts.filter((script) => /^6a.*f[25]/.test(script ?? '')))]
  const carrier = library.decodeTransaction(
    read('komodod/daemon-made.json').transactions.find(({ method }) => method === 'tokentransfer')
      .hex,
  )
  return { seeds, mutate: (script, random) => mutateHex(script, seeds, random), execute }

  /** @param {string} script */
  function execute(script) {
    const payload = unlessMalformed(() => library.decodeTokenPayload(script))
    if (payload !== undefined) check(script, payload)
    const offset = Math.max(0, script.indexOf('f7'))
    unlessMalformed(() => {
      const data = library.decodeTokelData(script.slice(offset))
      assert.deepEqual(library.decodeTokelData(library.encodeTokelData(data)), data)
    })
    if (!/^(?:[0-9a-f]{2})*$/.test(script)) return
    const outputs = [...carrier.outputs.slice(0, -1), { value: 0n, script }]
    const hex = library.encodeTransaction({ ...carrier, outputs })
    const tx = unlessMalformed(() => library.decodeTokenTransaction(hex))
    if (tx !== undefined) assert.equal(tx.outputs.length, outputs.length)
  }

  /** @param {string} script @param {any} payload */
  function check(script, payload) {
    assert.equal(library.encodeTokenPayload(payload), script.toLowerCase())
    for (const { data, order, properties } of payload.extras) {
      if (order !== undefined) assert.equal(library.encodeAssetOrder(order), data)
      if (properties !== undefined) assert.deepEqual(library.decodeTokelData(data), properties)
    }
    if (payload.kind !== 'create') return
    for (const text of [payload.name, payload.description]) {
      assert.doesNotMatch(library.printable(text), unprintable)
    }
  }

  /** @template Value @param {() => Value} read @returns {Value | undefined} */
  function unlessMalformed(read) {
    try {
      return read()
    } catch (error) {
      if (library.isAntaraError(error)) return undefined
      throw error
    }
  }
}
