import { AntaraError } from '../../errors/antara-error.ts'
import { kindOf } from '../../primitives/arguments.ts'
import { isHex32 } from '../../primitives/hex-forms.ts'
import { isLosslessNumber } from '../../primitives/json.ts'
import { lineAndColumn, pathText, placesOf } from '../../primitives/json-places.ts'
import { printable } from '../../primitives/printable.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import { utf8Length } from '../../primitives/utf8.ts'

export type Path = readonly (string | number)[]

/** Makes the errors of one policy file, each with its line and column. */
export class PolicyFaults {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** Returns the error for a value that is not what its member requires. */
  at(path: Path, expected: string, value: unknown): AntaraError {
    const places = placesOf(this.#text)
    // A missing value has the place of the object that lacks it.
    let above = path
    while (above.length > 0 && !places.has(pathText(above))) above = above.slice(0, -1)
    const shown = pathText(path.map(withoutKey)) || 'policy'
    return this.#error(shown, expected, brief(value), places.get(pathText(above)))
  }

  /** Returns the error for text that is not JSON. */
  ofText(expected: string, actual: string, position: number | undefined): AntaraError {
    return this.#error('policy', expected, actual, position)
  }

  #error(path: string, expected: string, actual: string, position?: number): AntaraError {
    if (position === undefined)
      return new AntaraError('malformed_policy', { path, expected, actual })
    const offset = utf8Length(this.#text.slice(0, position))
    const where = `${actual} in ${lineAndColumn(this.#text, position)}`
    return new AntaraError('malformed_policy', { offset, path, expected, actual: where })
  }
}

/** Redacts the name of a member that may be a private key. A tokenid has the form of one too. */
function withoutKey(step: string | number): string | number {
  return typeof step === 'number' || isHex32(step) ? step : redactKey(step)
}

const briefLength = 80

function brief(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (isLosslessNumber(value)) return value.value.slice(0, briefLength)
  if (typeof value !== 'string') return kindOf(value)
  return `'${printable(redactKey(value)).slice(0, briefLength)}'`
}
