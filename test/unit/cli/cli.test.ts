import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

import {
  decodeTokenPayload,
  decodeTransaction,
  decodeWif,
  encodeTokenPayload,
  encodeTransaction,
  formatReport,
  networks,
  parseCase,
  reportToJson,
  transactionId,
  verifyCase,
} from '../../../src/index.ts'
import { runCommand as antaraTx } from '../../support/cli.ts'
import { daemonMade } from '../../support/komodod.ts'
import { testUnless } from '../../support/skip.ts'
import { chain } from '../../support/vectors.ts'

const example = (name: string) =>
  fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url))

// As its owner would keep it: git knows no mode that others cannot read.
const keyFolder = mkdtempSync(`${tmpdir()}/antara-tx-key-`)
const keyFile = `${keyFolder}/key`
const key = readFileSync(example('throw-away-key.txt'), 'utf8').trim()
writeFileSync(keyFile, key, { mode: 0o600 })
afterAll(() => rmSync(keyFolder, { recursive: true }))

const transfer = daemonMade.find(({ file }) => file.startsWith('07-'))!
const transferTxid = '6fafa939e3f28db273771b5726873af4e3deecefe10ef71cc2d498ca6a7b8195'

test.each([
  'transfer.json',
  'transfer-stolen-change.json',
  'create.json',
  'create-other-owner.json',
])('a program can write what verify prints: %s', async (name) => {
  const text = readFileSync(example(name), 'utf8')
  const given = parseCase(text)
  const report = verifyCase(given)
  const { output } = await antaraTx(['verify', example(name)])
  expect(formatReport(report, { given })).toBe(output)
  const json = await antaraTx(['verify', '--json', example(name)])
  expect(reportToJson(report)).toEqual(JSON.parse(json.output))
  expect(JSON.parse(JSON.stringify(reportToJson(report)))).toEqual(reportToJson(report))
})

test('a report alone is written without what was asked for, on the network named', async () => {
  const given = parseCase(readFileSync(example('create.json'), 'utf8'))
  const report = verifyCase(given)
  const [whole, bare] = [formatReport(report, { given }), formatReport(report)]
  expect(bare).not.toContain('Asked for')
  expect(whole.replace(/Asked for\n(?: .*\n)*\n/, '')).toBe(bare)
  expect(formatReport(report, { network: networks.tokel })).not.toBe(bare)
  const colored = formatReport(report, { given, color: true })
  expect(colored).not.toBe(whole)
  expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(whole)
})

test('verify shows whose coins may pay, and on whose word', async () => {
  const file = JSON.parse(readFileSync(example('transfer.json'), 'utf8'))
  const reportedBy = 'a daemon\u202e'
  const ownKeys = ['RMnyDjuWiGCeQoo4wVRt42nHQ1J3iEopij']
  const { inputs } = decodeTransaction(file.hex)
  const spendable = inputs.map(({ txid, vout }) => ({ txid, vout }))
  const onChain = [inputs[0]!.txid]
  Object.assign(file.intent, { ownKeys, spendable, onChain, reportedBy, expiryBlocksMax: 500 })
  const { status, output } = await antaraTx(['verify', '-'], JSON.stringify(file))
  expect(status).toBe(0)
  expect(output).toContain(`  own key  ${ownKeys[0]}\n`)
  expect(output).toContain(`  spending at most ${inputs.length} listed outputs\n`)
  expect(output).toContain('  on chain descends from one of 1 known transactions\n')
  expect(output).toContain('  terms by a daemon\\u{202e}\n')
  expect(output).toContain('intent_asserted')
  const wrong = { ...file, intent: { ...file.intent, spendable: [{ txid: 'a', vout: '0' }] } }
  const { errors } = await antaraTx(['verify', '-'], JSON.stringify(wrong))
  expect(errors).toContain('intent.spendable[0].vout')
})

test('verify agrees with a transfer that a real daemon made', async () => {
  const { status, output } = await antaraTx(['verify', example('transfer.json')])
  expect(status).toBe(0)
  expect(output).toMatch(/^AGREES/)
  expect(output).toContain('RMnyDjuWiGCeQoo4wVRt42nHQ1J3iEopij')
  expect(output).toContain(transferTxid)
})

test('verify tells every recipient that was asked for, and a burn', async () => {
  const request = JSON.parse(readFileSync(example('transfer-request.json'), 'utf8'))
  const bob = request.recipients[0].pubkey
  const recipients = [...request.recipients, { pubkey: request.from, amount: '11' }]
  const several = await antaraTx(['transfer', '-'], JSON.stringify({ ...request, recipients }))
  const { output } = await antaraTx(['verify', '-'], several.output)
  expect(output).toContain('transfer 111 units of token')
  expect(output).toContain(`  to       ${bob}, 100 units\n`)
  expect(output).toContain(`  to       ${request.from}, 11 units\n`)
  const burnKey = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead'
  const burned = await antaraTx(
    ['transfer', '-'],
    JSON.stringify({ ...request, recipients: [{ pubkey: burnKey, amount: '5' }], burn: true }),
  )
  const checked = await antaraTx(['verify', '-'], burned.output)
  expect(checked.output).toMatch(/^UNSIGNED/)
  expect(checked.output).toContain('burn     5 units of token')
})

