// Publishes cases, one a line, from a file or standard input. Run again after whatever ended it, it
// publishes what is missing.
//
//   node publish.mjs cases.ndjson

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

import { caseKey } from './answer.mjs'
import { open } from './streams.mjs'

const [path = '-'] = process.argv.slice(2)
const input = path === '-' ? process.stdin : createReadStream(path)
const { connection, stream } = await open()

/** Published and not confirmed yet. */
const unconfirmedMax = 1000
const unconfirmed = new Set()
let published = 0
let duplicates = 0

for await (const line of createInterface({ input, crlfDelay: Infinity })) {
  const text = line.trim()
  if (text === '') continue
  const key = caseKey(text)
  const confirmed = stream.publish(`cases.${key}`, text, { msgID: key }).then(({ duplicate }) => {
    published += 1
    if (duplicate) duplicates += 1
    unconfirmed.delete(confirmed)
  })
  unconfirmed.add(confirmed)
  if (unconfirmed.size >= unconfirmedMax) await Promise.race(unconfirmed)
}
await Promise.all(unconfirmed)
await connection.drain()
console.log(`${published} published, of which ${duplicates} were there`)
