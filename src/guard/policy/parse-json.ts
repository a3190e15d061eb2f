import { JsonFaultError, type JsonValue } from '../../primitives/json.ts'
import { parseJsonSteps } from '../../primitives/json-steps.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import { finish } from '../../primitives/steps.ts'
import type { PolicyFaults } from './policy-error.ts'

/** Largest policy file: thousands of recipients fit. */
const textCharactersMax = 4_000_000

/** Reads JSON strictly: two readers must not take two meanings from one file. */
export function parsePolicyJson(text: string, faults: PolicyFaults): JsonValue {
  if (text.length > textCharactersMax) {
    throw faults.ofText(`at most ${textCharactersMax} characters`, 'more', undefined)
  }
  if (text.startsWith('\uFEFF')) throw faults.ofText('JSON', 'a byte order mark', 0)
  try {
    return finish(parseJsonSteps(text))
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error
    const [, position] = /position (\d+)$/.exec(error.message) ?? []
    const at = position === undefined ? undefined : Number(position)
    throw faults.ofText('JSON', wordsOf(error, at === text.length), at)
  }
}

function wordsOf({ fault, message }: JsonFaultError, isAtEnd: boolean): string {
  if (fault === 'duplicate_member') {
    const [, name = ''] = /^Duplicate key '(.*)' at/s.exec(message) ?? []
    return `${redactKey(name)} given twice`
  }
  if (fault === 'nested_too_deep') return 'values nested too deep'
  if (fault === 'not_json') return isAtEnd ? 'the end of the file' : 'something else'
  return 'a text that two readers could take differently'
}