test('verify tells the name of the token and who made it, if its creation is there', async () => {
  const given = JSON.parse(readFileSync(example('transfer.json'), 'utf8'))
  const lines = [
    '  of       1000 in all, made by 036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689\n',
    '  named    "TESTCOIN"\n',
  ]
  const outputOf = async (file: object) =>
    (await antaraTx(['verify', '-'], JSON.stringify(file))).output
  expect(await outputOf(given)).toContain(lines.join(''))
  expect(await outputOf({ ...given, tokenCreate: undefined })).toContain(lines.join(''))
  for (const tokenCreate of [given.previousTransactions[0], '00', 'no hex']) {
    expect(await outputOf({ ...given, tokenCreate })).not.toContain('named')
  }
})

test('verify names the network whose rules it applied', async () => {
  const given = JSON.parse(readFileSync(example('transfer.json'), 'utf8'))
  for (const network of ['assetChain', 'tokel', 'komodo']) {
    const checked = await antaraTx(['verify', '-'], JSON.stringify({ ...given, network }))
    expect(checked.output).toContain(`\n  on       ${network}\n`)
  }
})

test.each([
  ['transfer-wrong-destination.json', 'destination', 'outputs[0].script'],
  ['transfer-stolen-change.json', 'native_change_destination', 'outputs[2].script'],
  ['create-other-owner.json', 'issuance', 'outputs[1].script'],
])('verify rejects %s at a glance', async (name, code, path) => {
  const { status, output } = await antaraTx(['verify', example(name)])
  expect(status).toBe(1)
  expect(output).toMatch(/^REJECTED: do not broadcast/)
  expect(output).toContain(`REJECT ${code} at ${path}`)
})

test('verify --json is the report, its amounts as text', async () => {
  const { status, output } = await antaraTx(['verify', '--json', example('create.json')])
  expect(status).toBe(0)
  expect(JSON.parse(output)).toMatchObject({ ok: true, fee: '10000' })
})

test('verify reads a case from standard input', async () => {
  const text = readFileSync(example('create.json'), 'utf8')
  expect((await antaraTx(['verify', '-'], text)).status).toBe(0)
})

test.each([
  ['', 'case'],
  ['[]', 'case'],
  ['{"operation":"tokenburn"}', 'hex'],
  ['{"operation":"tokenburn","hex":""}', 'operation'],
  [
    '{"operation":"tokentransfer","hex":"","intent":{"tokenid":"","amount":1}}',
    'intent.destination',
  ],
  ['{"hex":"","operation":"tokencreate","intent":{"name":"a","supply":"1.5"}}', 'intent.supply'],
  ['{"hex":"","tipheight":1}', 'case.tipheight'],
  ['{"hex":"","hex":"00"}', 'case'],
  ['{"hex":"","intent":{"amount":"1","amount":"2"}}', 'case'],
  ['{"hex":"","network":"bitcoin"}', 'network'],
])('a malformed case %j names %s and exits with 2', async (text, path) => {
  const { status, errors } = await antaraTx(['verify', '-'], text)
  expect(status).toBe(2)
  expect(errors).toContain(`malformed_case: ${path}:`)
})

test.each([
  ['{\n "hex": "aa",\n "intent": {,}\n}', 28, 'something else in line 3, column 13'],
  ['{"hex": "aa"', 12, 'something else in line 1, column 13'],
  ['{"ö":1,"hex":"","hex":"00"}', 18, 'a member given twice in line 1, column 18'],
])('names the place of malformed JSON: %j', async (text, offset, words) => {
  const { status, errors } = await antaraTx(['verify', '-'], text)
  expect(status).toBe(2)
  expect(errors).toContain(`at byte ${offset}, expected "JSON", found "${words}"`)
})

test.each([
  ['verify'],
  ['sign'],
  ['create'],
  ['transfer'],
  ['order'],
  ['select'],
  ['condition', 'encode'],
])('%s %s shows nothing of a key that is given for its file', async (...command) => {
  const byName = await antaraTx([...command, example('throw-away-key.txt')])
  const piped = await antaraTx([...command, '-'], key)
  for (const { status, output, errors } of [byName, piped]) {
    expect(status).toBe(2)
    expect(output + errors).not.toContain(key.slice(0, 3))
  }
})

const hexKey = decodeWif(key, networks.assetChain).privateKey

