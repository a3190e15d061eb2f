import { describe, expect, test } from 'vitest'

import { byteErrors } from '../../../src/cli/explain/byte-errors.ts'
import { allExplained } from '../../../src/cli/explain/explanations.ts'
import { headerFindings } from '../../../src/cli/explain/header-findings.ts'
import { heldPayments } from '../../../src/cli/explain/held-payments.ts'
import { inputFindings } from '../../../src/cli/explain/input-findings.ts'
import { orderFindings } from '../../../src/cli/explain/order-findings.ts'
import { otherErrors } from '../../../src/cli/explain/other-errors.ts'
import { outputFindings } from '../../../src/cli/explain/output-findings.ts'
import { policyRules } from '../../../src/cli/explain/policy-rules.ts'
import { proofRules } from '../../../src/cli/explain/proof-rules.ts'
import { requestFindings } from '../../../src/cli/explain/request-findings.ts'
import { serverFailures } from '../../../src/cli/explain/server-failures.ts'
import { signingErrors } from '../../../src/cli/explain/signing-errors.ts'
import { tokenErrors } from '../../../src/cli/explain/token-errors.ts'
import { nextSteps } from '../../../src/verification/next-steps.ts'
import { runCommand as antaraTx } from '../../support/cli.ts'
import { textOf } from '../../support/files.ts'

describe('explain', () => {
  test('prints cause, example and remedy of an error', async () => {
    const { status, output } = await antaraTx(['explain', 'truncated'])
    expect(status).toBe(0)
    expect(output).toMatch(
      /^truncated \(error\)\nMeaning {2}input ended inside a field\nCause {4}.+\nExample {2}.+\nRemedy {3}.+\n\ntruncated \(finding, reject\)\n/,
    )
  })

  test('prints the next step of a warning as its remedy', async () => {
    const { output } = await antaraTx(['explain', 'expiry_not_checked'])
    expect(output).toContain('expiry_not_checked (finding, warn)\n')
    expect(output).toContain('Remedy   Take tipHeight from a server that you trust.\n')
  })

  test('knows the failures of servers', async () => {
    const { output } = await antaraTx(['explain', 'unauthorized'])
    expect(output).toContain('unauthorized (failure of a server)\n')
  })

  test.each([
    ['held', 'held (result of a payment)'],
    ['needs-merge', 'needs-merge (result of a payment)'],
    ['coins.perPayment', 'coins.perPayment (rule of a policy)'],
    ['users.alice.coins.perDay', 'coins.perDay (rule of a policy)'],
    [`users.alice.tokens.${'ab'.repeat(32)}.perHour`, 'tokens.perHour (rule of a policy)'],
    [`tokens.${'ab'.repeat(32)}.price.min`, 'tokens.price (rule of a policy)'],
  ])('knows %s, which results and refusals print', async (code, first) => {
    const { status, output } = await antaraTx(['explain', code])
    expect([status, output.split('\n')[0]]).toEqual([0, first])
  })

  test('suggests a rule of a policy for one that is misspelt', async () => {
    const { errors } = await antaraTx(['explain', 'coins.perpayment'])
    expect(errors).toContain('did you mean coins.perPayment?')
  })

  test('lists every code without one, and as JSON', async () => {
    const { output } = await antaraTx(['explain'])
    expect(output.split('\n')).toHaveLength(allExplained().length + 1)
    const json = await antaraTx(['explain', '--json'])
    expect(JSON.parse(json.output)).toHaveLength(allExplained().length)
  })

  test('suggests a code for a mistyped one, and repeats no key', async () => {
    const { status, errors } = await antaraTx(['explain', 'trunkated'])
    expect([status, errors]).toEqual([64, expect.stringContaining('did you mean truncated?')])
    const wif = 'UvjcKkRdQHJdTjx5JstAUv9TZYcQ4UyP7qDxqfXyKnBrwzbD9wCg'
    expect((await antaraTx(['explain', wif])).errors).not.toContain(wif)
  })
})

describe.each([
  ['rule of a proof', 'src/token/rules/rules.ts', 'ProofRule'],
  ['finding about headers', 'src/block/header-chain.ts', 'HeaderFindingCode'],
])('each %s', (kind, file, type) => {
  const text = textOf(file)
  const union = text.slice(text.indexOf(`export type ${type}`)).split('\n\n')[0]!
  const named = [...union.matchAll(/\| '([a-z_]+)'/g)].map(([, code]) => code!)

  test('has an explanation, and no code outside the type has one', () => {
    expect(named.length).toBeGreaterThan(7)
    const explained = allExplained().filter((one) => one.kind === kind)
    expect(explained.map(({ code }) => code).sort()).toEqual(named.sort())
  })

  test('is known by its code', async () => {
    for (const code of named) {
      const { status, output } = await antaraTx(['explain', code])
      expect([status, output]).toEqual([0, expect.stringContaining(`${code} (${kind})`)])
    }
  })
})

const runnable = allExplained().filter(({ example }) => example.startsWith('antara-tx '))

const tables: readonly object[] = [
  byteErrors,
  headerFindings,
  heldPayments,
  inputFindings,
  orderFindings,
  otherErrors,
  outputFindings,
  policyRules,
  proofRules,
  requestFindings,
  serverFailures,
  signingErrors,
  tokenErrors,
]

test('each text has a cause, an example and a remedy, each on one line', () => {
  for (const [code, text] of tables.flatMap((table) => Object.entries(table))) {
    const lines = text.split('\n').length
    // The remedy of a finding that leaves the decision to a person is in `nextSteps`.
    expect(Object.hasOwn(nextSteps, code) ? [2, 3] : [3], code).toContain(lines)
  }
})

test('there are examples to run', () => {
  expect(runnable.length).toBeGreaterThan(15)
})

test.each(runnable)('the example of $code ($kind) has this code', async ({ code, example }) => {
  const args = example.split(' ').slice(1)
  const { output, errors } = await antaraTx(args)
  expect(output + errors).toMatch(new RegExp(`\\b${code}\\b`))
})
