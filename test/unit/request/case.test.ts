// An unsigned transaction on its way to the machine that signs it: whatever of it is changed,
// nothing is signed that does anything else than was asked.

import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  buildTokenCreate,
  buildTokenTransfer,
  type Case,
  decodeTransaction,
  decodeWif,
  encodeTransaction,
  formatCase,
  isVerifiedTransaction,
  networks,
  parseCase,
  scriptOfAddress,
  signCase,
  transactionId,
  verifyCase,
} from '../../../src/index.ts'
import { verifyCaseAsync } from '../../../src/verification/case.ts'
import { lacksOnlySignatures } from '../../../src/verification/case-signing.ts'
import { verifyOnDemand } from '../../../src/verification/on-demand.ts'
import { textOf } from '../../support/files.ts'
import { keys } from '../../support/komodod.ts'
import { refusalOf } from '../../support/refusal.ts'

interface File {
  operation: string
  network?: unknown
  intent: Record<string, unknown>
  hex: string
  previousTransactions: string[]
  tokenCreate?: string
  tipHeight?: number
}

const key = textOf('examples/throw-away-key.txt').trim()
const requestOf = (name: string) => {
  const { note: _, ...request } = JSON.parse(textOf(`examples/${name}-request.json`))
  return request
}
const created = requestOf('create')
const transfer = formatCase(buildTokenTransfer(requestOf('transfer')))
const create = formatCase(buildTokenCreate(created))
const madeBy = (name: string): string => JSON.parse(textOf(`examples/${name}.json`)).hex

function changed(text: string, change: (file: File) => void): string {
  const file: File = JSON.parse(text)
  change(file)
  return JSON.stringify(file)
}

/** The transaction of a file with fields changed, still unsigned. */
function rebuilt(change: (outputs: { value: bigint; script: string }[]) => void) {
  return (file: File): void => {
    const { inputs, outputs, ...rest } = decodeTransaction(file.hex)
    const made = outputs.map((output) => ({ ...output }))
    change(made)
    file.hex = encodeTransaction({ ...rest, inputs, outputs: made })
  }
}

test.each([
  ['transfer', transfer],
  ['create', create],
])('a %s that nobody touched is signed as komodod signed it', (name, text) => {
  const unsigned = verifyCase(parseCase(text))
  expect(unsigned.ok).toBe(false)
  expect(unsigned.findings.filter(({ severity }) => severity === 'reject')).not.toEqual([])
  const report = signCase(parseCase(text), [key])
  expect(report).toMatchObject({ ok: true, hex: madeBy(name) })
  expect(isVerifiedTransaction(report.verified)).toBe(true)
  expect(signCase({ ...parseCase(text), hex: report.hex }, [])).toEqual(report)
})

test('a case may give the creation of the token alone, and is signed', () => {
  const text = changed(transfer, (file) => {
    const { tokenid } = file.intent
    expect(decodeTransaction(file.hex).inputs.map(({ txid }) => txid)).toContain(tokenid)
    const isCreation = (hex: string) => transactionId(hex) === tokenid
    file.tokenCreate = file.previousTransactions.find(isCreation)!
    file.previousTransactions = file.previousTransactions.filter((hex) => !isCreation(hex))
  })
  expect(signCase(parseCase(text), [key])).toMatchObject({ ok: true, hex: madeBy('transfer') })
  const nonsense = changed(text, (file) => (file.tokenCreate = '00'))
  const { ok, findings } = signCase(parseCase(nonsense), [key])
  expect(ok).toBe(false)
  expect(findings.map(({ code }) => code)).toContain('token_create_malformed')
})

test('a case without the right key stays unsigned', () => {
  const report = signCase(parseCase(transfer), ['11'.repeat(32)])
  expect(report).toMatchObject({ ok: false, hex: JSON.parse(transfer).hex })
  const signed = signCase(parseCase(transfer), [key])
  for (const { hex } of [report, signed]) {
    const given = { ...parseCase(transfer), hex }
    expect(refusalOf(() => signCase(given, ['no key'])).code).toBe('malformed_private_key')
  }
})

