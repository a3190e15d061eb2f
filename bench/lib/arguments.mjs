import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * @typedef {import('node:util').ParseArgsOptionsConfig} Options
 * @typedef {Record<string, any>} Values
 */

/**
 * Reads the arguments of a program. Its first comment is its help. Ends the process after the help,
 * and with status 1 after the message of an error, before anything is measured.
 *
 * @template T
 * @param {string} program its `import.meta.url`
 * @param {(positionals: string[], values: Values) => T} [read] throws for a wrong argument
 * @param {{ most?: number, options?: Options }} [expected] `most` counts the positionals
 * @returns {T}
 */
export function readArguments(
  program,
  read = () => /** @type {T} */ (undefined),
  { most = 0, options = {} } = {},
) {
  const path = fileURLToPath(program)
  const help = helpOf(readFileSync(path, 'utf8'))
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    if (positionals.length > most) throw new RangeError(`unexpected argument: ${positionals[most]}`)
    return read(positionals, values)
  } catch (error) {
    const usage = help.match(/^ {2}.*/gm)?.join('\n')
    process.stderr.write(`${basename(path)}: ${/** @type {Error} */ (error).message}\n${usage}\n`)
    process.exit(1)
  }
}

/** @param {string} source */
function helpOf(source) {
  const lines = source.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  return lines
    .slice(0, end)
    .map((line) => `${line.replace(/^\/\/ ?/, '')}\n`)
    .join('')
}

/**
 * Reads a whole number that a program got as an argument.
 *
 * @param {string} name as the usage has it
 * @param {string | undefined} text
 * @param {{ least: number, otherwise?: number }} options `otherwise` is used if the argument is absent
 * @returns {number}
 */
export function wholeNumber(name, text, { least, otherwise = Number.NaN }) {
  const value = text === undefined ? otherwise : Number(text)
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new RangeError(`${name}: expected a whole number from ${least}, got ${text}`)
}

/**
 * Reads the only argument of a program, a count.
 *
 * @param {string} program its `import.meta.url`
 * @param {string} name
 * @param {number} otherwise
 */
export function readCount(program, name, otherwise) {
  return readArguments(program, ([text]) => wholeNumber(name, text, { least: 1, otherwise }), {
    most: 1,
  })
}
