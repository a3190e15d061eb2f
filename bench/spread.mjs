// How long does `{ ...object, member }` take, and the same with `...null` before it, which is how
// scripts/quick-spreads.mjs writes dist/? Prints nanoseconds of processor time, by the number of
// further members. Run it by each version of Node.
//
//   node bench/spread.mjs

import { readArguments } from './lib/arguments.mjs'

readArguments(import.meta.url)
const given = { ok: true, findings: [], operation: 'payment', hex: '00' }

const literals = [
  ['1 further member', () => ({ ...given, a: 1 }), () => ({ ...null, ...given, a: 1 })],
  [
    '3 further members',
    () => ({ ...given, a: 1, b: 2, c: 3 }),
    () => ({ ...null, ...given, a: 1, b: 2, c: 3 }),
  ],
  [
    '6 further members',
    () => ({ ...given, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }),
    () => ({ ...null, ...given, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }),
  ],
]

const repetitions = 50_000
const rounds = 9
globalThis.kept = undefined

function nanoseconds(make) {
  const before = process.cpuUsage()
  for (let at = 0; at < repetitions; at += 1) globalThis.kept = make()
  const { user, system } = process.cpuUsage(before)
  return (1000 * (user + system)) / repetitions
}

const median = (values) => values.sort((one, other) => one - other)[values.length >> 1]

console.log(`Node ${process.version}`)
for (const [name, plain, quick] of literals) {
  const samples = Array.from({ length: rounds }, () => [nanoseconds(plain), nanoseconds(quick)])
  const [slow, fast] = [0, 1].map((at) => Math.round(median(samples.map((it) => it[at]))))
  console.log(`${name}: ${slow} ns, after ...null ${fast} ns`)
}
