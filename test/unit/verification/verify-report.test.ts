// Verdicts as people and programs get them, word by word: what strangers chose is shown and never
// obeyed, and nothing is left out.

import { describe, expect, test } from 'vitest'

import {
  type Case,
  decodeTokenTransaction,
  defineNetwork,
  type Effect,
  type Evidence,
  type Finding,
  formatReport,
  type Network,
  networks,
  parseCase,
  type Report,
  reportToJson,
  transactionId,
  verifyCase,
} from '../../../src/index.ts'
import { conclude } from '../../../src/request/report.ts'
import { operations } from '../../../src/verification/operations/catalogue.ts'
import { reportLine } from '../../../src/verification/report-json.ts'
import { textOf } from '../../support/files.ts'
import { chainTransaction, keys } from '../../support/komodod.ts'
import { chain } from '../../support/vectors.ts'

const txid = '6fafa939e3f28db273771b5726873af4e3deecefe10ef71cc2d498ca6a7b8195'
const addressOfB = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'
const p2pkh = '76a9142eb23d67e8c0060d7110df869858be9471739b3b88ac'

const effect = (output: number, role: Effect['role'], value: bigint, script = p2pkh): Effect => {
  return { output, role, value, script, known: 'proven' }
}
const found = (severity: Finding['severity'], details: Partial<Finding> = {}): Finding => {
  return { code: 'amount', severity, path: 'outputs[0]', message: 'a message', ...details }
}

const agreed: Report = {
  ok: true,
  broadcast: 'yes',
  findings: [],
  operation: 'tokentransfer',
  fee: 10_000n,
  feeKnown: 'proven',
  txid,
  hex: '00',
  effects: [effect(0, 'destination', 100n), effect(3, 'nulldata', 0n, '6a00')],
}

