// Reads and checks the single values of a policy file.

import type { AntaraError } from '../../errors/antara-error.ts'
import { didYouMean } from '../../primitives/closest.ts'
import { isJsonObject, isLosslessNumber, type JsonValue } from '../../primitives/json.ts'
import type { Path, PolicyFaults } from './policy-error.ts'

/** Checks values of one policy file. Every error names the line, the column and the path. */
export class ValueReader {
  readonly #faults: PolicyFaults

  constructor(faults: PolicyFaults) {
    this.#faults = faults
  }

  fault(path: Path, expected: string, value: unknown): AntaraError {
    return this.#faults.at(path, expected, value)
  }

  /** Reads an object without unknown members. */
  object(
    value: JsonValue,
    path: Path,
    known: readonly string[],
    expected = 'an object',
  ): Readonly<Record<string, JsonValue>> {
    if (!isJsonObject(value)) throw this.fault(path, expected, value)
    const unknown = Object.keys(value).find((name) => !known.includes(name))
    if (unknown === undefined) return value
    const meant = didYouMean(unknown, known)
    const only = meant === '' ? `only ${known.join(', ')}` : `a known member${meant}`
    throw this.fault([...path, unknown], only, unknown)
  }

  items(value: JsonValue, path: Path, named: string): readonly JsonValue[] {
    if (Array.isArray(value)) return value
    throw this.fault(path, `a list of ${named}`, value)
  }

  string(value: JsonValue, path: Path): string {
    if (typeof value === 'string') return value
    throw this.fault(path, 'a string', value)
  }

  flag(value: JsonValue, path: Path): boolean {
    if (typeof value === 'boolean') return value
    throw this.fault(path, 'true or false', value)
  }

  integer(value: JsonValue, path: Path, min: number, max: number): number {
    const digits = isLosslessNumber(value) && /^[0-9]{1,9}$/.test(value.value) ? value.value : ''
    if (digits !== '' && Number(digits) >= min && Number(digits) <= max) return Number(digits)
    throw this.fault(path, `a whole number from ${min} to ${max}`, value)
  }

  /** Returns the digits of an amount. Both a text and a number give them exactly. */
  digits(value: JsonValue, path: Path, expected: string): string {
    if (typeof value === 'string') return value
    if (isLosslessNumber(value)) return value.value
    throw this.fault(path, expected, value)
  }
}
