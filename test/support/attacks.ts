// The attacks of the project's threat model that change a transaction, with its numbers. Each
// changes a real transfer, of 850 of 900 units from two coins, and names the finding that it
// draws. The file test/node/attack-families.test.ts has the answers that a daemon would give.

import {
  conditionScriptSig,
  decodeConditionScriptSig,
  decodeTransaction,
  defineNetwork,
  type Evidence,
  encodeFulfillment,
  encodeTransaction,
  signFulfillment,
  type TransactionFields,
  type TransferIntent,
  tokenConditionTree,
  tokenScript,
  transactionId,
} from '../../src/index.ts'
import type { FindingCode } from '../../src/request/report.ts'
import { pubkeyHashScript } from '../../src/script/key-script.ts'
import {
  ancestors,
  chainTransaction,
  daemonMade,
  keys,
  previousTransactions,
  sentTransactions,
} from '../support/komodod.ts'
import {
  a,
  b,
  both,
  burnedToken,
  type Change,
  c,
  drop,
  fields,
  insert,
  markerOfToken,
  move,
  nftCoin,
  output,
  outputs,
  ownNative,
  p2pk,
  payload,
  privateKeys,
  spend,
  tokenid,
} from '../support/resigned.ts'
import { type SigningOptions, sign } from '../support/sign.ts'
import { chain } from '../support/vectors.ts'
import { madeUpInputs } from './made-up.ts'

export const { hex } = daemonMade.find(({ note }) => note === 'transfer A->C needing 2 CC inputs')!
export const base = decodeTransaction(hex)
export const tipHeight = base.expiryHeight - 201
export const intent: TransferIntent = { tokenid, destination: c, amount: 850n, from: a }
export const attacker = b

export interface Given {
  readonly hex: string
  readonly intent?: Partial<TransferIntent>
  readonly evidence?: Partial<Evidence>
}

/** The transfer changed and rightly signed again. */
export const signed = (change: Change, options: Partial<SigningOptions> = {}): Given => ({
  hex: sign({ tx: change(base) }, { keys: privateKeys, ...options }),
})

/** The transfer changed and not signed again: for what nobody could sign. */
export const changed = (change: Change): Given => ({ hex: encodeTransaction(change(base)) })

export const text = (hex: string): Given => ({ hex })

const replaced = (from: string, to: string): Given => {
  if (hex.split(from).length !== 2) throw new Error(`${from} is not there once`)
  return text(hex.replace(from, to))
}

export const input =
  (index: number, change: Partial<TransactionFields['inputs'][number]>): Change =>
  (tx) => ({ ...tx, inputs: tx.inputs.map((it, at) => (at === index ? { ...it, ...change } : it)) })

const scriptSig = (index: number, change: (hex: string) => string): Given =>
  changed((tx) => input(index, { scriptSig: change(tx.inputs[index]!.scriptSig) })(tx))

/** An own coin that somebody tells us of, and a transfer that spends it and nothing else native. */
export function withCoin(value: bigint, change: Change): Given {
  const money = encodeTransaction({
    ...base,
    inputs: madeUpInputs,
    outputs: [{ value, script: p2pk(a) }],
  })
  const tx = change(input(0, { txid: transactionId(money), vout: 0 })(base))
  const known = [money, ...previousTransactions(hex)]
  const byTxid = new Map(known.map((it) => [transactionId(it), decodeTransaction(it)]))
  const prevouts = tx.inputs.map(({ txid, vout }) => byTxid.get(txid)!.outputs[vout]!)
  return {
    // a negative value cannot be signed
    hex: value < 0n ? encodeTransaction(tx) : sign({ tx, prevouts }, { keys: privateKeys }),
    evidence: { previousTransactions: known },
  }
}

export const onBranch = (branchId: number) => ({ network: defineNetwork({ branchId }) })

