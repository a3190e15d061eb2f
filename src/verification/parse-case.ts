import { requireString } from '../primitives/arguments.ts'
import { height, malformed, object, parseJson, string, strings } from '../primitives/json-fields.ts'
import { type Case, type Evidence, evidenceMembers, type OperationName } from '../request/case.ts'
import { readAmounts, readHeights, readIntent } from '../request/members.ts'
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
    ...evidenceMembers,
    'note',
  ])
  const network = readNetwork(root.network)
  const evidence: Evidence = {
    previousTransactions: strings(root.previousTransactions ?? [], 'previousTransactions'),
    ...(root.tokenCreate !== undefined && { tokenCreate: string(root.tokenCreate, 'tokenCreate') }),
    ...(root.tipHeight !== undefined && { tipHeight: height(root.tipHeight, 'tipHeight') }),
    ...(root.tipTime !== undefined && { tipTime: height(root.tipTime, 'tipTime') }),
    ...(root.medianTime !== undefined && { medianTime: height(root.medianTime, 'medianTime') }),
    ...(root.heights !== undefined && { heights: readHeights(root.heights) }),
    ...(root.amounts !== undefined && { amounts: readAmounts(root.amounts) }),
  }
  const hex = string(root.hex, 'hex')
  const { operation } = root
  if (!isOperation(operation)) throw malformed('operation', operationNames, operation)
  return caseOf(operation, root.intent)

  function caseOf<Name extends OperationName>(name: Name, given: unknown): Case<Name> {
    const intent = readIntent(given, operations[name].members, network)
    return { operation: name, hex, evidence, intent } as Case<Name>
  }
}
