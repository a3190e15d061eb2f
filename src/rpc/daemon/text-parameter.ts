// Kinds of parameters that the daemon reads as text: words of a list, and other values in a text.

import { argumentError } from '../../primitives/arguments.ts'
import { stringifyJson } from '../../primitives/json.ts'
import { type Parameter, uint32 } from './parameter.ts'

export function wordOf(...words: readonly string[]): Parameter {
  return {
    form: 'text',
    write(value, name) {
      if (words.includes(value as string)) return value
      throw argumentError(name, words.join(' or '), value)
    },
  }
}

/** Converts a parameter to text, for methods that read nothing else. */
export function asText(parameter: Parameter): Parameter {
  return {
    ...parameter,
    write(value, name) {
      const written = parameter.write(value, name)
      return typeof written === 'object' ? stringifyJson(written) : String(written)
    },
  }
}

/** A height, which the daemon reads as text. */
export const heightText: Parameter = asText(uint32)
