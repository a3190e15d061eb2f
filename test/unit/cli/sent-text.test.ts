// The result of a payment as `antara-tx wallet` prints it: it names only what the command takes.

import { expect, test } from 'vitest'
import type { ParsedArguments } from '../../../src/cli/command.ts'
import type { WalletCall } from '../../../src/cli/sending.ts'
import { printSent } from '../../../src/cli/sent-text.ts'
import { finding } from '../../../src/request/finding.ts'
import type { Sent } from '../../../src/wallet/send-result.ts'

const report = { ok: true, hex: '', effects: [], findings: [finding('payee_module_key', 'to')] }
const results = {
  warned: { status: 'declined', held: 'warned', report },
  unverified: {
    status: 'uncertain',
    held: 'rejected',
    txid: 'ab'.repeat(32),
    report: {
      ...report,
      ok: false,
      findings: [finding('native_change_destination', 'outputs[1]')],
    },
  },
  expired: {
    status: 'uncertain',
    held: 'rejected',
    txid: 'ab'.repeat(32),
    report: { ...report, ok: false, findings: [finding('expired', 'expiryHeight')] },
  },
  uncertain: { status: 'uncertain', txid: 'ab'.repeat(32), error: new Error('lost'), report },
} as const

/** Prints a result of a command line. */
function printed(sent: keyof typeof results, action: string, ...flags: readonly string[]): string {
  let text = ''
  const parsed = { positionals: [action], flags: new Set(flags), options: new Map() }
  const terminal = { print: (more: string) => (text += more) }
  const call = { parsed: parsed as unknown as ParsedArguments, terminal }
  printSent(results[sent] as unknown as Sent, call as unknown as WalletCall)
  return text
}

test('a merge in several transactions is not told to add the options that it refuses', () => {
  expect(printed('warned', 'merge', 'all', 'yes')).toMatch(/held for payee_module_key\.\n$/)
  const uncertain = printed('uncertain', 'merge', 'all', 'yes')
  expect(uncertain).toMatch(/antara-tx wallet resume\n$/)
  expect(uncertain).not.toContain('--id')
})

test('a single payment is told of them', () => {
  expect(printed('warned', 'merge', 'yes')).toContain('--allow payee_module_key')
  expect(printed('uncertain', 'merge', 'yes')).toContain('without --id')
})

test('a payment that the key cannot verify is not told to be repeated as it is', () => {
  const text = printed('unverified', 'send', 'yes')
  expect(text).toContain('Repeat the payment with all keys\nof the wallet that made it.')
  expect(text).not.toMatch(/wallet resume|same command/)
  expect(printed('expired', 'send', 'yes')).toContain('antara-tx wallet resume')
})
