// Options and help of a command come from the tables of requests: a further member of a table is an
// option and a line of help without further work.

import { describe, expect, test } from 'vitest'

import { catalogue } from '../../../src/cli/catalogue.ts'
import { parseArguments } from '../../../src/cli/command.ts'
import { commandHelp } from '../../../src/cli/help.ts'
import { readOptions, requestOptions } from '../../../src/cli/request-options.ts'
import { createRequestForms } from '../../../src/request/create.ts'
import { member, optional } from '../../../src/request/form-table.ts'
import { count, flag, keySet, pubkey, texts, units } from '../../../src/request/forms.ts'
import { orderRequestForms } from '../../../src/request/order.ts'
import { consolidationForms, paymentRequestForms } from '../../../src/request/payment.ts'
import { termForms } from '../../../src/request/terms.ts'
import { transferForms, transferRequestForms } from '../../../src/request/transfer.ts'
import * as creation from '../../../src/wallet/requests/create.ts'
import * as merging from '../../../src/wallet/requests/merge.ts'
import * as trade from '../../../src/wallet/requests/order.ts'
import * as payments from '../../../src/wallet/requests/pay.ts'
import * as moves from '../../../src/wallet/requests/transfer.ts'
import { runCommand } from '../../support/cli.ts'

const forms = {
  maxFee: member('satoshis', units),
  from: member('your key', optional(pubkey)),
  burn: member('allow it', optional(flag)),
  maxInputs: member('inputs', optional(count)),
  ownKeys: member('keys', optional(texts('PUBKEY', 'ADDRESS'))),
  keys: member('a set', optional(keySet)),
}
const options = requestOptions(forms, { from: 'key' })
const read = (...args: string[]) =>
  readOptions(parseArguments(args, options), forms, { from: 'key' })

describe('options', () => {
  test('exist for every member that one word can say', () => {
    expect(options).toEqual([
      { name: 'max-fee', value: 'N', about: 'satoshis' },
      { name: 'key', value: 'PUBKEY', about: 'your key' },
      { name: 'burn', about: 'allow it' },
      { name: 'max-inputs', value: 'N', about: 'inputs' },
      { name: 'own-keys', value: 'PUBKEY,...', about: 'keys' },
    ])
  })

  test('are read as the members of a file are', () => {
    const all = ['--key=02ab', '--burn', '--max-inputs=3', '--own-keys=a,b', '--max-fee=5']
    expect(read(...all)).toEqual({
      ...{ maxFee: 5n, from: '02ab', burn: true, maxInputs: 3, ownKeys: ['a', 'b'] },
    })
    expect(read('--max-fee', '18446744073709551616')).toEqual({ maxFee: 2n ** 64n })
  })

  test.each([
    [[], /^--max-fee is missing: satoshis$/],
    [['--max-fee=-1'], /^--max-fee: /],
    [['--max-fee=1e3'], /^--max-fee: /],
    [['--max-fee='], /^--max-fee: /],
    [['--max-fee=1', '--max-inputs=1.5'], /^--max-inputs: /],
    [['--max-fee=1', '--max-inputs=4294967296'], /^--max-inputs: /],
    [['--max-fee=1', '--max-inputs=two'], /^--max-inputs: /],
  ])('%j is a usage error that names the option', (args, message) => {
    expect(() => read(...args)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(message) }),
    )
  })
})

test.each([
  ['send --to=X --satoshis=1 --price=1', '--price'],
  ['transfer --token=X --to=Y --units=1 --fee-rate=1000', '--fee-rate'],
  ['burn --token=X --to=Y --units=1', '--to'],
  ['merge --units=1', '--units'],
  ['merge --all --price=1', '--price'],
  ['cancel --order=X --allow-unenforced', '--allow-unenforced'],
  ['resume --fee=1', '--fee'],
])('wallet %s is refused before anything is opened', async (line, option) => {
  const { status, errors } = await runCommand(['wallet', ...line.split(' ')])
  expect(status).toBe(64)
  expect(errors).toContain(`${option} cannot be combined with ${line.split(' ')[0]}`)
})

const helpOf = async (name: string) =>
  commandHelp(name, await catalogue.find((entry) => entry.name === name)!.load())

describe('help', () => {
  test.each([
    ['transfer', [transferRequestForms]],
    ['create', [createRequestForms]],
    ['pay', [paymentRequestForms, consolidationForms]],
    ['order', Object.values(orderRequestForms)],
  ] as const)('help of %s names every member of a request', async (name, tables) => {
    const help = await helpOf(name)
    for (const [member, { isArgument }] of tables.flatMap((it) => Object.entries({ ...it }))) {
      if (isArgument === true) expect(help).not.toMatch(new RegExp(`^  ${member} `, 'm'))
      else expect(help).toMatch(new RegExp(`^  ${member} `, 'm'))
    }
  })

  test('help of transfer names an option for each member of the intent', async () => {
    const { tokenid: _, destination: _to, amount: _units, ...others } = transferForms
    const help = await helpOf('transfer')
    for (const { name } of requestOptions({ ...others, ...termForms })) {
      expect(help).toContain(`--${name}`)
    }
  })

  test('help of wallet names an option for each member of its requests', async () => {
    const tables = [creation, merging, trade, payments, moves].flatMap((it) => Object.values(it))
    expect(tables).toHaveLength(9)
    const help = await helpOf('wallet')
    const names = { tokenid: 'token', amount: 'units', supply: 'units' }
    const further = { ...names, allowUnenforcedPrice: 'allow-unenforced' }
    for (const { name } of tables.flatMap((it) => requestOptions(it, further))) {
      expect(help).toContain(`--${name}`)
    }
  })
})
