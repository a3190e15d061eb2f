// The program that bench/start.mjs runs for a first verdict. Its cost counts from when the library
// and the case are loaded.
//
//   node first-verdict.mjs CASE [VERDICTS]     default 1

import { readFileSync } from 'node:fs'

import { parseCase, verifyCase } from '../../dist/index.js'

const text = readFileSync(process.argv[2], 'utf8')
const verdicts = Number(process.argv[3] ?? 1)
globalThis.cpuSince = process.cpuUsage()
for (let at = 0; at < verdicts; at += 1) {
  if (!verifyCase(parseCase(text)).ok) throw new Error(`${process.argv[2]} does not agree`)
}
process.exit()
