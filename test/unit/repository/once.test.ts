// A rule of the protocol stands in one file. These tests find the ones that return to a second.

import { expect, test } from 'vitest'

import { transactionBytesMax } from '../../../src/chain/limits.ts'
import { sourceBytesMax } from '../../../src/engine/words.ts'
import { compactSizeMax } from '../../../src/primitives/wire.ts'
import { filesBelow, textOf } from '../../support/files.ts'

const sources = filesBelow('src').filter((path) => path.endsWith('.ts'))

const filesWith = (pattern: RegExp) => sources.filter((path) => pattern.test(textOf(path))).sort()

test('one file says what a txid, a hash and a public key look like', () => {
  const hex32 = /\^\[0-9a-f(?:A-F)?\]\{64\}\$/
  const key = /\[23\](?:\)|\])?\[0-9a-f(?:A-F)?\]\{64\}/
  // Private keys have the form of hashes, and are not copied to lower case.
  const privateKeys = ['src/condition/sign.ts', 'src/signing/wif.ts']
  expect(filesWith(hex32)).toEqual([privateKeys[0], 'src/primitives/hex-forms.ts', privateKeys[1]])
  expect(filesWith(key)).toEqual(['src/primitives/hex-forms.ts'])
  expect(filesWith(/\.length [!=]== 66\b/)).toEqual([])
})

test('one function says what hex in either case is', () => {
  const eitherCase = /\{2\}\)\+\$\/i|A-F\]\{2\}\)\+\$\//
  // The guard has rows of patterns.
  const ofRows = 'src/guard/token-parameters.ts'
  expect(filesWith(eitherCase)).toEqual([ofRows, 'src/primitives/hex-forms.ts'])
})

test('one file spells the scripts that addresses stand for', () => {
  expect(filesWith(/['`^(|]76a914[`$('[]|['`^(|]a914[`$('[]/)).toEqual([
    'src/script/addressed-script.ts',
  ])
})

test('one file says how a script with data begins', () => {
  expect(filesWith(/'6a'/)).toEqual(['src/script/nulldata.ts'])
})

test('one function writes amounts of JSON as text', () => {
  expect(filesWith(/typeof (\w+) === 'bigint' \? (?:\1\.toString\(\)|`\$\{\1\}`) : \1\b/)).toEqual([
    'src/primitives/json-replacer.ts',
  ])
})

/** A list whose items become arguments: V8 throws a RangeError at about 120,000 of them. */
const listAsArguments =
  /\.(?:push|unshift|splice|max|min|fromCharCode|fromCodePoint)\((?:[^(){}]*,)?\s*\.\.\./

test('one function appends a list of any length', () => {
  expect(filesWith(listAsArguments)).toEqual([
    'src/audit/rows.ts', // the columns of a row
    'src/audit/signatures.ts', // a group of 64 transactions
    'src/chain-source/daemon.ts', // the calls of a batch
    'src/cli/columns.ts', // names of our own, as in the next four
    'src/cli/command.ts',
    'src/cli/explain.ts',
    'src/cli/request-help.ts',
    'src/cli/select.ts',
    'src/node/fork/upstream.ts', // the calls of a batch
    'src/node/framework/bch.ts', // the outputs of a transaction
    'src/node/methods/unstable-sort.ts', // one item
    'src/primitives/append.ts', // its comment
    'src/primitives/base64.ts', // a part of the bytes
    'src/rpc/secret-forms.ts', // the bytes of one character
    'src/token/rules/slot-script.ts', // the slots of a batch
    'src/transaction/daemon-json.ts', // four members
    'src/verification/lock-time.ts', // one finding
  ])
})

/** A comment, and the name of the constant below it. */
const commented =
  /((?:\/\*\*(?:[^*]|\*(?!\/))*\*\/|(?:\/\/[^\n]*\n)+)\s*)(?:export )?const (\w+)(?:: [^=\n]+)? =/g
/** A symbol that a comment names after its file, such as `src/serialize.h, MAX_SIZE`. */
const cited = /\b(src\/[\w./]+|[\w-]+\.[ch](?:pp)?)[,:]? ([A-Z][A-Z0-9_]{3,}|[a-z]\w*[A-Z]\w*)\b/g

/** Constants by the symbols of their sources; each with the file that defines it. */
function constantsBySource(paths: readonly string[], read: (path: string) => string) {
  const found = new Map<string, Set<string>>()
  for (const path of paths) {
    for (const [, comment, name] of read(path).matchAll(commented)) {
      const text = comment!.replaceAll(/\n\s*(?:\*|\/\/)/g, ' ').replaceAll(/\s+/g, ' ')
      for (const [, , symbol] of text.matchAll(cited)) {
        const places = found.get(symbol!) ?? new Set()
        found.set(symbol!, places.add(`${path}: ${name}`))
      }
    }
  }
  return found
}

const inTwoFiles = (places: ReadonlySet<string>) =>
  new Set([...places].map((place) => place.split(':')[0])).size > 1

test('one file defines the constant of each symbol of a source', () => {
  const found = constantsBySource(sources, textOf)
  expect([...found.keys()]).toEqual(
    expect.arrayContaining(['MAX_SIZE', 'MAX_TX_SIZE_AFTER_SAPLING', 'KOMODO_MINDIFF_NBITS']),
  )
  const twice = [...found].filter(([, places]) => inTwoFiles(places))
  expect(twice.map(([symbol, places]) => [symbol, ...places])).toEqual([])
})

test('the search for constants finds one that a second file repeats', () => {
  const files: Record<string, string> = {
    'a.ts': '/** The most. source: komodo src/a.h,\n * MAX_SIZE */\nexport const most = 1\n',
    'b.ts': '// komodo src/a.h MAX_SIZE\nconst other: number = 1\n',
  }
  const found = constantsBySource(Object.keys(files), (path) => files[path]!)
  expect([...found.get('MAX_SIZE')!]).toEqual(['a.ts: most', 'b.ts: other'])
  expect(inTwoFiles(found.get('MAX_SIZE')!)).toBe(true)
})

test('limits of the native core have the values of those in TypeScript', () => {
  const native = [
    ...textOf('native/core/base/limits.h').matchAll(/(\w+_max) = ([0-9a-fx']+);/g),
  ].map(([, name, value]) => [name, Number(value!.replaceAll("'", ''))])
  expect(Object.fromEntries(native)).toEqual({
    compact_size_max: compactSizeMax,
    input_bytes_max: sourceBytesMax,
    transaction_bytes_max: transactionBytesMax,
  })
})
