// Generates from native/seam/seam.def what both sides of the seam share: words.h and functions.h
// beside it, and words.ts, records.ts, native.ts and calls.ts in src/engine.
// With --check, writes nothing and fails when a generated file is stale.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { quoted, writeGenerated } from './generated.mjs'

const root = new URL('..', import.meta.url)
const source = 'native/seam/seam.def'
const notice = `// Made by scripts/generate-seam.mjs from ${source}. Do not edit.`

const inputKinds = {
  source: 'string | Uint8Array',
  hex: 'string',
  bytes: 'Uint8Array',
  values: 'BigInt64Array',
  numbers: 'Uint32Array',
  index: 'NativeCoinIndex',
  job: 'NativeVerification',
}
const answers = { text: 'string', index: 'NativeCoinIndex', job: 'Promise<NativeVerification>' }
const cppTypes = { u32: 'std::uint32_t', i64: 'std::int64_t', u64: 'std::uint64_t' }

const seam = parse(readFileSync(new URL(source, root), 'utf8'))

function parse(text) {
  const found = { constants: [], argumentErrors: [], records: [], functions: [], abi: 0 }
  const declarations = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue
    const [declaration, doc = ''] = line.split(' -- ')
    declarations.push(declaration)
    if (!read(found, declaration, doc))
      throw new Error(`${source}:${index + 1}: cannot read: ${line}`)
  }
  for (const record of found.records) layOut(record)
  for (const { words, name } of found.functions) {
    if (words !== undefined && !found.records.some((record) => record.name === words)) {
      throw new Error(`${source}: ${name} takes a record that is not there: ${words}`)
    }
  }
  const base = found.constants.find(({ name }) => name === 'result_base')
  if (base?.value !== '4') throw new Error(`${source}: positions are written out for a base of 4`)
  found.abi = createHash('sha256').update(declarations.join('\n')).digest().readUInt32BE(0)
  return found
}

function read(found, declaration, doc) {
  const constant = /^constant (\w+) (\w+)$/.exec(declaration)
  if (constant) return found.constants.push({ name: constant[1], value: constant[2], doc })
  const argumentError = /^argument_error (\w+) "(.+)"$/.exec(declaration)
  if (argumentError)
    return found.argumentErrors.push({ name: argumentError[1], message: argumentError[2] })
  const record = /^record (\w+) (in|out|both|engine)( each)?$/.exec(declaration)
  if (record) {
    const [, name, direction, each] = record
    return found.records.push({ name, direction, isItem: each !== undefined, doc, fields: [] })
  }
  const field = /^ {2}(u32|i64|u64) (\w+)$/.exec(declaration)
  if (field) return found.records.at(-1)?.fields.push({ type: field[1], name: field[2] })
  const call = /^function (\w+)((?: \w+)*) -> (\w+)(?: (\w+))?$/.exec(declaration)
  if (call === null) return false
  const inputs = call[2].split(' ').slice(1)
  const isKnown = inputs.every((kind) => kind in inputKinds) && call[3] in answers
  return (
    isKnown && found.functions.push({ name: call[1], inputs, answer: call[3], words: call[4], doc })
  )
}

/** Gives each field its position; 64-bit values are read through a view of half as many elements. */
function layOut(record) {
  let word = 0
  for (const field of record.fields) {
    if (field.type !== 'u32' && word % 2 !== 0) {
      throw new Error(`${source}: ${record.name}.${field.name} starts at an odd word`)
    }
    field.word = word
    word += field.type === 'u32' ? 1 : 2
  }
  record.words = word
  record.isWide = record.fields.some(({ type }) => type !== 'u32')
  if (record.isWide && word % 2 !== 0) throw new Error(`${source}: ${record.name} has odd words`)
}

function camel(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())
}

function pascal(name) {
  return camel(`_${name}`)
}

const visible = (record) => record.fields.filter(({ name }) => name !== 'unused')

const wordsHeader = `${notice}

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace antara::seam {

// clang-format off

static_assert(std::endian::native == std::endian::little, "words cross in their memory layout");

/// The hash of the definition; src/engine refuses a build with another one.
inline constexpr std::uint32_t abi = 0x${seam.abi.toString(16).padStart(8, '0')};

${seam.constants.map(({ name, value, doc }) => `/// ${doc}\ninline constexpr std::uint32_t ${name} = ${value};`).join('\n')}

/// Errors in the arguments of a call, by number.
enum class ArgumentError : std::uint32_t {
${seam.argumentErrors.map(({ name, message }, number) => `  ${name} = ${number},  // ${message}`).join('\n')}
};

${seam.records
  .map(
    ({ name, doc, fields, words }) => `/// ${doc}
struct ${pascal(name)}Words {
${fields.map((field) => `  ${cppTypes[field.type]} ${field.name} = 0;`).join('\n')}
};
static_assert(sizeof(${pascal(name)}Words) == 4 * ${words});`,
  )
  .join('\n\n')}

// clang-format on

}  // namespace antara::seam
`

const functionsHeader = `${notice}

#pragma once

#include <string_view>

#include "seam/call.h"