test('an operation that there is not is a mistake', async () => {
  const given = { ...parseCase(transfer), operation: 'toString' } as unknown as Case
  const reported = /^operation: expected .*tokentransfer/
  expect(() => verifyCase(given)).toThrow(TypeError)
  expect(() => verifyCase(given)).toThrow(reported)
  for (const verify of [verifyCaseAsync, verifyOnDemand]) {
    await expect(verify(given, {})).rejects.toThrow(TypeError)
    await expect(verify(given, {})).rejects.toThrow(reported)
  }
})

test('lacksOnlySignatures is true only for a right case without signatures', () => {
  const lacks = (file: string, keysGiven: string[]) =>
    lacksOnlySignatures(signCase(parseCase(file), keysGiven))
  expect(lacks(transfer, [])).toBe(true)
  expect(lacks(transfer, [key])).toBe(false)
  expect(
    lacks(
      changed(transfer, (it) => (it.intent.amount = '99')),
      [],
    ),
  ).toBe(false)
})

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test.each([key, decodeWif(key, networks.assetChain).privateKey])(
  'a private key in place of a public one is told by no error and no finding',
  (secret) => {
    const places = [
      { from: secret },
      { recipients: [{ pubkey: secret, amount: 1n }] },
      { recipients: [{ pubkey: secret, amount: 1n }], burn: true },
    ]
    for (const place of places) {
      const reported = thrownBy(() => buildTokenTransfer({ ...requestOf('transfer'), ...place }))
      expect(inspect(reported)).toContain('may be a private key')
      expect(inspect(reported)).not.toContain(secret)
    }
    expect(inspect(thrownBy(() => scriptOfAddress(secret, networks.komodo)))).not.toContain(secret)
    for (const member of ['from', 'destination']) {
      const report = verifyCase(parseCase(changed(transfer, (it) => (it.intent[member] = secret))))
      expect(inspect(report)).toContain('intent_pubkey')
      expect(inspect(report).toLowerCase()).not.toContain(secret.toLowerCase())
    }
  },
)

const others = keys.C.pubkey
const tampered: [string, string, (file: File) => void, string][] = [
  ['another tokenid', transfer, (it) => (it.intent.tokenid = 'ab'.repeat(32)), 'tokenid'],
  ['another destination', transfer, (it) => (it.intent.destination = others), 'destination'],
  ['another amount', transfer, (it) => (it.intent.amount = '99'), 'amount'],
  ['another sender', transfer, (it) => (it.intent.from = others), 'unexpected_input'],
  ['a burn that is none', transfer, (it) => (it.intent.burn = true), 'intent_not_burn'],
  ['a higher fee', transfer, (it) => (it.intent.fee = '10001'), 'fee_too_low'],
  ['a lower bound', transfer, (it) => (it.intent.maxFee = '9999'), 'intent_fee'],
  ['another name', create, (it) => (it.intent.name = 'TESTC0IN'), 'name'],
  ['another supply', create, (it) => (it.intent.supply = '1001'), 'supply'],
  ['another description', create, (it) => (it.intent.description = ''), 'description'],
  ['data', create, (it) => Object.assign(it.intent, { data: 'f100', supply: '1' }), 'data'],
  ['another owner', create, (it) => (it.intent.owner = others), 'owner'],
  ['another chain', transfer, (it) => (it.network = 'tokel'), 'nulldata_layout'],
  ['a chain without tokens', create, (it) => (it.network = 'komodo'), 'intent_network'],
  ['a later tip', transfer, (it) => (it.tipHeight = 213), 'expired'],
  ['no previous transactions', create, (it) => (it.previousTransactions = []), 'prevout_missing'],
  [
    'a previous transaction that pays more',
    create,
    (it) => {
      it.previousTransactions = it.previousTransactions.map((hex) =>
        hex.replace('00e1f505', '00e1f506'),
      )
    },
    'prevout_missing',
  ],
  [
    'another creation',
    transfer,
    (it) => (it.tokenCreate = it.previousTransactions[0]!),
    'token_create_malformed',
  ],
  [
    'native change to somebody else',
    transfer,
    rebuilt((outputs) => (outputs[2]!.script = `21${others}ac`)),
    'native_change_destination',
  ],
  ['native change that shrank', transfer, rebuilt((it) => (it[2]!.value -= 1n)), 'fee_with_change'],
  ['token change that shrank', transfer, rebuilt((it) => (it[1]!.value -= 1n)), 'token_change'],
  [
    'a payment to somebody else',
    create,
    rebuilt((outputs) => {
      outputs[2]!.value -= 5000n
      outputs.splice(3, 0, { value: 5000n, script: `21${others}ac` })
    }),
    'unexpected_output',
  ],
  ['a marker elsewhere', create, rebuilt((it) => (it[0]!.script = `21${others}ac`)), 'marker'],
]