/** Returns evidence with a tampered copy of the spent outputs. */
const lied = (change: Change): Given => ({
  hex,
  evidence: {
    previousTransactions: previousTransactions(hex).map((it) =>
      encodeTransaction(change(decodeTransaction(it))),
    ),
  },
})

const blob = base.outputs[3]!.script.slice(4)
const otherToken = keys.txids.nodesc!
const reversed = tokenid.match(/../g)!.reverse().join('')

/** A coin of the own key that a transfer of another token made. */
function coinOfOtherTransfer(): [txid: string, vout: number] {
  for (const { txid, hex } of chain) {
    const { outputs } = decodeTransaction(hex)
    if (!outputs.at(-1)!.script.includes(`f274${otherToken}`)) continue
    const vout = outputs.findIndex(({ script }) => script === tokenScript(a))
    if (vout >= 0) return [txid, vout]
  }
  throw new Error('none recorded')
}

const shieldedOutput = {
  cv: '00'.repeat(32),
  cmu: '00'.repeat(32),
  ephemeralKey: '00'.repeat(32),
  encCiphertext: '00'.repeat(580),
  outCiphertext: '00'.repeat(80),
  proof: '00'.repeat(192),
}
const joinSplit = {
  vpubOld: 0n,
  vpubNew: 0n,
  anchor: '00'.repeat(32),
  nullifiers: ['00'.repeat(32), '00'.repeat(32)] as const,
  commitments: ['00'.repeat(32), '00'.repeat(32)] as const,
  ephemeralKey: '00'.repeat(32),
  randomSeed: '00'.repeat(32),
  macs: ['00'.repeat(32), '00'.repeat(32)] as const,
  proof: '00'.repeat(192),
  ciphertexts: ['00'.repeat(601), '00'.repeat(601)] as const,
}

/** The condition's own fulfillment with less in it: the key's part only as a condition. */
function lowered(sig: string): string {
  const { tree } = decodeConditionScriptSig(sig)!
  if (tree.type !== 'threshold-sha-256') throw new Error('no threshold')
  return conditionScriptSig({ ...tree, threshold: 1 })
}

function fulfilledBy(pubkey: string): string {
  const tree = signFulfillment(
    tokenConditionTree(pubkey),
    '00'.repeat(32),
    privateKeys.get(pubkey)!,
  )
  return conditionScriptSig(encodeFulfillment(tree))
}

const fake = sentTransactions('18-crafted-transfers').find(
  ({ note }) => note === 'B tries to spend the fake token output as a token transfer',
)!.hex

export type Row = [id: number, attack: string, given: () => Given, code: FindingCode]