describe('for people', () => {
  test('a report for people shows a transaction that agrees, without findings', () => {
    expect(
      formatReport(agreed),
    ).toBe(`AGREES: the transaction does what was asked (0 rejects, 0 warnings)
Safe to broadcast.

What the transaction does
  [0]              100  units to the destination  ${addressOfB}
  [3]       0.00000000  nulldata: names the token
  fee 0.00010000 (inputs minus outputs, proven)
  txid ${txid}

No findings
`)
  })

  test('a report for people shows a transaction that differs, with all findings', () => {
    const nothing = ''
    const findings = [
      found('warn'),
      found('reject', { expected: 1n, actual: '\u202e' }),
      found('info', { actual: 0n }),
      found('reject', { expected: nothing }),
    ]
    const { fee: _, ...unknown } = agreed
    const effects = [effect(1, 'unexpected', 7n), effect(2, 'unexpected', 1n, '51')]
    const report = { ...unknown, ok: false, feeKnown: 'missing', effects, findings } as const
    expect(
      formatReport(report),
    ).toBe(`REJECTED: do not broadcast this transaction (2 rejects, 1 warning)
Do not broadcast: a message; see antara-tx explain amount; 1 more reject below.

What the transaction does
  [1]       0.00000007  NOT ASKED FOR             ${addressOfB}
  [2]       0.00000001  NOT ASKED FOR             51
  fee unknown, an amount is missing
  txid ${txid}

Findings
  WARN   amount at outputs[0]: a message
  REJECT amount at outputs[0]: a message
         expected 1
         found    \\u{202e}
  INFO   amount at outputs[0]: a message
         found    0
  REJECT amount at outputs[0]: a message
         expected ${nothing}
`)
  })

  test('a report for people shows bytes that are not a transaction', () => {
    const report = { ...conclude([found('reject')]), hex: '', effects: [] }
    expect(formatReport(report).split('\n').slice(0, 6)).toEqual([
      'REJECTED: do not broadcast this transaction (1 reject, 0 warnings)',
      'Do not broadcast: a message; see antara-tx explain amount.',
      '',
      'What the transaction does',
      '  nothing: the hex is not a transaction',
      '',
    ])
  })

  test('a fee of which nothing is known', () => {
    const { fee: _, feeKnown: _known, ...rest } = agreed
    expect(formatReport(rest)).toContain('\n  fee unknown\n')
  })

  test.each<[string, readonly Finding[], string]>([
    ['a signature', [found('reject', { code: 'unsigned' })], 'UNSIGNED'],
    [
      'two',
      [found('reject', { code: 'unsigned' }), found('reject', { code: 'unsigned' })],
      'UNSIGNED',
    ],
    ['it, with a warning', [found('warn'), found('reject', { code: 'unsigned' })], 'UNSIGNED'],
    ['it and more', [found('reject', { code: 'unsigned' }), found('reject')], 'REJECTED'],
  ])('a report for people shows a case that lacks %s', (_, findings, word) => {
    expect(formatReport({ ...agreed, ok: false, findings }).startsWith(`${word}: `)).toBe(true)
  })

  test('colors of terminals, where they are asked for', () => {
    const findings = [found('reject'), found('warn'), found('info')]
    const effects = [effect(0, 'unexpected', 1n), effect(1, 'destination', 2n)]
    const shown = (report: Report) => formatReport(report, { color: true }).split('\n')
    const [bold, red, green, yellow, dim, end] = [1, 31, 32, 33, 2, 0].map((n) => `\u001b[${n}m`)
    expect(shown(agreed)[0]).toMatch(`${bold}${green}AGREES: `)
    expect(shown({ ...agreed, broadcast: 'your-decision' })[0]).toMatch(`${bold}${yellow}AGREES: `)
    expect(
      shown({ ...agreed, ok: false, findings: [found('reject', { code: 'unsigned' })] })[0],
    ).toBe(
      `${bold}${yellow}UNSIGNED: the transaction does what was asked, but is not signed (1 reject, 0 warnings)${end}${end}`,
    )
    expect(shown({ ...agreed, ok: false, findings, effects })).toEqual([
      `${bold}${red}REJECTED: do not broadcast this transaction (1 reject, 1 warning)${end}${end}`,
      'Do not broadcast: a message; see antara-tx explain amount.',
      '',
      `${bold}What the transaction does${end}`,
      `  ${red}[0]       0.00000001  NOT ASKED FOR             ${addressOfB}${end}`,
      `  [1]                2  units to the destination  ${addressOfB}`,
      '  fee 0.00010000 (inputs minus outputs, proven)',
      `  txid ${txid}`,
      '',
      `${bold}Findings${end}`,
      `  ${red}REJECT${end} ${bold}amount${end} at outputs[0]: a message`,
      `  ${yellow}WARN  ${end} ${bold}amount${end} at outputs[0]: a message`,
      `  ${dim}INFO  ${end} ${bold}amount${end} at outputs[0]: a message`,
      '',
    ])
  })

  // Base58Check: of version 0 an address begins with 1
  test('addresses are those of the network: the case’s, the one named, or an asset chain’s', () => {
    const network = defineNetwork({ name: 'other', pubKeyHashPrefix: 0 })
    const { intent, ...rest } = parseCase(textOf('examples/transfer.json'))
    const given = { ...rest, intent: { ...intent, network } } as Case
    const address = (...options: Parameters<typeof formatReport>) =>
      /destination +(\S+)/.exec(formatReport(...options))?.[1]
    expect(address(agreed)).toBe(addressOfB)
    expect(address(agreed, { network })).toMatch(/^1/)
    expect(address(agreed, { given })).toMatch(/^1/)
    expect(address(agreed, { given, network: networks.assetChain })).toBe(addressOfB)
  })

  // The author of the file chose the network's name.
  test.each<[string, Partial<Network>]>([
    ['assetChain', {}],
    ['TOKTEST, like assetChain', { name: 'TOKTEST' }],
    ['like assetChain except scriptHashPrefix 61', { scriptHashPrefix: 61 }],
    [
      'other, like assetChain except pubKeyHashPrefix 0, conditions tokel, maxMoney 5',
      { name: 'other', pubKeyHashPrefix: 0, conditions: 'tokel', maxMoney: 5n },
    ],
    [
      'like tokel except nulldataBytesMax 8191, branchId 1',
      { ...networks.tokel, nulldataBytesMax: 8191, branchId: 1 },
    ],
    [
      'x\\u{a}y, like assetChain except messageMagic a\\u{a}b',
      { name: 'x\ny', messageMagic: 'a\nb' },
    ],
  ])('a network is described by its name and all its differences: %s', (words, overrides) => {
    const { intent, ...rest } = parseCase(textOf('examples/transfer.json'))
    const given = { ...rest, intent: { ...intent, network: defineNetwork(overrides) } } as Case
    expect(formatReport(agreed, { given })).toContain(`\n  on       ${words}\n`)
  })

  test('a report does not say by whose rules: the words of every operation', () => {
    const { operation: _, ...rest } = agreed
    const roles = Object.values(operations).flatMap((it) => Object.keys(it.roles))
    for (const role of new Set(roles) as Set<Effect['role']>) {
      const text = formatReport({ ...rest, effects: [effect(0, role, 5n)] })
      expect(text).not.toContain('NOT ASKED FOR')
    }
    // An output with a role that the operation does not have was not requested.
    const other = formatReport({ ...agreed, effects: [effect(0, 'issuance', 5n)] })
    expect(other).toContain('0.00000005  NOT ASKED FOR')
  })

  describe('the request', () => {
    const given = parseCase(textOf('examples/transfer.json'))
    const asked = (terms: object): string[] => {
      const changed = { ...given, intent: { ...given.intent, ...terms } } as typeof given
      const lines = formatReport(agreed, { given: changed }).split('\n')
      expect(lines.slice(2, 4)).toEqual(['', 'Asked for'])
      return lines.slice(4, lines.indexOf('', 4))
    }
    const usual = asked({})

    test('is reported first, and where', () => {
      expect(usual.at(0)).toMatch(/^ {2}transfer 100 units of token [0-9a-f]{64}$/)
      expect(usual.at(-1)).toBe('  on       assetChain')
      expect(usual.filter((it) => /own key|spending|on chain|terms by/.test(it))).toEqual([])
    })

    const { hex, intent, evidence } = given as Case<'tokentransfer'>
    const creation = evidence.tokenCreate!
    /** Lines on the token, beside its id. */
    const ofToken = (changed: Partial<Evidence>, tokenid = intent.tokenid) => {
      const { tokenCreate: _, ...rest } = evidence
      const one = { ...given, intent: { ...intent, tokenid }, evidence: { ...rest, ...changed } }
      const text = formatReport(agreed, { given: one as typeof given })
      return text.split('\n').filter((it) => /^ {2}(?:of|named) /.test(it))
    }
    const reported = [`  of       1000 in all, made by ${keys.A.pubkey}`, '  named    "TESTCOIN"']

    // The creation hashes to its id, and says name, supply and owner: CCtokens.cpp, CreateToken
    test.each<[string, Partial<Evidence>, string[]]>([
      ['its creation', { tokenCreate: creation, previousTransactions: [] }, reported],
      ['its creation among others', { previousTransactions: ['zz', '', hex, creation] }, reported],
      ['another creation', { tokenCreate: chainTransaction(keys.txids.nodesc!) }, []],
      ['another creation beside it', { tokenCreate: hex, previousTransactions: [creation] }, []],
      ['no creation', { previousTransactions: [hex] }, []],
    ])('the token by %s', (_, changed, lines) => {
      expect(ofToken(changed)).toEqual(lines)
    })

    test('the token by an id in capitals', () => {
      expect(ofToken({ tokenCreate: creation }, intent.tokenid.toUpperCase())).toEqual(reported)
    })

    test('a transaction with the token id that is not a creation shows nothing', () => {
      const coins = chain.find((it) => decodeTokenTransaction(it.hex) === undefined)!
      for (const other of [hex, coins.hex]) {
        expect(ofToken({ tokenCreate: other }, transactionId(other))).toEqual([])
      }
    })

    test.each<[string, object, string[]]>([
      [
        'further keys',
        { ownKeys: [keys.C.pubkey, '\u202e'] },
        [`own key  ${keys.C.pubkey}`, 'own key  \\u{202e}'],
      ],
      ['nothing that may be spent', { spendable: [] }, ['spending at most 0 listed outputs']],
      ['a chain', { onChain: [txid] }, ['on chain descends from one of 1 known transactions']],
      ['whose word', { reportedBy: 'a daemon\u202e' }, ['terms by a daemon\\u{202e}']],
      [
        'a key that is private',
        { ownKeys: ['11'.repeat(32)] },
        ['own key  what may be a private key'],
      ],
    ])('%s', (_, terms, lines) => {
      const added = lines.map((it) => `  ${it}`)
      expect(asked(terms)).toEqual([...usual.slice(0, -1), ...added, ...usual.slice(-1)])
    })
  })
})