test.each(tampered)('refuses to sign after: %s', (_, text, change, code) => {
  const file = changed(text, change)
  const report = signCase(parseCase(file), [key])
  expect(report.ok).toBe(false)
  expect(report.findings.map((it) => it.code)).toContain(code)
  const { inputs } = decodeTransaction(report.hex)
  expect(inputs.map(({ scriptSig }) => scriptSig)).toEqual(inputs.map(() => ''))
})

describe('a file is refused', () => {
  const required = (text: string) => Object.keys(JSON.parse(text).intent)
  const optional = ['fee', 'maxFee', 'description', 'spendable']
  const cases: [string, string, (file: File) => void][] = [
    ...[transfer, create].flatMap((text) =>
      required(text)
        .filter((name) => !optional.includes(name))
        .map((name): [string, string, (file: File) => void] => [
          `without intent.${name}`,
          text,
          (file) => delete file.intent[name],
        ]),
    ),
    ['without a transaction', transfer, (file) => delete (file as { hex?: string }).hex],
    ['for another operation', transfer, (file) => (file.operation = 'tokencreate')],
    ['with a member that nobody knows', create, (file) => Object.assign(file, { spend: 'all' })],
    ['with a branch id', create, (file) => (file.network = { branchId: 1 })],
    ['with an amount as number', create, (file) => (file.intent.supply = 1000)],
    ['with an amount in fractions', create, (file) => (file.intent.supply = '1.5')],
  ]
  test.each(cases)('%s', (_, text, change) => {
    expect(refusalOf(() => parseCase(changed(text, change))).code).toBe('malformed_case')
  })

  test('a file with a member given twice, or that is not JSON, is refused at its byte', () => {
    const twice = refusalOf(() => parseCase(transfer.replace('{', '{"hex":"00",')))
    expect(twice.code).toBe('malformed_case')
    const cut = refusalOf(() => parseCase(transfer.slice(0, 100)))
    expect(cut).toEqual({ code: 'malformed_case', path: 'case', offset: 100 })
  })

  test.each([
    ['given twice, once in escapes', '"tipHeight":1,"tip\\u0048eight":2,'],
    ['given twice far below', '"note":[{"a":[{"b":{"c:\\"":1,"c:\\"":2}}]}],'],
    ['given twice, as an array and as an object', '"note":[1],"note":{"0":1},'],
    ['given twice, empty in two ways', '"note":[],"note":{},'],
    [
      'given twice, as a number and as its looks',
      '"note":{"isLosslessNumber":true,"value":"1"},"note":1,',
    ],
    [
      'given twice, once as the looks of a number',
      '"note":{"value":"1","isLosslessNumber":true},"note":[1],',
    ],
    ['given twice, digits of 1 with a fraction', '"note":1,"note":1.0,'],
    ['called __proto__', '"__proto__":{"hex":"00"},'],
    ['called __proto__ in escapes', '"note":{"__pro\\u0074o__":1},'],
    ['with half of a character', '"note":"\\ud800",'],
    ['with values nested too deep', `"note":${'['.repeat(200)}${']'.repeat(200)},`],
  ])('a file with a member %s is refused', (_, member) => {
    const refused = refusalOf(() => parseCase(transfer.replace('{', `{${member}`)))
    expect(refused).toMatchObject({ code: 'malformed_case', path: 'case' })
  })

  test.each([
    ['that only looks like two', '"note":"\\"hex\\":{\\"a\\":1,\\"a\\":2}\\\\",'],
    ['given twice the same', '"note":{"a":[1,{}]},"note":{"a":[1,{}]},'],
    [
      'given twice the same, in other words',
      '"note":{"a":[1,{}],"b":"c\\""},"no\\u0074e" : { "b":"\\u0063\\"", "a":[ 1 , { } ] },',
    ],
  ])('a file with a member %s is not refused', (_, member) => {
    expect(parseCase(transfer.replace('{', `{${member}`))).toEqual(parseCase(transfer))
  })
})