test.each([
  ['a key', key],
  ['a key and a line end', `${key}\n`],
  ['a key among words', `my key: ${key}.`],
  ['a key that lost a character', key.slice(1)],
  ['hex', hexKey],
  ['hex after 0x', `0x${hexKey}`],
  ['hex with the mark of a compressed key', `${hexKey}01`],
  ['hex with a blank inside', `${hexKey.slice(0, 32)} ${hexKey.slice(32)}`],
])('an argument or a member that holds %s is not repeated', async (_, secret) => {
  const request = JSON.parse(readFileSync(example('transfer-request.json'), 'utf8'))
  const outcomes = [
    ...(await Promise.all(
      ['verify', 'sign', 'create', 'transfer', 'order', 'select', 'address'].map((command) =>
        antaraTx([command, secret]),
      ),
    )),
    await antaraTx(['condition', 'encode', secret]),
    await antaraTx(['condition', secret]),
    await antaraTx(['rpc', 'framework', 'my_balance', secret]),
    await antaraTx(['rpc', 'daemon', 'getinfo', '--conf', secret]),
    await antaraTx(['sign', example('create.json'), '--key-file', secret]),
    await antaraTx(['decode', '00', '--network', secret]),
    await antaraTx(['decode', '00', `--${secret}`]),
    await antaraTx([secret]),
    await antaraTx(['verify', '-'], JSON.stringify({ hex: '', network: secret })),
    await antaraTx(['verify', '-'], JSON.stringify({ hex: '', [secret]: 1 })),
    await antaraTx(['transfer', '-'], JSON.stringify({ ...request, from: secret })),
    await antaraTx(['transfer', '-'], JSON.stringify({ ...request, tipHeight: secret })),
    await antaraTx(['create', '-'], JSON.stringify({ ...request, owner: secret })),
  ]
  for (const { output, errors } of outcomes) {
    for (const reported of [key, hexKey].flatMap((it) => [it.slice(1, 12), it.slice(-12, -1)])) {
      expect(output + errors).not.toContain(reported)
    }
  }
})

testUnless(process.platform === 'win32' && 'Windows has no such file modes')(
  'a file of a key that others can read is refused, with the mode that would do',
  async () => {
    for (const mode of [0o644, 0o640, 0o604, 0o602]) {
      chmodSync(keyFile, mode)
      const { status, errors } = await antaraTx([
        'sign',
        example('create.json'),
        '--key-file',
        keyFile,
      ])
      expect(status).toBe(64)
      expect(errors).toContain(`(mode ${mode.toString(8)}); run chmod 600 ${keyFile}`)
    }
    chmodSync(keyFile, 0o600)
  },
)

