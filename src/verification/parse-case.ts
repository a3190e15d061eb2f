import { requireString } from '../primitives/arguments.ts'
import { malformed, object, parseJson, string } from '../primitives/json-fields.ts'
import type { Case, OperationName } from '../request/case.ts'
import { type Evidence, evidenceTable } from '../request/evidence.ts'
import { readMembers } from '../request/form-table.ts'
import { readIntent } from '../request/members.ts'
import { readNetwork } from '../request/network.ts'
import { isOperation, operationNames, operations } from './operations/catalogue.ts'

/** The largest evidence has some thousands of strings. */
const valuesMax = 1 << 17

/**
 * Reads a case file, as `formatCase` writes it and the command line verifies and signs it.
 *
 * Amounts are decimal strings of token units or satoshis. Unknown members are rejected, and so are
 * members given twice with different values.
 *
 * @param text - JSON
 * @returns the operation, the hex, the intent and the evidence; amounts are bigint
 * @throws {AntaraError} `malformed_case`, naming the member, or the byte where the text is not JSON
 * @example
 * const { operation, hex, intent, evidence } = parseCase(text)
 * operation // 'tokentransfer'
 */
export function parseCase(text: string): Case {
  requireString(text, 'text')
  const root = object(parseJson(text, valuesMax), 'case', [
    'operation',
    'network',
    'intent',
    'hex',
    ...evidenceTable.names,
    'note',
  ])
  const network = readNetwork(root.network)
  const evidence = readMembers(root, evidenceTable) as unknown as Evidence
  const hex = string(root.hex, 'hex')
  const { operation } = root
  if (!isOperation(operation)) throw malformed('operation', operationNames, operation)
  return caseOf(operation, root.intent)

  function caseOf<Name extends OperationName>(name: Name, given: unknown): Case<Name> {
    const intent = readIntent(given, operations[name].members, network)
    return { operation: name, hex, evidence, intent } as Case<Name>
  }
}
