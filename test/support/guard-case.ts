import { parseCase } from '../../src/verification/parse-case.ts'
import { textOf } from './files.ts'

/** A transfer that a real daemon built, with its request. */
export function readCase() {
  const { operation, hex, intent } = parseCase(textOf('examples/transfer.json'))
  if (operation !== 'tokentransfer') throw new Error('the example is another operation')
  return { hex, intent }
}