test('no member or value of a file can play tricks on the terminal, nor can an argument', async () => {
  const tricks = '\x1b[2J\u202e\u2066\x9b31m\r\u200b'
  const outcomes = [
    await antaraTx(['verify', '-'], JSON.stringify({ [tricks]: 1 })),
    await antaraTx(['verify', '-'], JSON.stringify({ hex: '', network: tricks })),
    await antaraTx(['transfer', '-'], JSON.stringify({ tokenid: tricks, recipients: tricks })),
    await antaraTx(['verify', tricks]),
    await antaraTx(['verify', `--${tricks}`]),
    await antaraTx([tricks]),
  ]
  for (const { status, output, errors } of outcomes) {
    expect(status).not.toBe(0)
    expect((output + errors).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  }
})

test('text that is not UTF-8 is refused, a byte order mark is not', async () => {
  const folder = mkdtempSync(`${tmpdir()}/antara-tx-`)
  const text = readFileSync(example('create-request.json'), 'utf8')
  try {
    writeFileSync(`${folder}/latin1.json`, text.replace('TESTCOIN', 'Café'), 'latin1')
    const refused = await antaraTx(['create', `${folder}/latin1.json`])
    expect(refused.status).toBe(2)
    expect(refused.errors).toContain('text_mismatch: ')
    writeFileSync(`${folder}/marked.json`, `\ufeff${text}`)
    const made = await antaraTx(['create', `${folder}/marked.json`])
    expect(made).toEqual(await antaraTx(['create', example('create-request.json')]))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('decode prints what a daemon prints, or lines for a person', async () => {
  const json = await antaraTx(['decode', '--json', transfer.hex])
  expect(JSON.parse(json.output)).toMatchObject({ txid: transferTxid, expiryheight: 213 })
  const text = await antaraTx(['decode', '-'], `${transfer.hex}\n`)
  expect(text.output).toContain('[0] 0.00000100 cryptocondition RMnyDjuWiGCeQoo4wVRt42nHQ1J3iEopij')
})

test('decode tells what a transaction does with tokens', async () => {
  const { output } = await antaraTx(['decode', transfer.hex])
  expect(output).toContain(`tokens (komodo-v1) transfer of ${transfer.params[0]}\n  [0] 100 dest`)
  const plain = await antaraTx(['decode', chain[0]!.hex])
  expect(plain.output).not.toContain('tokens')
  const malformed = transfer.hex.replace('f274', 'f278')
  expect((await antaraTx(['decode', malformed])).output).toContain('tokens outputs[3].script: ')
})

test('no name can play tricks on the terminal', async () => {
  const tricks = 'GOLD\x1b[2J\u202egpj.\u2066\x9b31m\r\n\u200b'
  const made = daemonMade.find(({ file }) => file.startsWith('03-'))!
  const tx = decodeTransaction(made.hex)
  const payload = decodeTokenPayload(tx.outputs.at(-1)!.script)
  if (payload?.kind !== 'create') throw new Error('no creation')
  const { nameHex: _, descriptionHex: __, ...fields } = payload
  const script = encodeTokenPayload({ ...fields, name: tricks, description: tricks } as never)
  const hex = encodeTransaction({
    ...tx,
    outputs: [...tx.outputs.slice(0, -1), { value: 0n, script }],
  })
  const intent = { name: 'GOLD', supply: '1000', description: tricks, owner: payload.owner }
  const asked = { operation: 'tokencreate', intent, hex, previousTransactions: [] }
  const decoded = await antaraTx(['decode', hex])
  const verified = await antaraTx(['verify', '-'], JSON.stringify(asked))
  for (const { output, errors } of [decoded, verified]) {
    expect(output).toContain('GOLD\\u{1b}[2J\\u{202e}gpj.\\u{2066}\\u{9b}31m\\u{d}\\u{a}\\u{200b}')
    expect(output.replaceAll('\n', '') + errors).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  }
})

test('decode shows what JoinSplits move, and that a transaction never expires', async () => {
  const joinSplit = {
    vpubOld: 250_000_000n,
    vpubNew: 1n,
    anchor: '11'.repeat(32),
    nullifiers: ['22'.repeat(32), '33'.repeat(32)],
    commitments: ['44'.repeat(32), '55'.repeat(32)],
    ephemeralKey: '66'.repeat(32),
    randomSeed: '77'.repeat(32),
    macs: ['88'.repeat(32), '99'.repeat(32)],
    proof: 'aa'.repeat(192),
    ciphertexts: ['bb'.repeat(601), 'cc'.repeat(601)],
  } as const
  const hex = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [],
    outputs: [],
    lockTime: 0,
    expiryHeight: 0,
    joinSplits: [joinSplit, joinSplit],
    joinSplitPubKey: 'dd'.repeat(32),
    joinSplitSig: 'ee'.repeat(64),
  })
  const { output } = await antaraTx(['decode', '-'], hex)
  expect(output).toContain('lock time 0, never expires\n')
  expect(output).toContain(
    '2 JoinSplits: 5.00000000 into the shielded pool, 0.00000002 out of it\n',
  )
})

test('txid prints the txid alone', async () => {
  expect((await antaraTx(['txid', transfer.hex])).output).toBe(`${transferTxid}\n`)
})

test('address goes from key to addresses, from address to script', async () => {
  const key = await antaraTx([
    'address',
    '02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275',
  ])
  expect(key.output).toContain('address: RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2')
  expect(key.output).toContain('tokenAddress: RMnyDjuWiGCeQoo4wVRt42nHQ1J3iEopij')
  const script = await antaraTx(['address', 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'])
  expect(script.output).toContain('script: 76a9143bdb00e1143be1f59682fcb817ad82e5acd57efc88ac')
})

test.each([
  [
    '04',
    '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8',
    '1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm',
  ],
  [
    '02',
    '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH',
  ],
])('address shows where both forms of a key are paid: %s', async (form, digits, address) => {
  const { status, output } = await antaraTx([
    'address',
    `${form}${digits}`.toUpperCase(),
    ...['--network', 'komodoTestnet', '--json'],
  ])
  expect(status).toBe(0)
  expect(JSON.parse(output)).toEqual({ pubkey: `${form}${digits}`, address })
})

test.each(Object.keys(networks))(
  'address gives no address of a key that nobody has: %s',
  async (name) => {
    for (const key of [`02${'ff'.repeat(32)}`, `04${'11'.repeat(64)}`]) {
      const { status, output, errors } = await antaraTx(['address', key, '--network', name])
      expect([status, output]).toEqual([2, ''])
      expect(errors).toContain('public_key_off_curve')
    }
  },
)

test('script shows what an output says, its condition and its payload', async () => {
  const { outputs } = decodeTransaction(transfer.hex)
  const condition = await antaraTx(['script', '--json', outputs[0]!.script])
  expect(JSON.parse(condition.output)).toMatchObject({
    type: 'cryptocondition',
    addresses: ['RMnyDjuWiGCeQoo4wVRt42nHQ1J3iEopij'],
    condition: { condition: { conditionType: 'threshold-sha-256' } },
  })
  const payload = await antaraTx(['script', '--json', outputs.at(-1)!.script])
  expect(JSON.parse(payload.output)).toMatchObject({
    type: 'nulldata',
    payload: { kind: 'transfer', tokenid: transfer.params[0] },
  })
  const text = await antaraTx(['script', '76a9143bdb00e1143be1f59682fcb817ad82e5acd57efc88ac'])
  expect(text.output).toContain('type       pubkeyhash')
  expect(text.output).toContain('REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb')
  expect((await antaraTx(['script', '6'])).status).toBe(2)
})

describe('key', () => {
  const [address, publicKey, tokens] = [
    'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb',
    '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689',
    'RNYuPekegLgPANq3vBuYKZeC2ReiR7oSfL',
  ]
  const shown = `publicKey     ${publicKey}\naddress       ${address}\ntokenAddress  ${tokens}\n`

  test('shows what belongs to a private key that is piped or in a file', async () => {
    for (const given of [key, hexKey, ` ${key}\n`]) {
      expect(await antaraTx(['key'], given)).toEqual({ status: 0, output: shown, errors: '' })
    }
    expect((await antaraTx(['key', 'show', '--key-file', keyFile])).output).toBe(shown)
    expect((await antaraTx(['key', '--json'], key)).output).toBe(
      `${JSON.stringify({ publicKey, address, tokenAddress: tokens }, null, 2)}\n`,
    )
  })

  test('writes it in either form', async () => {
    expect((await antaraTx(['key', 'wif'], hexKey)).output).toBe(`${key}\n`)
    expect((await antaraTx(['key', 'hex'], key)).output).toBe(`${hexKey}\n`)
    const { output } = await antaraTx(['key', 'wif', '--network', 'komodoTestnet'], hexKey)
    expect((await antaraTx(['key', 'hex', '--network', 'komodoTestnet'], output)).output).toBe(
      `${hexKey}\n`,
    )
  })

  test('makes a new one, which goes to a file that only its owner can read', async () => {
    const path = `${keyFolder}/new`
    const made = await antaraTx(['key', 'new', '--out', path])
    expect(made.status).toBe(0)
    expect(made.output).toMatch(/^publicKey {5}0[23][0-9a-f]{64}\naddress {7}R/)
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(await antaraTx(['key', '--key-file', path])).toEqual(made)
    const again = await antaraTx(['key', 'new', '--out', path])
    expect(again).toMatchObject({ status: 64, output: '' })
    expect(again.errors).toContain(`--out: ${path} exists already`)
    const [one, other] = [await antaraTx(['key', 'new']), await antaraTx(['key', 'new'])]
    expect(one.output).toMatch(/^wif {11}U\w{51}\npublicKey/)
    expect(other.output).not.toBe(one.output)
  })

  test.each([
    [['key', key], 64, 'a private key is never an argument'],
    [['key', 'show', hexKey], 64, 'a private key is never an argument'],
    [['key', 'frobnicate'], 64, 'expected show, wif, hex, new alone, got frobnicate'],
    [['key', '--out', 'x'], 64, '--out is only for new'],
    [['key', 'new', '--key-file', 'x'], 64, 'use --out'],
    [['key', 'new', '--out', 'no/such/folder/key'], 64, 'cannot write no/such/folder/key: ENOENT'],
    [['key'], 2, 'standard input: a private key is neither'],
    [['key', '--key-file', example('transfer.json')], 64, 'chmod 600'],
  ])('%# is refused with a reason', async (args, status, words) => {
    const outcome = await antaraTx(args)
    expect(outcome).toMatchObject({ status, output: '' })
    expect(outcome.errors).toContain(words)
    expect(outcome.errors).not.toContain(key.slice(4, 12))
  })
})

test.each([
  [['4.35'], '435000000', '4.35000000'],
  [['435000000'], '435000000', '4.35000000'],
  [['2', 'coins'], '200000000', '2.00000000'],
  [['2', 'units'], '2', '0.00000002'],
  [['007'], '7', '0.00000007'],
  [['9223372036854775807'], '9223372036854775807', '92233720368.54775807'],
])('units %j', async (args, units, coins) => {
  const { output } = await antaraTx(['units', ...args])
  expect(output).toBe(`units  ${units}\ncoins  ${coins}\n`)
  expect(JSON.parse((await antaraTx(['units', '--json', ...args])).output)).toEqual({
    units,
    coins,
  })
})

test.each([
  [['9223372036854775808'], 2, 'amount_out_of_range'],
  [['9'.repeat(1000)], 2, 'amount_out_of_range'],
  [['1.123456789'], 2, 'malformed_amount'],
  [['1.5', 'units'], 64, 'units: expected a whole number'],
  [['-1'], 64, 'expected a whole number'],
  [['1', 'bitcoins'], 64, 'expected units or coins'],
  [[], 64, 'expected one amount'],
])('units %j is refused', async (args, status, words) => {
  const outcome = await antaraTx(['units', ...args])
  expect(outcome.status).toBe(status)
  expect(outcome.errors).toContain(words)
})

// The tree and its encodings of the worked example: private key 1, eval code f2.
const pubkey1 = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const condition1 =
  'a22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c008203000401'
const tree1 = {
  type: 'threshold-sha-256',
  threshold: 2,
  subconditions: [
    { type: 'eval-sha-256', code: 'f2' },
    {
      type: 'threshold-sha-256',
      threshold: 1,
      subconditions: [{ type: 'secp256k1-sha-256', publicKey: pubkey1 }],
    },
  ],
}

test('condition encodes a tree and decodes what it made', async () => {
  const encoded = await antaraTx(['condition', 'encode', '-'], JSON.stringify(tree1))
  expect(JSON.parse(encoded.output)).toMatchObject({ condition: condition1 })
  const decoded = await antaraTx(['condition', 'decode', condition1])
  expect(JSON.parse(decoded.output)).toMatchObject({
    condition: condition1,
    isCanonical: true,
    decoded: { conditionType: 'threshold-sha-256', cost: '1182720' },
  })
  const { output } = await antaraTx(['condition', 'uri', condition1])
  expect(output).toContain('?fpt=threshold-sha-256&cost=1182720&subtypes=')
  const fromUri = await antaraTx(['condition', 'decode', output.trim()])
  expect(JSON.parse(fromUri.output)).toMatchObject({ condition: condition1 })
})

test.each(['null', '5', '{}', '{"type":"threshold-sha-256","subconditions":5}', '[', '{"type":1}'])(
  'condition refuses the tree %s',
  async (text) => {
    for (const action of ['encode', 'uri']) {
      expect((await antaraTx(['condition', action, '-'], text)).status).toBe(2)
    }
  },
)

test('condition encode and uri refuse a cost that a JSON number cannot hold', async () => {
  const tree = (cost: string) =>
    `{"type":"condition","conditionType":"preimage-sha-256","fingerprint":"${'00'.repeat(32)}","subtypes":[],"cost":${cost}}`
  for (const action of ['encode', 'uri']) {
    const rounded = await antaraTx(['condition', action, '-'], tree('9007199254740993'))
    expect(rounded).toMatchObject({ status: 2, output: '' })
    expect(rounded.errors).toContain('cost: ')
    for (const cost of ['"9007199254740993"', '9007199254740991']) {
      const { status, output } = await antaraTx(['condition', action, '-'], tree(cost))
      expect([status, output]).toEqual([
        0,
        expect.stringContaining(`cost=${cost.replaceAll('"', '')}`),
      ])
    }
  }
})

test('condition decodes the fulfillment of a real input', async () => {
  const spent = decodeTransaction(transfer.hex).inputs[1]!.scriptSig.slice(4, -2)
  const { output } = await antaraTx(['condition', 'decode', spent])
  expect(JSON.parse(output)).toMatchObject({
    fulfillment: { type: 'threshold-sha-256', threshold: 2 },
  })
})

test.each([
  ['transfer', 'transfer-request.json', 'transfer.json'],
  ['create', 'create-request.json', 'create.json'],
  ['order', 'order-request.json', 'order.json'],
])('%s and sign make what komodod made, byte for byte', async (command, request, expected) => {
  const built = await antaraTx([command, example(request)])
  expect(built.status).toBe(0)
  const checked = await antaraTx(['verify', '-'], built.output)
  expect(checked.status).toBe(1)
  expect(checked.output).toMatch(/^UNSIGNED: the transaction does what was asked/)
  expect(checked.output).toContain('REJECT unsigned')
  const signed = await antaraTx(['sign', '-', '--key-file', keyFile], built.output)
  expect(signed.status).toBe(0)
  const { hex } = JSON.parse(readFileSync(example(expected), 'utf8'))
  expect(JSON.parse(signed.output).hex).toBe(hex)
  expect(signed.errors).toMatch(/^AGREES/)
  expect((await antaraTx(['verify', '-'], signed.output)).status).toBe(0)
})

/** The members of a request to fill an order, without its price. */
const fillRequest = { order: '11'.repeat(32), units: '3', price: undefined }

test.each([
  ['another kind', { kind: 'swap' }, 'kind: '],
  ['no kind', { kind: undefined }, 'kind: '],
  ['units with a point', { units: '1.5' }, 'units: '],
  ['no token coins', { tokenCoins: undefined }, 'tokenCoins: '],
  ['a member of its own', { amount: '1' }, 'amount'],
  ['an order that is taken back without its name', { kind: 'cancelAsk' }, 'order: '],
  [
    'a purchase without a price',
    { ...fillRequest, kind: 'fillAsk' },
    'price: the file does not have the documented form, expected "either price or priceMax"',
  ],
  [
    'a sale without a price',
    { ...fillRequest, kind: 'fillBid' },
    'price: the file does not have the documented form, expected "either price or priceMin"',
  ],
  [
    'a purchase with the bound of a sale',
    { ...fillRequest, kind: 'fillAsk', priceMin: '5' },
    'priceMin: the file does not have the documented form, expected "it only where kind is fillBid"',
  ],
  [
    'a purchase with two prices',
    { ...fillRequest, kind: 'fillAsk', price: '5', priceMax: '5' },
    'price: the file does not have the documented form, expected "either price or priceMax"',
  ],
  [
    'an ask that allows what a bid may',
    { allowUnenforcedPrice: true },
    'allowUnenforcedPrice: the file does not have the documented form',
  ],
  [
    'a bid that allows it in other words',
    { kind: 'bid', allowUnenforcedPrice: 'yes' },
    'allowUnenforcedPrice: the file does not have the documented form',
  ],
  ['a bid for many units that does not allow it', { kind: 'bid' }, 'units: '],
  ['a price that is dust', { price: '56' }, 'price: '],
])('order says what is wrong with %s', async (_, members, words) => {
  const request = JSON.parse(readFileSync(example('order-request.json'), 'utf8'))
  const { status, errors } = await antaraTx(
    ['order', '-'],
    JSON.stringify({ ...request, ...members }),
  )
  expect(status).toBe(2)
  expect(errors).toContain(words)
})

test('create takes a supply in coins, exactly, in a member of its own', async () => {
  const { supply, ...request } = JSON.parse(readFileSync(example('create-request.json'), 'utf8'))
  const create = (members: object) =>
    antaraTx(['create', '-'], JSON.stringify({ ...request, ...members }))
  const made = await create({ supplyCoins: '0.29' })
  expect(JSON.parse(made.output).intent.supply).toBe('29000000')
  const inUnits = await create({ supply: '29000000' })
  expect(inUnits.output).toBe(made.output)
  for (const members of [
    { supply: '0.29' },
    { supplyCoins: '1e3' },
    { supplyCoins: 1 },
    { supply, supplyCoins: '0.29' },
    {},
  ]) {
    expect((await create(members)).status).toBe(2)
  }
})

test('a request says which coins to spend', async () => {
  const request = JSON.parse(readFileSync(example('transfer-request.json'), 'utf8'))
  const plain = await antaraTx(['transfer', '-'], JSON.stringify(request))
  const all = await antaraTx(['transfer', '-'], JSON.stringify({ ...request, spend: 'all' }))
  expect(all).toEqual(plain)
  const wrong = await antaraTx(['transfer', '-'], JSON.stringify({ ...request, spend: 'most' }))
  expect(wrong.status).toBe(2)
  expect(wrong.errors).toContain('spend')
})

test('sign refuses what does something else, and says what', async () => {
  const refused = await antaraTx([
    'sign',
    example('transfer-wrong-destination.json'),
    '--key-file',
    keyFile,
  ])
  expect(refused.status).toBe(1)
  expect(refused.output).toBe('')
  expect(refused.errors).toContain('REJECT destination')
  expect(refused.errors).not.toContain(key)
})

test('sign --json says what it did, or why not, as a report', async () => {
  const withKey = ['--json', '--key-file', keyFile]
  const { output } = await antaraTx(['create', example('create-request.json')])
  const signed = await antaraTx(['sign', '-', ...withKey], output)
  expect(JSON.parse(signed.errors)).toMatchObject({ ok: true, hex: JSON.parse(signed.output).hex })
  const refused = await antaraTx(['sign', example('create-other-owner.json'), ...withKey])
  expect(refused.status).toBe(1)
  expect(JSON.parse(refused.errors)).toMatchObject({ ok: false })
})

test('sign takes no branch id from a file', async () => {
  const { output } = await antaraTx(['create', example('create-request.json')])
  const asked = { ...JSON.parse(output), network: { branchId: 0x2bb40e60 } }
  const { status, errors } = await antaraTx(
    ['sign', '-', '--key-file', keyFile],
    JSON.stringify(asked),
  )
  expect(status).toBe(2)
  expect(errors).toContain('malformed_case: network.branchId: ')
})

test('sign takes what creates the token from where it is named as that', async () => {
  const built = await antaraTx(['transfer', example('transfer-request.json')])
  const given = JSON.parse(built.output)
  const isCreation = (hex: string) => transactionId(hex) === given.intent.tokenid
  given.tokenCreate = given.previousTransactions.find(isCreation)
  given.previousTransactions = given.previousTransactions.filter((it: string) => !isCreation(it))
  const { status, output } = await antaraTx(
    ['sign', '-', '--key-file', keyFile],
    JSON.stringify(given),
  )
  expect(status).toBe(0)
  expect(JSON.parse(output).hex).toBe(
    JSON.parse(readFileSync(example('transfer.json'), 'utf8')).hex,
  )
})

test('a network that goes by the name of another is refused', async () => {
  const { output } = await antaraTx(['create', example('create-request.json')])
  const network = { name: 'assetChain', pubKeyHashPrefix: 85, scriptHashPrefix: 61 }
  const asked = JSON.stringify({ ...JSON.parse(output), network })
  for (const command of [
    ['verify', '-'],
    ['sign', '-', '--key-file', keyFile],
  ]) {
    const { status, errors } = await antaraTx(command, asked)
    expect(status).toBe(2)
    expect(errors).toContain('malformed_case: network.pubKeyHashPrefix: ')
  }
})

test('sign passes over transactions that nothing spends', async () => {
  const { output } = await antaraTx(['create', example('create-request.json')])
  const given = JSON.parse(output)
  given.previousTransactions.push('00', 'no hex')
  const { status, errors } = await antaraTx(
    ['sign', '-', '--key-file', keyFile],
    JSON.stringify(given),
  )
  expect(status).toBe(0)
  expect(errors).toContain('WARN   previous_transaction_malformed')
})

test('create writes any name so that a terminal can show it', async () => {
  const name = 'GOLD\x9b2J\u202e\u200b\u{e0041}'
  const request = JSON.parse(readFileSync(example('create-request.json'), 'utf8'))
  const { status, output } = await antaraTx(['create', '-'], JSON.stringify({ ...request, name }))
  expect(status).toBe(0)
  expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(output).intent.name).toBe(name)
})

test.each([
  ['transfer', '{"tokenid":1}', 'malformed_case: '],
  ['transfer', 'null', 'malformed_case: request: '],
  ['create', 'null', 'malformed_case: request: '],
  ['transfer', '{}', 'malformed_case: tipHeight: '],
  ['create', '{}', 'malformed_case: tipHeight: '],
])('%s refuses %s and names the member', async (command, text, words) => {
  const { status, errors } = await antaraTx([command, '-'], text)
  expect(status).toBe(2)
  expect(errors).toContain(words)
})

test('doctor names the engine it found', async () => {
  const { status, output } = await antaraTx(['doctor', '--json'])
  expect(status).toBe(0)
  expect(JSON.parse(output)).toMatchObject({ works: true, node: process.version })
})

test.each([
  [[], 64, 'Usage'],
  [['--help'], 0, 'Usage'],
  [['verify', '--help'], 0, 'Exit status'],
  [['frobnicate'], 64, 'unknown command'],
  [['__proto__'], 64, 'unknown command'],
  [['decode', '--frobnicate'], 64, 'unknown option'],
  [['decode', 'no-such-file'], 64, 'no such file'],
  [['decode', 'src'], 64, 'cannot read src: EISDIR'],
  [['decode', '--network', 'bitcoin', '00'], 64, 'unknown network'],
  [['decode', '0400'], 2, 'truncated'],
  [['decode', '04000080850z'], 2, 'not a hexadecimal digit at byte 5, found "z"'],
  [['decode', '0x0400008085202f89'], 2, 'at byte 0, found "x"'],
  [['decode', '-'], 2, 'empty_input'],
  [['condition', 'frobnicate'], 64, 'expected decode'],
  [['condition', 'decode', 'ff'], 2, 'antara-tx condition: '],
])('%j exits with %d and says %s', async (args, status, words) => {
  const outcome = await antaraTx(args)
  expect(outcome.status).toBe(status)
  expect(outcome.output + outcome.errors).toContain(words)
})

test('select shows the choice, what else there was, and why', async () => {
  const { status, output } = await antaraTx(['select', example('select.json')])
  expect(status).toBe(0)
  expect(output.split('\n')).toEqual([
    'PAYS 80600 satoshis with 2 coins: fee 400, no change',
    '  coins[0]  50000',
    '  coins[2]  31000',
    '',
    '  algorithm         inputs  bytes  fee  change  waste',
    '* branch-and-bound       2    340  400       0     60',
    '  largest-first          1    226  226  819174    182',
    '',
    'Chosen because it leaves no change to make and to spend later; the next best wastes 122 satoshis more.',
    '',
  ])
})

test('select --json is the selection, coins named by their outpoints', async () => {
  const [one, other] = ['AB'.repeat(32), 'cd'.repeat(32)]
  const request = {
    coins: [
      { txid: one, vout: 1, value: '20000', inputBytes: 114 },
      { txid: other, vout: 0, value: '9000000' },
    ],
    terms: {
      target: '8000',
      fixedFee: '10000',
      baseBytes: 44,
      changeBytes: 44,
      changeSpendBytes: 114,
    },
  }
  const { status, output } = await antaraTx(['select', '--json', '-'], JSON.stringify(request))
  expect(status).toBe(0)
  expect(JSON.parse(output)).toMatchObject({
    ok: true,
    picked: [`${one.toLowerCase()}:1`],
    fee: '10000',
    change: '2000',
  })
})

test('select takes a token transfer, and plans for one that does not fit', async () => {
  const path = example('select-transfer.json')
  const { status, output } = await antaraTx(['select', path])
  expect(status).toBe(0)
  expect(output).toContain('SENDS 100 token units with 2 token coins: no change')
  const request = JSON.parse(readFileSync(path, 'utf8'))
  request.tokens = Array(100).fill({ value: '10' })
  Object.assign(request.terms, { amount: '1000', maxTokenInputs: 60 })
  const planned = await antaraTx(['select', '-'], JSON.stringify(request))
  expect(planned.status).toBe(1)
  expect(planned.output).toContain('CANNOT, selection_over_limits: at most 600 token units')
  expect(planned.output).toContain('1. merge 41 coins into one of 410')
  request.tokens = [{ value: '99' }]
  const poor = await antaraTx(['select', '--json', '-'], JSON.stringify(request))
  expect(poor.status).toBe(1)
  expect(JSON.parse(poor.output)).toEqual({
    ok: false,
    code: 'insufficient_tokens',
    available: '99',
  })
})

test.each([
  ['no JSON', '{', 'malformed_case'],
  ['a number as amount', '{"coins":[{"value":5}],"terms":{}}', 'malformed_case'],
  ['an amount beyond 64 bits', '{"coins":[{"value":"9223372036854775808"}]}', 'malformed_case'],
  ['an unknown term', '{"coins":[],"terms":{"fee":1}}', 'malformed_case'],
  ['a missing term', '{"coins":[],"terms":{"feeRate":1}}', 'malformed_case'],
  ['no outpoint', '{"coins":[{"value":"5","txid":"\\u001b[2J","vout":0}]}', 'malformed_case'],
  [
    'a coin of nothing',
    '{"coins":[{"value":"0"}],"terms":{"target":"1","feeRate":1,"baseBytes":1,"changeBytes":1,"changeSpendBytes":1}}',
    'coin_value_out_of_range',
  ],
  [
    'a coin given twice',
    `{"coins":[${`{"value":"5","txid":"${'ab'.repeat(32)}","vout":0},`.repeat(2).slice(0, -1)}]}`,
    'coins[1]: ',
  ],
  [
    'a coin that is also given as one of a token',
    `{"coins":[{"value":"5","txid":"${'ab'.repeat(32)}","vout":0}],"tokens":[{"value":"7","txid":"${'AB'.repeat(32)}","vout":0}]}`,
    'tokens[0]: ',
  ],
])('select refuses %s', async (_, text, code) => {
  const { status, errors } = await antaraTx(['select', '-'], text)
  expect(status).toBe(2)
  expect(errors).toContain(code)
  expect(errors).not.toContain('\u001b')
})