namespace antara::seam {

// clang-format off

${seam.functions.map(({ name, doc }) => `/// ${doc}\nOutcome ${name}(Call& call);`).join('\n')}

/// Every function by its name in JavaScript.
inline constexpr Function functions[] = {
${seam.functions
  .map(({ name, inputs, answer }) => {
    const kinds = inputs.map((kind) => `InputKind::${kind}`).join(', ')
    return `    {"${camel(name)}", ${name}, {${kinds}}, ${inputs.length}, AnswerKind::${answer}},`
  })
  .join('\n')}
};

// clang-format on

}  // namespace antara::seam
`

const wordsModule = `${notice}

${seam.constants.map(({ name, value, doc }) => `/** ${doc} */\nexport const ${camel(name)} = ${value}`).join('\n')}

// Sizes of the records, in words.
${seam.records.map(({ name, words }) => `export const ${camel(name)}Words = ${words}`).join('\n')}

// Positions of the fields that are read most; see transaction-lists.ts and tree-lists.ts.
${seam.records
  .filter(({ name }) => ['header', 'input', 'output', 'node'].includes(name))
  .flatMap((record) =>
    visible(record).map(
      (field) => `export const ${camel(record.name)}${pascal(field.name)}Word = ${field.word}`,
    ),
  )
  .join('\n')}

/** Messages of TypeErrors, by the numbers that the engine reports. */
export const argumentErrors: readonly string[] = [
${seam.argumentErrors.map(({ message }) => `  ${quoted(message)},`).join('\n')}
]

/** Numbers of argument errors, by name. */
export const argumentErrorNumbers = {
${seam.argumentErrors.map(({ name }, number) => `  ${camel(name)}: ${number},`).join('\n')}
} as const
`

const tableModule = `${notice}

export type InputKind = ${Object.keys(inputKinds)
  .map((kind) => `'${kind}'`)
  .join(' | ')}
export type AnswerKind = ${Object.keys(answers)
  .map((kind) => `'${kind}'`)
  .join(' | ')}

/** Every function, at its number, for builds whose functions are called by number. */
export const seamFunctions: readonly {
  readonly name: string
  readonly inputs: readonly InputKind[]
  readonly answer: AnswerKind
}[] = [
${seam.functions
  .map(({ name, inputs, answer }) => {
    const kinds = inputs.map((kind) => `'${kind}'`).join(', ')
    const row = `  { name: '${camel(name)}', inputs: [${kinds}], answer: '${answer}' },`
    if (row.length <= 100) return row
    return `  {\n    name: '${camel(name)}',\n    inputs: [${kinds}],\n    answer: '${answer}',\n  },`
  })
  .join('\n')}
]
`

function reader(record, { name, type, word }) {
  const position = positionOf(record, word)
  const [returned, expression] = {
    u32: ['number', `words[${position}]!`],
    i64: ['bigint', record.isItem ? `values[${halfOf(position)}]!` : unlessZero(record, word)],
    u64: ['bigint', `BigInt.asUintN(64, values[${halfOf(position)}]!)`],
  }[type]
  const parameter = record.isItem ? 'at: number' : ''
  const line = `export const ${camel(record.name)}${pascal(name)} = (${parameter}): ${returned} =>`
  return line.length + expression.length < 100
    ? `${line} ${expression}`
    : `${line}\n  ${expression}`
}

/** Avoids allocating a bigint for zero, the common value of a field that occurs once. */
function unlessZero(record, word) {
  const low = positionOf(record, word)
  const high = positionOf(record, word + 1)
  return `((words[${low}]! | words[${high}]!) === 0 ? 0n : values[${halfOf(low)}]!)`
}

/** Returns a literal, because V8 folds no imported constant. */
function positionOf(record, word) {
  if (!record.isItem) return String(word + 4)
  return word === 0 ? 'at' : `at + ${word}`
}

function halfOf(position) {
  if (/^\d+$/.test(position)) return String(position / 2)
  return position === 'at' ? 'at >> 1' : `(${position}) >> 1`
}

function writer(record) {
  const name = pascal(record.name)
  const fields = visible(record)
  const lines = fields.map(({ name: field, type, word }) => {
    const position = positionOf(record, word)
    const target = type === 'u32' ? `words[${position}]` : `values[${halfOf(position)}]`
    return `  ${target} = fields.${camel(field)}`
  })
  const parameters = `${record.isItem ? 'at: number, ' : ''}fields: ${name}`
  return `/** ${record.doc} */
export interface ${name} {
${fields.map(({ name: field, type }) => `  readonly ${camel(field)}: ${type === 'u32' ? 'number' : 'bigint'}`).join('\n')}
}

export function write${name}(${parameters}): void {
${lines.join('\n')}
}`
}

/** Records without readers: transaction-lists.ts reads the first two itself, and nothing reads a tree's. */
const unread = ['input', 'output', 'tree']

const recordsModule = `${notice}

import { values, words } from './call.ts'

// \`at\` is the first word of a record, where there may be several records.

