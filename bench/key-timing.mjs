// Measures whether the time of a signature depends on the private key, as dudect does. Key 1 and
// random keys sign in random turns, and Welch's t compares the faster half of both. Above 4.5, the times differ. Times are never a test; test/process/signing/secrets.test.ts is.
//
//   node bench/key-timing.mjs [SIGNATURES]     default 20000

import { createRequire } from 'node:module'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { hashes, sign } from '@noble/secp256k1'
import { readCount } from './lib/arguments.mjs'

hashes.sha256 = sha256
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message)

const count = readCount(import.meta.url, 'SIGNATURES', 20_000)
const addon = createRequire(import.meta.url)('../build/Release/antara_tx.node')
addon.makeScratch(4096)

/** Bytes that V8 does not move, and whose address says nothing about the key. */
const room = () => new Uint8Array(new ArrayBuffer(32))
const [key, seed, hash] = [room(), room(), room()]
const ones = Array.from({ length: 64 }, () => room().fill(1, 31))
const others = Array.from({ length: 64 }, () => {
  const other = crypto.getRandomValues(room())
  other[0] &= 0x7f
  return other
})

const signers = {
  'libsecp256k1 in the addon': () => {
    crypto.getRandomValues(seed)
    return addon.signHash(Buffer.from(hash).toString('hex'), key, seed)
  },
  '@noble/secp256k1': () => sign(hash, key, { prehash: false, lowS: true, format: 'compact' }),
}

/** @param {number[]} times @returns {{ mean: number, variance: number, size: number }} of the faster half */
function fasterHalf(times) {
  const kept = times.toSorted((a, b) => a - b).slice(0, times.length >> 1)
  const mean = kept.reduce((sum, time) => sum + time, 0) / kept.length
  const squares = kept.reduce((sum, time) => sum + (time - mean) ** 2, 0)
  return { mean, variance: squares / (kept.length - 1), size: kept.length }
}

for (const [name, run] of Object.entries(signers)) {
  /** @type {number[][]} */
  const times = [[], []]
  for (let at = 0; at < count; at += 1) {
    const group = Math.random() < 0.5 ? 0 : 1
    key.set((group === 0 ? ones : others)[at % 64])
    crypto.getRandomValues(hash)
    const start = process.hrtime.bigint()
    run()
    const time = Number(process.hrtime.bigint() - start) / 1000
    if (at > count / 10) times[group].push(time)
  }
  const [one, other] = times.map(fasterHalf)
  const spread = Math.sqrt(one.variance / one.size + other.variance / other.size)
  const t = (one.mean - other.mean) / spread
  console.log(
    `${name}: key 1 ${one.mean.toFixed(2)} us, random keys ${other.mean.toFixed(2)} us, t ${t.toFixed(1)}`,
  )
}