export const rejected: Row[] = [
  [1, 'odd length', () => text(hex.slice(1)), 'odd_length_hex'],
  [2, 'no hex digit', () => text(`${hex.slice(0, -2)}zz`), 'malformed_hex'],
  [4, '0x before it', () => text(`0x${hex}`), 'malformed_hex'],
  [4, 'blank after it', () => text(`${hex} \n`), 'malformed_hex'],
  [5, 'nothing', () => text(''), 'empty_input'],
  [6, 'a byte after it', () => text(`${hex}00`), 'trailing_bytes'],
  [
    8,
    'count of inputs in a longer form',
    () => replaced('2f8903', '2f89fd0300'),
    'non_canonical_length',
  ],
  [
    9,
    'count of outputs in a longer form',
    () => replaced('ffffffff045203', 'fffffffffd04005203'),
    'non_canonical_length',
  ],
  [
    9,
    'length of a script in a longer form',
    () => replaced('5203000000000000302ea2', '5203000000000000fd30002ea2'),
    'non_canonical_length',
  ],
  [10, 'segregated witness', () => text(`010000000001${hex.slice(16)}`), 'segwit_unsupported'],
  [11, 'twice', () => text(hex + hex), 'trailing_bytes'],
  [
    12,
    "an error's text in hex",
    () => text(Buffer.from('{"error":"x"}').toString('hex')),
    'count_over_input',
  ],
  [13, 'too much', () => text('00'.repeat(200_001)), 'too_large'],

  [
    14,
    'version 1',
    () => signed(fields({ version: 1, overwintered: false, versionGroupId: 0, expiryHeight: 0 })),
    'version',
  ],
  [
    15,
    'version 4 without its mark',
    () => changed(fields({ overwintered: false, versionGroupId: 0, expiryHeight: 0 })),
    'version',
  ],
  [
    16,
    'another version group',
    () => replaced('0400008085202f89', '0400008085202f88'),
    'unknown_transaction_format',
  ],
  [17, 'expired', () => signed(fields({ expiryHeight: tipHeight })), 'expired'],
  [19, 'expires in a year', () => signed(fields({ expiryHeight: 525_600 })), 'expiry_range'],
  [
    19,
    'expires beyond all heights',
    () => signed(fields({ expiryHeight: 500_000_000 })),
    'expiry_range',
  ],
  [
    20,
    'locked',
    () => signed(both(fields({ lockTime: 1_000_000 }), input(0, { sequence: 0xfffffffe }))),
    'lock_time',
  ],
  [22, 'value out of the shielded pool', () => signed(fields({ valueBalance: 1n })), 'shielded'],
  [
    23,
    'a shielded output',
    () => changed(fields({ shieldedOutputs: [shieldedOutput], bindingSig: '00'.repeat(64) })),
    'shielded',
  ],
  [
    24,
    'a join-split',
    () =>
      changed(
        fields({
          joinSplits: [joinSplit],
          joinSplitPubKey: '00'.repeat(32),
          joinSplitSig: '00'.repeat(64),
        }),
      ),
    'shielded',
  ],
  [
    25,
    'signed for another branch',
    () => signed((tx) => tx, { branchId: 0x5ba81b19 }),
    'signature',
  ],
  [25, 'signed for another chain', () => ({ hex, intent: onBranch(0x5ba81b19) }), 'signature'],

  [
    26,
    'an input twice',
    () => signed((tx) => ({ ...tx, inputs: [...tx.inputs, tx.inputs[1]!] })),
    'duplicate_input',
  ],
  [
    27,
    'an input of nothing',
    () => changed(input(0, { txid: '00'.repeat(32), vout: 0xffffffff })),
    'null_prevout',
  ],
  [
    28,
    'a previous transaction is missing',
    () => ({ hex, evidence: { previousTransactions: [] } }),
    'prevout_missing',
  ],
  [
    29,
    'a previous transaction is another',
    () => lied(fields({ expiryHeight: 1 })),
    'prevout_missing',
  ],
  [30, 'an output that is not there', () => changed(input(1, { vout: 77 })), 'prevout_index'],
  [31, 'another amount is told', () => lied(move(1, 0, 1n)), 'prevout_missing'],
  [31, 'a coin of less than nothing', () => withCoin(-1n, (tx) => tx), 'value_range'],
  [
    32,
    'another script is told',
    () => lied(output(0, { script: p2pk(attacker) })),
    'prevout_missing',
  ],
  [
    33,
    'one more own coin, for the miners',
    () =>
      signed(
        both(
          spend(...ownNative, 2),
          move(2, 3, 99_000_000n),
          drop(3),
          insert(3, 0n, base.outputs[3]!.script, 2),
        ),
      ),
    'fee_too_high',
  ],
  [
    34,
    'one more own token, for the attacker',
    () => signed(both(spend(tokenid, 1, 1), output(1, { script: tokenScript(attacker) }))),
    'token_change_destination',
  ],
  [
    35,
    'tokens of another kind',
    () => signed(spend(...coinOfOtherTransfer(), 2)),
    'foreign_token_input',
  ],
  [
    36,
    "another module's coin",
    () => signed(spend(keys.txids.ask!, 1, 2)),
    'foreign_condition_input',
  ],
  [37, 'the marker', () => signed(spend(...markerOfToken, 2)), 'marker_spend'],
  [38, 'a non-fungible token', () => signed(spend(...nftCoin, 2)), 'foreign_condition_input'],
  [
    41,
    'tokens from nothing',
    () => ({
      hex: fake,
      intent: {
        tokenid: otherToken,
        destination: a,
        amount: decodeTransaction(fake).outputs[0]!.value,
        from: b,
      },
      evidence: {
        previousTransactions: ancestors(fake),
        tokenCreate: chainTransaction(otherToken),
      },
    }),
    'fake_token_input',
  ],
  [42, "another creation's tokens", () => signed(spend(...burnedToken, 2)), 'foreign_token_input'],
  [
    43,
    'the right script, another name',
    () => signed(spend(...coinOfOtherTransfer(), 1)),
    'foreign_token_input',
  ],
  [
    44,
    'nulldata',
    () => changed(input(1, { vout: 3, txid: base.inputs[0]!.txid })),
    'unexpected_input',
  ],
  [
    45,
    '1025 inputs',
    () =>
      changed((tx) => ({
        ...tx,
        inputs: Array.from({ length: 1025 }, (_, vout) => ({
          ...tx.inputs[0]!,
          vout,
          scriptSig: '',
        })),
      })),
    'too_many_inputs',
  ],

  [47, 'a unit less', () => signed(move(0, 1, 1n)), 'amount'],
  [48, 'a unit more', () => signed(move(1, 0, 1n)), 'amount'],
  [
    49,
    'another destination',
    () => signed(output(0, { script: tokenScript(attacker) })),
    'destination',
  ],
  [
    50,
    'the key of the other parity',
    () =>
      signed(
        output(0, { script: tokenScript(`${c.startsWith('02') ? '03' : '02'}${c.slice(2)}`) }),
      ),
    'destination',
  ],
  [
    51,
    "another module's condition",
    () => signed(output(0, { script: tokenScript(c, { evalCodes: [0xf1] }) })),
    'destination_condition',
  ],
  [
    52,
    'one of two keys',
    () => signed(output(0, { script: tokenScript([c, attacker]) })),
    'destination',
  ],
  [
    53,
    'token change for the attacker',
    () => signed(output(1, { script: tokenScript(attacker) })),
    'token_change_destination',
  ],
  [54, 'no token change', () => signed(drop(1, 2)), 'token_imbalance'],
  [55, 'more tokens than there were', () => signed(move(2, 1, 10n)), 'token_imbalance'],
  [
    56,
    'one more token output',
    () => signed(insert(2, 1n, tokenScript(attacker), 2)),
    'unexpected_output',
  ],
  [
    57,
    'a token output of nothing',
    () => signed(insert(2, 0n, tokenScript(a), 2)),
    'zero_token_output',
  ],
  [58, 'a negative amount', () => replaced('5203000000000000', 'ffffffffffffffff'), 'value_range'],
  [
    59,
    'more than there can be',
    () => ({ ...signed((tx) => tx), intent: { network: defineNetwork({ maxMoney: 100n }) } }),
    'value_range',
  ],
  [
    59,
    'a sum beyond all amounts',
    () =>
      changed(both(output(0, { value: (1n << 63n) - 1n }), output(1, { value: (1n << 63n) - 1n }))),
    'value_range',
  ],
  [
    60,
    'one unit beyond the exact doubles',
    () => ({ ...changed(output(0, { value: (1n << 53n) + 1n })), intent: { amount: 1n << 53n } }),
    'amount',
  ],
  [61, 'the amount in two outputs', () => signed(insert(1, 425n, tokenScript(c), 0)), 'amount'],
  [
    62,
    'change for the attacker',
    () => signed(output(2, { script: p2pk(attacker) })),
    'native_change_destination',
  ],
  [63, 'no change', () => signed(drop(2)), 'fee_too_high'],
  [63, 'just enough for change, and none', () => withCoin(20_000n, drop(2)), 'fee_too_high'],
  [
    65,
    'no fee',
    () => signed(output(2, { value: base.outputs[2]!.value + 10_000n })),
    'fee_too_low',
  ],
  [66, 'an absurd fee', () => signed(output(2, { value: 1_000_000n })), 'fee_too_high'],
  [
    67,
    'coins for the attacker',
    () => signed(insert(3, 50_000n, pubkeyHashScript(attacker), 2)),
    'unexpected_output',
  ],
  [
    68,
    'tokens as coins',
    () => signed(output(0, { script: pubkeyHashScript(c) })),
    'destination_condition',
  ],

  [71, 'no nulldata', () => signed(drop(3)), 'nulldata_missing'],
  [
    72,
    'nulldata first',
    () => signed(outputs((all) => [all[3]!, ...all.slice(0, 3)])),
    'nulldata_position',
  ],
  [73, 'two of them', () => signed(insert(3, 0n, base.outputs[3]!.script, 2)), 'multiple_nulldata'],
  [74, 'coins in it', () => signed(move(2, 3, 1n)), 'nulldata_value'],
  [
    75,
    'another tokenid',
    () => signed(payload((it) => it.replace(tokenid, otherToken))),
    'tokenid',
  ],
  [
    76,
    'the tokenid reversed',
    () => signed(payload((it) => it.replace(tokenid, reversed))),
    'tokenid',
  ],
  [77, 'function c', () => signed(payload((it) => `f263${it.slice(4)}`)), 'nulldata_malformed'],
  [77, 'a creation', () => signed(payload(() => `f26321${a}014101${'42'}`)), 'nulldata_function'],
  [77, 'function i', () => signed(payload((it) => `f269${it.slice(4)}`)), 'nulldata_malformed'],
  [77, 'function b', () => signed(payload((it) => `f262${it.slice(4)}`)), 'nulldata_malformed'],
  [77, 'function l', () => signed(payload((it) => `f26c${it.slice(4)}`)), 'nulldata_malformed'],
  [77, 'function T', () => signed(payload((it) => `f254${it.slice(4)}`)), 'nulldata_malformed'],
  [78, 'eval code f1', () => signed(payload((it) => `f1${it.slice(2)}`)), 'nulldata_malformed'],
  [78, 'eval code f3', () => signed(payload((it) => `f3${it.slice(2)}`)), 'nulldata_malformed'],
  [78, 'tokens v2', () => signed(payload((it) => `f57401${it.slice(4, 68)}`)), 'nulldata_layout'],
  [79, 'no key', () => signed(payload((it) => `${it.slice(0, 68)}00`)), 'nulldata_pubkeys'],
  [
    79,
    "the attacker's key",
    () => signed(payload((it) => it.replace(c, attacker))),
    'nulldata_pubkeys',
  ],
  [
    79,
    'two keys',
    () => signed(payload((it) => `${it.slice(0, 68)}0221${c}21${attacker}`)),
    'nulldata_pubkeys',
  ],
  [
    79,
    'three keys',
    () => signed(payload((it) => `${it.slice(0, 68)}0321${c}21${attacker}21${a}`)),
    'nulldata_malformed',
  ],
  [81, 'a payload cut short', () => signed(payload((it) => it.slice(0, -2))), 'nulldata_malformed'],
  [81, 'a byte after it', () => signed(payload((it) => `${it}00`)), 'nulldata_trailing'],
  [
    82,
    'an order of the assets module',
    () => signed(payload((it) => `${it}122ce3734014502e0000000021${attacker}`)),
    'nulldata_extra',
  ],
  [82, 'a burn', () => signed(payload((it) => `${it}8004aabbccdd`)), 'nulldata_extra'],
  [
    83,
    'too large to relay',
    () => signed(payload((it) => `${it}1190${'aa'.repeat(0x90)}`)),
    'nulldata_too_large',
  ],
  [
    84,
    "tokeld's layout of the same",
    () => signed(payload((it) => `f25401${it.slice(4)}`)),
    'nulldata_layout',
  ],

  [85, 'not signed', () => scriptSig(1, () => ''), 'unsigned'],
  [86, 'a lower threshold', () => scriptSig(1, lowered), 'signature'],
  [87, "another key's fulfillment", () => scriptSig(1, () => fulfilledBy(attacker)), 'signature'],
  [
    88,
    'a bit of a signature',
    () =>
      scriptSig(1, (it) =>
        it.replace(
          /8140(..)/,
          (_, byte) => `8140${(Number.parseInt(byte, 16) ^ 1).toString(16).padStart(2, '0')}`,
        ),
      ),
    'signature',
  ],
  ...[2, 3, 0x81].map(
    (type): Row => [
      88,
      `hash type ${type}`,
      () => signed((tx) => tx, { hashType: type }),
      'hash_type',
    ],
  ),
  ...[0, 2, 4, 0xff].map(
    (type): Row => [
      88,
      `hash type ${type} in the conditions`,
      () => signed((tx) => tx, { conditionHashType: type }),
      'hash_type',
    ],
  ),
  [89, 'high s', () => signed((tx) => tx, { highS: true }), 'signature'],
  [
    90,
    'a signature in another form',
    () => scriptSig(0, (it) => it.replace(/^(..)30(..)/, '$130$280')),
    'signature',
  ],
  [
    91,
    'a hybrid key',
    () => scriptSig(1, (it) => it.replace(`8021${a}`, `802106${a.slice(2)}`)),
    'signature',
  ],
  [92, 'one more push', () => scriptSig(1, (it) => `00${it}`), 'signature'],
  [92, 'an opcode', () => scriptSig(0, (it) => `${it}61`), 'signature'],
  [92, 'a signature pushed in a longer form', () => scriptSig(0, (it) => `4c${it}`), 'signature'],
  [93, 'signed for another amount', () => signed((tx) => tx, { valueError: 1n }), 'signature'],
]

