// The verifier against what a real daemon made, and against what real daemons were offered.

import { describe, expect, test } from 'vitest'

import {
  type CreateIntent,
  decodeTransaction,
  defineNetwork,
  type Evidence,
  type Report,
  type TransferIntent,
  verifyTokenCreate,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import {
  ancestors,
  chainTransaction,
  daemonMade,
  keys,
  type MadeTransaction,
  previousTransactions,
  sentTransactions,
  tipHeightOf,
} from '../../support/komodod.ts'

/** The daemon that made file 26, and the sizes in 06, were not bound by the default relay limit. */
const wideNetwork = defineNetwork({ name: 'TOKTEST', nulldataBytesMax: 10_100 })
const burnKey = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead'

function rejects({ findings }: Report): string[] {
  return findings.filter(({ severity }) => severity === 'reject').map(({ code }) => code)
}

function warnings({ findings }: Report): string[] {
  const expected = ['token_parent_unproven']
  return findings
    .filter(({ severity, code }) => severity === 'warn' && !expected.includes(code))
    .map(({ code }) => code)
}

function evidenceOf(hex: string): Evidence {
  return { previousTransactions: previousTransactions(hex), tipHeight: tipHeightOf(hex) }
}

function signerOf(hex: string): string {
  const { inputs } = decodeTransaction(hex)
  const { A, B } = keys
  return inputs.some(({ scriptSig }) => scriptSig.includes(B.pubkey)) ? B.pubkey : A.pubkey
}

// The daemon reads a leading number in coins from a supply text. The values are written by hand.
const supplies: Record<string, bigint> = {
  '0.00001': 1000n,
  '2': 200_000_000n,
  '0.00000001': 1n,
  '1e2': 10_000_000_000n,
  ' 1': 100_000_000n,
  '1abc': 100_000_000n,
  '0.0001': 10_000n,
}
// The daemon reads malformed hex up to the first character that is not a pair of digits.
const readData: Record<string, string> = { f7a: 'f7', 'f7 01': 'f701' }

function createIntentOf({ params }: MadeTransaction): CreateIntent {
  const [name, supply, description = '', data] = params as [string, string, string?, string?]
  return {
    name,
    supply: supplies[supply]!,
    description,
    owner: keys.A.pubkey,
    network: wideNetwork,
    ...(data !== undefined && { data: readData[data] ?? data }),
  }
}

const creates = daemonMade.filter(({ method }) => method === 'tokencreate')
const transfers = daemonMade.filter(({ method }) => method === 'tokentransfer')

test.each(creates)('$file: $note', (made) => {
  const report = verifyTokenCreate(made.hex, createIntentOf(made), evidenceOf(made.hex))
  expect(rejects(report)).toEqual([])
  expect(report.ok).toBe(true)
  expect(report.fee).toBe(10_000n)
})

/** The daemon made these, but a wallet should never have asked for them. */
const senseless: Record<string, string> = {
  'tokentransfer to the global tokens pubkey': 'intent_module_key',
  'tokentransfer to pubkey: empty': 'intent_pubkey',
  'tokentransfer to pubkey: bad hex': 'intent_pubkey',
  'tokentransfer to pubkey: not on curve': 'intent_pubkey',
  'tokentransfer to pubkey: 65 byte': 'intent_pubkey',
}

test.each(transfers)('$file: $note', (made) => {
  const [tokenid, destination, amount] = made.params as [string, string, string]
  const intent: TransferIntent = {
    tokenid,
    destination,
    amount: BigInt(amount),
    from: signerOf(made.hex),
    burn: destination === burnKey,
  }
  const evidence = { ...evidenceOf(made.hex), tokenCreate: chainTransaction(tokenid) }
  const report = verifyTokenTransfer(made.hex, intent, evidence)
  const reason = senseless[made.note]
  expect(rejects(report)).toEqual(reason === undefined ? [] : [reason])
  if (reason !== undefined) return
  expect(report).toMatchObject({ ok: true, fee: 10_000n })
  expect(report.effects.at(-1)).toMatchObject({ role: 'nulldata' })
  expect(report.effects[0]).toMatchObject({ role: 'destination', value: BigInt(amount) })
})

const baseline = {
  tokenid: keys.txids.nodesc!,
  destination: keys.B.pubkey,
  amount: 10n,
  from: keys.A.pubkey,
}

function checkMutated(hex: string): Report {
  const previous = (() => {
    try {
      return previousTransactions(hex)
    } catch {
      return []
    }
  })()
  return verifyTokenTransfer(hex, baseline, {
    previousTransactions: previous,
    tokenCreate: chainTransaction(baseline.tokenid),
    tipHeight: 30,
  })
}

/**
 * Recording 13 is one transfer of 10 of 60 units, changed in 66 ways and rightly signed again. The
 * codes that each must be rejected with, and whether the daemon took it.
 */
const mutated: [note: string, codes: string[]][] = [
  [
    'CC change one too small (49, rest to normal change): token inputs 60 != outputs 59',
    ['token_change', 'token_imbalance'],
  ],
  ['CC change one too large (51): inflation', ['token_change', 'token_imbalance']],
  ['dest amount one too large (11)', ['amount', 'token_imbalance']],
  [
    'CC change one too large without lowering normal change (fee one lower)',
    ['token_change', 'token_imbalance', 'fee_too_low'],
  ],
  [
    'CC change output dropped, its coins to normal change',
    ['token_change_destination', 'token_imbalance'],
  ],
  ['opret names another existing tokenid', ['tokenid']],
  ['opret names an unknown tokenid', ['tokenid']],
  ['opret tokenid in the other byte order', ['tokenid']],
  ['opret tokenid zero', ['tokenid']],
  ['no opret', ['nulldata_missing']],
  ['opret not the last output', ['nulldata_position']],
  ["opret funcid 'c'", ['nulldata_malformed']],
  ["opret funcid 'x'", ['nulldata_malformed']],
  ['opret evalcode f3', ['nulldata_malformed']],
  ['opret evalcode f5 (tokens v2)', ['nulldata_malformed']],
  ['opret pubkey C while CC output goes to B', ['nulldata_pubkeys']],
  ['opret without pubkeys (ccType 0) while CC output goes to B', ['nulldata_pubkeys']],
  ['trailing byte 00 (OP_0) after the opret push', ['nulldata_trailing']],
  ['opret payload truncated by one byte', ['nulldata_malformed']],
  ['opret output with value 1', ['nulldata_value']],
  [
    'output amounts changed after signing (no re-sign): dest 11',
    ['amount', 'token_imbalance', 'fee_too_low', 'signature', 'signature'],
  ],
  ['normal change larger than the inputs allow', ['fee_too_low']],
  ['zero fee (all to normal change)', ['fee_too_low']],
  ['fee 1 sat', ['fee_too_low']],
  ['negative output value', ['value_range', 'fee_too_high']],
  ['output value above MAX_MONEY', ['value_range', 'fee_too_low']],
  [
    'CC input duplicated',
    ['duplicate_input', 'token_change', 'token_imbalance', 'token_supply', 'fee_too_high'],
  ],
  [
    'CC input refers to an unknown tx',
    ['prevout_missing', 'unexpected_output', 'token_imbalance', 'fee_unknown'],
  ],
  [
    'CC input refers to a missing vout',
    ['prevout_index', 'unexpected_output', 'token_imbalance', 'fee_unknown'],
  ],
  ['expiryheight 1 (already expired)', ['expired']],
  ['locktime in the future with non-final sequence', ['lock_time']],
  ['locktime timestamp +1h non-final', ['lock_time']],
  ['no normal input at all (only the CC input, fee 0)', ['fee_too_low']],
  [
    'three CC outputs: B 10, C 5 (C not in opret), change 45',
    ['token_change', 'unexpected_output', 'token_imbalance'],
  ],
  [
    'all token outputs dropped (tokens turned into normal coins)',
    ['destination', 'token_change_destination', 'token_imbalance'],
  ],
  ['wrong version group id', ['unknown_transaction_format']],
  [
    'two pubkeys in opret (B,C), outputs B 10, C 20, change',
    ['token_change', 'unexpected_output', 'token_imbalance', 'nulldata_pubkeys'],
  ],
  ['two outputs to B', ['token_change', 'unexpected_output', 'token_imbalance']],
  [
    'opret ccType 0, everything back to A (self)',
    ['token_change', 'destination', 'nulldata_pubkeys'],
  ],
  ['opret with an extra blob (opretid 0x11, 4 bytes aabbccdd)', ['nulldata_extra']],
  ['opret with an extra blob (opretid 0x63, 4 bytes)', ['nulldata_extra']],
  ['normal change to a P2SH', ['native_change_destination']],
  ['locktime far in the future but all sequences final', ['lock_time']],
  ['expiryheight 500000000 (too high)', ['expiry_range']],
  ['zero-value CC output to A', ['unexpected_output', 'zero_token_output']],
  ['dust normal output (100 sat)', ['unexpected_output']],
  ['hex truncated by one byte', ['truncated']],
  ['hex with one extra byte', ['trailing_bytes']],
  ['odd-length hex', ['odd_length_hex']],
  ['not hex', ['malformed_hex']],
  ['empty string', ['empty_input']],
]

/** Changes that cost the sender nothing: verification passes, with warnings. */
const harmless: [note: string, warnings: string[]][] = [
  ['CC input first, normal input second', ['input_order']],
  ['CC change before the dest output (order swapped)', ['output_order']],
  ['opret pushed with OP_PUSHDATA2 (non-minimal)', ['nulldata_push']],
  ['opret pushed with OP_PUSHDATA1 (non-minimal for 69 bytes)', ['nulldata_push']],
  ['normal change as P2PKH instead of P2PK', ['native_change_form']],
  ['expiryheight 0 (never expires)', ['no_expiry']],
  ['upper-case hex', []],
  // The same hex as another row, sent with a wrong second parameter.
  ['bad 2nd param', []],
]

/** These differ in signatures alone. */
const signatures: [note: string, code: string][] = [
  ['CC signature corrupted (1 bit)', 'signature'],
  ['CC input signed by the wrong key (B), pubkey in condition still A', 'signature'],
  ['CC sighash byte 02 instead of 01', 'signature'],
  ['CC input with empty scriptSig', 'unsigned'],
  ['extra OP_0 push before the fulfillment', 'signature'],
  ['normal input signature corrupted', 'signature'],
  ['signed for branch id 0 (sprout)', 'signature'],
  ['signed for overwinter branch id 5ba81b19', 'signature'],
]

const recording13 = sentTransactions('13-mutated-transfers')

function sent(note: string): string {
  return recording13.find((transaction) => transaction.note === note)!.hex
}

test('every transaction of recording 13 is in one of the tables', () => {
  const named = [...mutated, ...harmless, ...signatures].map(([note]) => note)
  expect(recording13.map(({ note }) => note).sort()).toEqual(named.sort())
})

test.each(mutated)('rejects: %s', (note, codes) => {
  const report = checkMutated(sent(note))
  expect(report.ok).toBe(false)
  expect(rejects(report)).toEqual(codes)
})

test.each(harmless)('lets pass, with a warning: %s', (note, codes) => {
  const report = checkMutated(sent(note))
  expect(rejects(report)).toEqual([])
  expect(warnings(report)).toEqual(codes)
})

test.each(signatures)('rejects: %s', (note, code) => {
  expect(new Set(rejects(checkMutated(sent(note))))).toEqual(new Set([code]))
})

test('rejects 15 of 21 odd transactions that the chain accepted', () => {
  const accepted = recording13.filter((transaction) => transaction.accepted)
  const rejected = accepted.filter(({ hex }) => !checkMutated(hex).ok)
  expect([rejected.length, accepted.length]).toEqual([15, 21])
})

/**
 * Recordings 18 and 20: transfers crafted to burn, fake or steal tokens, verified as answers to the
 * same request. No code means that the transfer agrees with the request.
 */
const crafted: { readonly [file: string]: [note: string, code: string][] } = {
  '18-crafted-transfers': [
    ['inputs of two tokenids, opret names the first, both sent to B', 'duplicate_input'],
    [
      "inputs of two tokenids, opret names the first; second token's coins to normal change",
      'duplicate_input',
    ],
    [
      'fake transfer: CC output to B paid with normal coins only, opret t of a real tokenid',
      'token_imbalance',
    ],
    ['B tries to spend the fake token output as a token transfer', 'foreign_condition_input'],
    [
      'B tries to turn the fake token output into normal coins (no opret)',
      'foreign_condition_input',
    ],
    [
      'B tries to turn the fake token output into normal coins (with token opret)',
      'foreign_condition_input',
    ],
    ['transfer 1 (stays in mempool)', ''],
    ['transfer 2 spending the unconfirmed CC change of transfer 1', 'amount'],
    ['transfer X', ''],
    ['conflicting transfer (same inputs) while transfer X is in the mempool', 'amount'],
    ['conflicting transfer after X was mined', 'amount'],
  ],
  '20-crafted-transfers-2': [
    [
      'inputs of two tokenids, opret names the first, all CC outputs to B/A (amounts of both)',
      'foreign_token_input',
    ],
    [
      "inputs of two tokenids, opret names the first; second token's coins to normal change",
      'foreign_token_input',
    ],
    [
      'spend the marker of a fungible token (10000 sat, known global key) to normal coins with opret t',
      'marker_spend',
    ],
    ['spend the marker to B as a token output', 'marker_spend'],
    ['spend the marker together with a valid transfer', 'marker_spend'],
    ['broadcast of the transfer to the global pubkey', 'destination'],
    ['broadcast of transfer to pubkey: empty', 'destination'],
    ['broadcast of transfer to pubkey: bad hex', 'destination'],
    ['broadcast of transfer to pubkey: not on curve', 'destination'],
    ['broadcast of transfer to pubkey: 65 byte', 'destination'],
  ],
}

describe.each(Object.entries(crafted))('%s', (file, rows) => {
  const sent = new Map(sentTransactions(file).map(({ note, hex }) => [note, hex]))

  test('every transaction is in the table', () => {
    expect(rows.map(([note]) => note).sort()).toEqual([...sent.keys()].sort())
  })

  test.each(rows)('%s: %s', (note, code) => {
    const found = rejects(checkMutated(sent.get(note)!))
    if (code === '') expect(found).toEqual([])
    else expect(found).toContain(code)
  })
})

/** Recording 17: creations that the chain took, every one. */
const craftedCreates: [note: string, codes: string[]][] = [
  ['tokencreate with two CC outputs to A (1000+500)', ['unexpected_output']],
  ['tokencreate whose CC output goes to B (owner in opret A)', ['issuance']],
  ['tokencreate by A inputs but opret owner B', ['owner', 'description']],
  ['tokencreate without marker output', ['marker']],
  ['tokencreate with empty name', ['name', 'description']],
  ['tokencreate with a 60 char name in the opret', ['name', 'description']],
  [
    'tokencreate with NFT data f701 but supply 1000 and single-eval CC output',
    ['name', 'description', 'data'],
  ],
  ['tokencreate without any token CC output (P2PKH instead)', ['issuance', 'unexpected_output']],
  ['tokencreate with opret evalcode f5', ['nulldata_malformed']],
  ['tokencreate with the opret first', ['nulldata_position']],
]

function checkCrafted(note: string): Report {
  const { hex } = sentTransactions('17-crafted-tokencreates').find((item) => item.note === note)!
  const intent = { name: 'CRAFT', supply: 1000n, description: 'crafted', owner: keys.A.pubkey }
  const evidence = { previousTransactions: previousTransactions(hex), tipHeight: 60 }
  return verifyTokenCreate(hex, intent, evidence)
}

test.each(craftedCreates)('rejects: %s', (note, codes) => {
  expect(rejects(checkCrafted(note))).toEqual(codes)
})

test('a creation whose marker comes second passes with a warning', () => {
  const report = checkCrafted('tokencreate with marker at vout 1 and tokens at vout 0')
  expect(rejects(report)).toEqual([])
  expect(warnings(report)).toEqual(['chain_unbound', 'output_order'])
})

test('a transfer to two recipients agrees when both were asked for', () => {
  const hex = sent('two pubkeys in opret (B,C), outputs B 10, C 20, change')
  const recipients = [
    { pubkey: keys.B.pubkey, amount: 10n },
    { pubkey: keys.C.pubkey, amount: 20n },
  ]
  const evidence = {
    previousTransactions: previousTransactions(hex),
    tokenCreate: chainTransaction(baseline.tokenid),
    tipHeight: 30,
  }
  const agreeing = verifyTokenTransfer(hex, { ...baseline, recipients }, evidence)
  expect(rejects(agreeing)).toEqual([])
  const reversed = { ...baseline, recipients: [...recipients].reverse() }
  expect(rejects(verifyTokenTransfer(hex, reversed, evidence))).toEqual(['intent_recipients'])
  const [first, second] = recipients
  const greedy = { ...baseline, recipients: [first!, { ...second!, amount: 21n }] }
  expect(rejects(verifyTokenTransfer(hex, greedy, evidence))).toContain('amount')
})

const sensible = transfers.filter(({ note }) => senseless[note] === undefined)

function sensibleIntent({ params, hex }: (typeof sensible)[number]): TransferIntent {
  const [tokenid, destination, amount] = params as [string, string, string]
  const burn = destination === burnKey
  return { tokenid, destination, amount: BigInt(amount), from: signerOf(hex), burn }
}

test.each(sensible)('given its parents nothing speaks against it: $file: $note', (made) => {
  const report = verifyTokenTransfer(made.hex, sensibleIntent(made), evidenceOf(made.hex))
  expect(rejects(report)).toEqual([])
})

test.each(sensible)(
  'a transaction with all its ancestors leaves nothing unproven: $file: $note',
  (made) => {
    const report = verifyTokenTransfer(made.hex, sensibleIntent(made), {
      previousTransactions: ancestors(made.hex),
      tipHeight: tipHeightOf(made.hex),
    })
    expect(rejects(report)).toEqual([])
    expect(report.findings.map(({ code }) => code)).not.toContain('token_parent_unproven')
  },
)

test.each([
  ['all its ancestors', ancestors],
  ['its parents', previousTransactions],
])('a token made from nothing is found out from %s', (_, given) => {
  const note = 'B tries to spend the fake token output as a token transfer'
  const { hex } = sentTransactions('18-crafted-transfers').find((item) => item.note === note)!
  const intent = {
    tokenid: baseline.tokenid,
    destination: keys.A.pubkey,
    amount: decodeTransaction(hex).outputs[0]!.value,
    from: keys.B.pubkey,
  }
  const report = verifyTokenTransfer(hex, intent, { previousTransactions: given(hex) })
  expect(rejects(report)).toContain('fake_token_input')
})