describe('for programs', () => {
  const given = parseCase(textOf('examples/transfer.json'))

  test('amounts are decimal strings, and what is absent stays so', () => {
    const json = reportToJson({ ...agreed, fee: 12345678901234567890n, txid: undefined! })
    expect(json).toEqual({
      ok: true,
      broadcast: 'yes',
      findings: [],
      operation: 'tokentransfer',
      fee: '12345678901234567890',
      feeKnown: 'proven',
      hex: '00',
      effects: [
        { output: 0, role: 'destination', value: '100', script: p2pkh, known: 'proven' },
        { output: 3, role: 'nulldata', value: '0', script: '6a00', known: 'proven' },
      ],
    })
  })

  test('a line is the same JSON, whatever is absent', () => {
    const spends = [{ input: 0, known: 'missing', value: undefined! }] as const
    const absent = { ...agreed, spends, fee: undefined!, operation: undefined!, verified: null! }
    for (const report of [agreed, absent, { ...absent, txid: undefined! }, verifyCase(given)]) {
      expect(JSON.parse(reportLine(report))).toEqual(reportToJson(report))
      expect(reportLine(report)).toMatch(/^\{"ok":(?:true|false),.*\}$/)
    }
  })

  test('text of strangers is one line of visible characters', () => {
    const claimed = 'a"\\\n\u202e\u200b\u{e0041}b'
    const findings = [found('reject', { actual: claimed })]
    const noTransaction: Report = { ...conclude(findings), hex: claimed, effects: [] }
    for (const report of [noTransaction, { ...agreed, findings }]) {
      const line = reportLine(report)
      expect(line).not.toMatch(/[\n\u202e\u200b]|\u{e0041}/u)
      expect(line).toContain('\\u202e')
      expect(JSON.parse(line)).toEqual(reportToJson(report))
    }
  })
})
