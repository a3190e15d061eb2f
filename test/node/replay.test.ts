// Every call that was recorded of a komodod, made again in order to a node that has its chain.

import { expect, test } from 'vitest'
import { replay } from './support/recorded-node.ts'
import type { Dated } from './timeline.ts'

/** Members that no node can know about the recorded daemon. */
const normalizations: readonly (readonly [why: string, what: RegExp, by: string])[] = [
  [
    'proof of work, and the hashes that follow from it',
    /"(blockhash|bestblock|bestblockhash|hash|previousblockhash|nextblockhash|nonce|solution|bits|chainwork)":"[0-9a-f]+"/g,
    '"$1":""',
  ],
  ['difficulty, by the time that was worked', /"difficulty":[0-9.]+/g, '"difficulty":0'],
  [
    "the root of Sapling's empty tree: the recorded daemon ran with a stub of the notes' library",
    /"finalsaplingroot":"[0-9a-f]+"/g,
    '"finalsaplingroot":""',
  ],
  ['peers', /"connections":\d+/g, '"connections":0'],
  ['the seed of a wallet', /"seedfp":"[0-9a-f]+"/g, '"seedfp":""'],
]

/** Results that are a block's hash, or begin with its header. */
const hashMethods = ['getbestblockhash', 'getblockhash']
const headerCharacters = 2 * (140 + 1 + 36)

function normalized(text: string, { request, response }: Dated): string {
  const { method = '' } = request.startsWith('{') ? JSON.parse(request) : {}
  let plain = text
  if (hashMethods.includes(method)) plain = plain.replace(/[0-9a-f]{64}/, '')
  if (method === 'getblock')
    plain = plain.replace(
      /^({"result":")04000000[0-9a-f]+/,
      (all, head) => head + all.slice(head.length + headerCharacters),
    )
  // The rest of a help text is the daemon's own prose.
  if (/\\n(?:\\n|Returns)/.test(response)) plain = plain.replace(/\\n.*(".*}\n)$/, '$1')
  return normalizations.reduce((all, [, pattern, by]) => all.replace(pattern, by), plain)
}

/** Differences from the recordings, and the reason for each. */
const knownDifferences: readonly (readonly [what: RegExp, count: number])[] = [
  // coins of a wallet are chosen, and change is placed, at random
  [/^15.*\|(sendtoaddress|sendmany)\|/, 3],
  [/^15.*\|gettransaction\|wallet view sendmany/, 1],
  // In place of an invalid key, a condition contains bytes of the daemon's memory.
  [/^12.*\|tokentransfer\|(bad dest pubkey hex|empty dest pubkey|address instead of pubkey)/, 3],
  [/^20.*\|tokentransfer\|tokentransfer to pubkey: (empty|bad hex)/, 2],
  // the two daemons' clocks, a second apart
  [/^(10|29).*\|gettransaction\|wallet view (B->A|tokenbid)/, 2],
  // One daemon was asked before the other one broadcast what spends the output.
  [/^24.*\|getrawtransaction\|confirmed NFT f[13] B->A/, 2],
  // other methods, and no peers
  [/^14.*\|help\|help help/, 1],
  [/^16.*\|getpeerinfo\|/, 1],
]

test('answers as the recorded daemon did', async () => {
  const results = await replay()
  const names = results
    .filter(
      ({ ours, ...exchange }) =>
        ours.status !== exchange.status ||
        normalized(ours.body, exchange) !== normalized(exchange.response, exchange),
    )
    .map(({ at, note, request }) => `${at}|${JSON.parse(request).method}|${note}`)
  console.log(`${results.length - names.length} of ${results.length} calls byte-equal`)
  const unexpected = names.filter((name) => !knownDifferences.some(([what]) => what.test(name)))
  expect(unexpected).toEqual([])
  const found = knownDifferences.map(([what]) => names.filter((name) => what.test(name)).length)
  expect(found).toEqual(knownDifferences.map(([, count]) => count))
  expect(results.length).toBe(777)
})