${seam.records
  .flatMap((record) => [
    ...(['in', 'engine'].includes(record.direction) || unread.includes(record.name)
      ? []
      : [
          `// ${record.doc}\n${visible(record)
            .map((field) => reader(record, field))
            .join('\n')}`,
        ]),
    ...(['in', 'both'].includes(record.direction) ? [writer(record)] : []),
  ])
  .join('\n\n')}
`

/** Names the inputs of a function; the second input of a kind is called `more…`. */
function inputNames(inputs) {
  return inputs.map((kind, index) => {
    const isRepeated = inputs.indexOf(kind) !== index
    return isRepeated ? `more${pascal(kind)}` : kind
  })
}

function signature(opening, parameters, closing) {
  const line = `${opening}(${parameters.join(', ')})${closing}`
  if (line.length <= 100) return line
  const indent = /^ */.exec(opening)[0]
  return `${opening}(\n${parameters.map((one) => `${indent}  ${one},`).join('\n')}\n${indent})${closing}`
}

const nativeModule = `${notice}

/** Coins that the native core keeps between selections, until this object is collected. */
export type NativeCoinIndex = object & { readonly nativeCoinIndex: never }

/** A verification that was done on other threads. */
export type NativeVerification = object & { readonly nativeVerification: never }

/**
 * The native core: it takes strings and typed arrays, and returns words and text. Nothing here is of
 * Node-API, so that both builds of the core can implement it. Only src/engine calls it.
 *
 * A function that returns \`undefined\` failed; words 0 to 2 of the scratch hold the reason.
 */
export interface NativeEngine {
  readonly abi: number
  /** True in the addon. No other build may be given a private key. */
  readonly takesKeys?: boolean
  /**
   * Allocates the words that later calls read and write, and calls \`moved\` when a build whose
   * memory moves has put them elsewhere.
   */
  makeScratch(count: number, moved: (words: Uint32Array) => void): Uint32Array
  /** Returns the answer of the last call, which did not fit the scratch. */
  takeAnswer(): string | undefined
${seam.functions
  .map(({ name, inputs, answer }) => {
    const names = inputNames(inputs)
    const parameters = inputs.map((kind, index) => `${names[index]}: ${inputKinds[kind]}`)
    return signature(`  ${camel(name)}`, parameters, `: ${answers[answer]} | undefined`)
  })
  .join('\n')}
}

/** The hash of the words and functions that this code understands. */
export const engineAbi = 0x${seam.abi.toString(16).padStart(8, '0')}
`

/** Functions whose callers refine the places of errors. */
const located = `add_coins create_coin_index decode_transaction encode_transaction encode_trees
  remove_coins select_coins select_indexed select_transfer signature_hash signature_hashes
  signature_preimage start_verification transaction_id verify_inputs verify_signature`.split(/\s+/)

/** Breaks a line that is too long, as the formatter does. */
function returned(expression, broken) {
  const line = `  return ${expression}`
  return line.length <= 100 ? line : `  return ${broken(expression)}`
}

function wrapper({ name, inputs, answer, words, doc }) {
  const names = inputNames(inputs)
  const texts = names.filter((_, index) => ['source', 'hex'].includes(inputs[index]))
  const parameters = inputs.map((kind, index) => `${names[index]}: ${inputKinds[kind]}`)
  if (words !== undefined) parameters.push(`${camel(words)}: records.${pascal(words)}`)
  const isLocated = located.includes(name)
  if (isLocated) parameters.push('locate?: Locate')
  const refused = `([${texts.join(', ')}]${isLocated ? ', locate' : ''})`
  const call = `native.${camel(name)}(${names.join(', ')})`
  const checks = ['answer !== undefined', ...texts.map((text) => `isReadable(${text})`)].join(
    ' && ',
  )
  return [
    `/** ${doc} */`,
    signature(`export function ${camel(name)}`, parameters, `: ${answers[answer]} {`),
    ...(words === undefined ? [] : [`  records.write${pascal(words)}(${camel(words)})`]),
    ...(answer !== 'text'
      ? [
          `  const answer = ${call}`,
          `  if (${checks}) return answer`,
          `  throw failureOf${refused}`,
        ]
      : texts.length === 0
        ? [returned(`${call} ?? recover${refused}`, (whole) => `(\n    ${whole}\n  )`)]
        : [
            `  const answer = ${call}`,
            returned(`${checks} ? answer : recover${refused}`, (whole) =>
              whole.replace(/ (?=[?:] )/g, '\n    '),
            ),
          ]),
    '}',
  ].join('\n')
}

const callsModule = `${notice}

import { failureOf, isReadable, type Locate, native, recover } from './call.ts'
import type { NativeCoinIndex, NativeVerification } from './native.ts'
import * as records from './records.ts'

// Every call of the native core; each returns a value or throws. \`locate\` refines the place of an
// error. Text is checked after the call, which has flattened it to one string.

${seam.functions.map(wrapper).join('\n\n')}
`

writeGenerated([
  ['native/seam/words.h', wordsHeader],
  ['native/seam/functions.h', functionsHeader],
  ['src/engine/words.ts', wordsModule],
  ['src/engine/records.ts', recordsModule],
  ['src/engine/native.ts', nativeModule],
  ['src/engine/calls.ts', callsModule],
  ['src/engine/table.ts', tableModule],
])