/** Changes that cost nothing: verification passes, with a warning. */
export const reported: Row[] = [
  [18, 'never expires', () => signed(fields({ expiryHeight: 0 })), 'no_expiry'],
  [21, 'not final', () => signed(input(0, { sequence: 0xfffffffe })), 'sequence'],
  [33, 'an own coin comes back in full', () => signed(spend(...ownNative, 2)), 'extra_input'],
  [
    34,
    'a token coin comes back in full',
    () => ({ ...signed(move(0, 1, 810n)), intent: { amount: 40n } }),
    'extra_input',
  ],
  [39, 'a coinbase is spent', () => coinbaseSpend(), 'immature_coinbase'],
  [
    46,
    'a token first',
    () => signed((tx) => ({ ...tx, inputs: [...tx.inputs.slice(1), tx.inputs[0]!] })),
    'input_order',
  ],
  [64, 'too little for change', () => withCoin(19_999n, drop(2)), 'fee_rounding'],
  [
    69,
    'change before destination',
    () => signed(outputs(([x, y, ...rest]) => [y!, x!, ...rest])),
    'output_order',
  ],
  [80, 'a longer push', () => signed(output(3, { script: `6a4c45${blob}` })), 'nulldata_push'],
  [
    80,
    'a much longer push',
    () => signed(output(3, { script: `6a4d4500${blob}` })),
    'nulldata_push',
  ],
  [
    92,
    'a fulfillment pushed in a longer form',
    () => scriptSig(1, (it) => `4d${it.slice(2, 4)}00${it.slice(4)}`),
    'script_sig',
  ],
]

function coinbaseSpend(): Given {
  const made = daemonMade.find(({ file }) => file.startsWith('07-'))!
  return { hex: made.hex, intent: { destination: b, amount: 100n }, evidence: { tipHeight: 12 } }
}
