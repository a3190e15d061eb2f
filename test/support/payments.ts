// A payment in plain coins of the recorded chain, changed and signed again by the owners of the
// keys. The tests of the verifier, and of the code above it, go through this table of changes.

import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

import {
  decodeTransaction,
  type Evidence,
  encodeTransaction,
  networks,
  type PaymentIntent,
  type Report,
  scriptOfAddress,
  signatureHash,
  signTransaction,
  type TransactionFields,
  transactionId,
  verifyPayment,
} from '../../src/index.ts'
import { formatCoins } from '../../src/primitives/amount.ts'
import { chainTransaction } from './komodod.ts'
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
  othersNative,
  output,
  outputs,
  ownNative,
  p2pk,
  privateKeys,
} from './resigned.ts'
import { compact, der, push } from './sign.ts'

export const network = networks.assetChain
export const tipHeight = 60
/** After the lock times that the recorded daemon set. */
export const tipTime = 1_795_244_000

const hash160 = (hex: string) => bytesToHex(ripemd160(sha256(hexToBytes(hex))))
export const p2pkh = (pubkey: string): string => `76a914${hash160(pubkey)}88ac`
export const p2sh = (redeemScript: string): string => `a914${hash160(redeemScript)}87`

/** Two of A, B and C, as recorded in 15-normal-transactions. */
export const twoOfThree = `5221${a}21${b}21${c}53ae`
export const sharedCoin: [string, number] = [
  '88f68d947cf60f30b88e2238516c737ea65f52dd43c233714d52d37759f17f95',
  1,
]
const sendmany = 'f0122eb897397582413cc47c6fb57350f3a5b56769d1f3135a7a24e48ab5ad3d'

/** Coins of A: one that pays the key, one that pays its hash. */
const addressCoin: [string, number] = [
  sendmany,
  decodeTransaction(chainTransaction(sendmany)).outputs.findIndex(
    ({ script }) => script === p2pkh(a),
  ),
]

const coinsOf = (outpoints: readonly [string, number][]) =>
  outpoints.map(([txid, vout]) => ({ txid, vout, scriptSig: '', sequence: 0xffffffff }))

export const worthOf = ({ txid, vout }: { txid: string; vout: number }): bigint =>
  decodeTransaction(chainTransaction(txid)).outputs[vout]!.value

const inputs = coinsOf([ownNative, addressCoin, sharedCoin])
const spent = inputs.reduce((sum, input) => sum + worthOf(input), 0n)
// the smallest coin is needed too
const paid = [120_000_000n, 295_000_000n]
const fee = 10_000n
export const note = '68656c6c6f'

/** Two recipients, a note, and change back to A. */
export const payment: TransactionFields = {
  version: 4,
  overwintered: true,
  versionGroupId: 0x892f2085,
  inputs,
  outputs: [
    { value: paid[0]!, script: p2pkh(b) },
    { value: paid[1]!, script: p2sh('51') },
    { value: 0n, script: `6a05${note}` },
    { value: spent - paid[0]! - paid[1]! - fee, script: p2pk(a) },
  ],
  lockTime: 0,
  expiryHeight: tipHeight + 201,
}

export const intent: PaymentIntent = {
  recipients: [
    { address: 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2', amount: paid[0]! },
    { script: p2sh('51'), amount: paid[1]! },
  ],
  own: [a],
  redeemScripts: [twoOfThree],
  nulldata: note,
  fee,
  spendable: [...inputs, ...coinsOf([othersNative, burnedToken, markerOfToken])].map(
    ({ txid, vout }) => ({ txid, vout }),
  ),
}

export interface PaymentSigning {
  readonly hashType?: number
  readonly branchId?: number
  readonly highS?: boolean
  readonly valueError?: bigint
  /** Signatures of a shared coin; two are needed. */
  readonly signatures?: number
}

/** The hex of `tx` with every input signed that a key of A, B and C can sign. */
export function signPayment(tx: TransactionFields, options: PaymentSigning = {}): string {
  const { hashType = 1, branchId, highS = false, valueError = 0n, signatures = 2 } = options
  const unsigned = encodeTransaction({
    ...tx,
    inputs: tx.inputs.map((input) => {
      const isShared = scriptOf(input) === p2sh(twoOfThree)
      return { ...input, scriptSig: isShared ? push(twoOfThree) : '' }
    }),
  })
  const type = hashType.toString(16).padStart(2, '0')
  const isVersion4 = tx.overwintered && tx.version === 4
  const signed = tx.inputs.map((input, index) => {
    const script = scriptOf(input)
    const keys = [a, b, c].filter((key) => script?.includes(key) || script === p2pkh(key))
    const isShared = script === p2sh(twoOfThree)
    if (script === undefined || (keys.length === 0 && !isShared)) return input
    const hash = signatureHash(unsigned, index, {
      scriptCode: isShared ? twoOfThree : script,
      value: worthOf(input) + valueError,
      hashType,
      ...(isVersion4 && { branchId: branchId ?? network.branchId }),
    })
    const signature = (key: string) =>
      push(`${der(compact(hash, privateKeys.get(key)!, highS))}${type}`)
    if (isShared) {
      const made = [a, b, c].slice(0, signatures).map(signature).join('')
      return { ...input, scriptSig: `00${made}${push(twoOfThree)}` }
    }
    const key = keys[0]!
    const keyPush = script === p2pkh(key) ? push(key) : ''
    return { ...input, scriptSig: `${signature(key)}${keyPush}` }
  })
  return encodeTransaction({ ...tx, inputs: signed })
}

function scriptOf({ txid, vout }: { txid: string; vout: number }): string | undefined {
  try {
    return decodeTransaction(chainTransaction(txid)).outputs[vout]?.script
  } catch {
    return undefined
  }
}

export function evidenceFor(tx: TransactionFields): Evidence {
  const txids = [...new Set(tx.inputs.map(({ txid }) => txid))]
  const previousTransactions = txids.flatMap((txid) => {
    try {
      return [chainTransaction(txid)]
    } catch {
      return []
    }
  })
  return { previousTransactions, tipHeight, tipTime }
}

export function checkPayment(
  change: Change,
  options: PaymentSigning = {},
  asked: Partial<PaymentIntent> = {},
): Report {
  const tx = change(payment)
  return verifyPayment(signPayment(tx, options), { ...intent, ...asked }, evidenceFor(tx))
}

export const unchanged: Change = (tx) => tx

/** Another coin, whose value goes to the change. */
export const spendToo =
  (outpoint: [string, number], change = 3): Change =>
  (tx) => {
    const [extra] = coinsOf([outpoint])
    const value = worthOf(extra!)
    const all = tx.outputs.map((it, at) =>
      at === change ? { ...it, value: it.value + value } : it,
    )
    return { ...tx, inputs: [...tx.inputs, extra!], outputs: all }
  }

const lessChange = (satoshis: bigint): Change =>
  outputs((all) => all.map((it, at) => (at === 3 ? { ...it, value: it.value - satoshis } : it)))

const withInputs = (change: (all: TransactionFields['inputs']) => TransactionFields['inputs']) =>
  ((tx) => ({ ...tx, inputs: change(tx.inputs) })) as Change

const ownAddressOnAnotherForm = scriptOfAddress('RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2', network)

/** Every one rightly signed, and none what was asked. */
export const paymentCases: [what: string, change: Change, code: string][] = [
  ['one satoshi less to the recipient', move(0, 3, 1n), 'amount'],
  ['one satoshi more to the recipient', move(3, 0, 1n), 'amount'],
  ['nothing to the recipient', move(0, 3, 120_000_000n), 'amount'],
  ['one satoshi from one recipient to the other', move(0, 1, 1n), 'amount'],
  [
    'the recipients have changed places',
    outputs(([x, y, ...rest]) => [{ ...y!, value: x!.value }, { ...x!, value: y!.value }, ...rest]),
    'amount',
  ],
  ['a recipient is left out', drop(0, 3), 'destination'],
  ['the other recipient is left out', drop(1, 3), 'destination'],
  ['a recipient is somebody else', output(0, { script: p2pkh(c) }), 'destination'],
  ['a recipient is the payer', output(0, { script: p2pkh(a) }), 'destination'],
  ["the recipient's key instead of its hash", output(0, { script: p2pk(b) }), 'destination'],
  [
    "the recipient's hash as that of a script",
    output(0, { script: `a914${hash160(b)}87` }),
    'destination',
  ],
  [
    'the script hash as that of a key',
    output(1, { script: `76a914${hash160('51')}88ac` }),
    'destination',
  ],
  ['the key of the other parity', output(0, { script: p2pkh(`03${b.slice(2)}`) }), 'destination'],
  ['the recipient and something after it', output(0, { script: `${p2pkh(b)}51` }), 'destination'],
  [
    'the hash pushed in a longer form',
    output(0, { script: p2pkh(b).replace('76a914', '76a94c14') }),
    'destination',
  ],
  ['a recipient in two halves', insert(1, 60_000_000n, ownAddressOnAnotherForm, 0), 'amount'],
  ['a recipient is paid twice', insert(1, 120_000_000n, p2pkh(b), 3), 'unexpected_output'],
  ['part of the change to another', insert(4, 50_000n, p2pkh(c), 3), 'unexpected_output'],
  ['part of the change to a recipient', insert(4, 50_000n, p2pkh(b), 3), 'unexpected_output'],
  ['an output of nothing to another', insert(4, 0n, p2pkh(c), 3), 'unexpected_output'],
  ['all change to another key', output(3, { script: p2pk(c) }), 'unexpected_output'],
  ['all change to another address', output(3, { script: p2pkh(c) }), 'unexpected_output'],
  ['all change to another script', output(3, { script: p2sh('52') }), 'unexpected_output'],
  ['all change to anyone', output(3, { script: '51' }), 'unexpected_output'],
  ['all change to nobody', output(3, { script: '6a' }), 'unexpected_output'],
  ['change to one of two keys', output(3, { script: `5121${a}21${c}52ae` }), 'unexpected_output'],
  [
    'change to another two of three',
    output(3, { script: p2sh(`5121${a}21${b}21${c}53ae`) }),
    'unexpected_output',
  ],
  [
    'change to a condition',
    output(3, { script: `${'2ea22c8020'}${'11'.repeat(32)}8103120c008203000401cc` }),
    'unexpected_output',
  ],
  ['no change', drop(3), 'fee_too_high'],
  ['a satoshi more of fee', lessChange(1n), 'fee_too_high'],
  ['a fee of a coin', lessChange(100_000_000n), 'fee_too_high'],
  ['a satoshi less of fee', lessChange(-1n), 'fee_too_low'],
  ['no fee', lessChange(-10_000n), 'fee_too_low'],
  ['more than there is', lessChange(-10_001n), 'fee_too_low'],
  ['more than can exist', output(3, { value: (1n << 63n) - 1n }), 'value_range'],
  ['another note', output(2, { script: '6a0568656c6c70' }), 'nulldata_missing'],
  ['no note', drop(2), 'nulldata_missing'],
  ['a note that burns coins', move(3, 2, 1n), 'nulldata_value'],
  ['the note and something after it', output(2, { script: `6a05${note}51` }), 'nulldata_missing'],
  ['the note pushed in a longer form', output(2, { script: `6a4c05${note}` }), 'nulldata_missing'],
  ['a second note', insert(2, 0n, `6a05${note}`, 3), 'unexpected_output'],
  ["somebody else's coin is spent", spendToo(othersNative), 'unexpected_input'],
  ['tokens are spent as coins', spendToo(burnedToken), 'foreign_condition_input'],
  ["a token's marker is spent", spendToo(markerOfToken), 'foreign_condition_input'],
  ['an own coin that may not be spent', spendToo([sendmany, 0]), 'unlisted_input'],
  ['a coin is spent twice', withInputs((all) => [...all, all[0]!]), 'duplicate_input'],
  [
    'a coin of an unknown transaction',
    withInputs((all) => [...all, { ...all[0]!, txid: '11'.repeat(32) }]),
    'prevout_missing',
  ],
  [
    'an output that is not there',
    withInputs((all) => [...all, { ...all[0]!, vout: 99 }]),
    'prevout_index',
  ],
  [
    'a coinbase',
    withInputs((all) => [...all, { ...all[0]!, txid: '00'.repeat(32), vout: 0xffffffff }]),
    'null_prevout',
  ],
  ['it has expired', fields({ expiryHeight: tipHeight }), 'expired'],
  ['it expires far away', fields({ expiryHeight: tipHeight + 401 }), 'expiry_range'],
  ['an expiry that cannot be', fields({ expiryHeight: 500_000_000 }), 'expiry_range'],
  ['it waits for a height', fields({ lockTime: tipHeight + 1 }), 'lock_time'],
  ['it waits for a time', fields({ lockTime: tipTime + 1 }), 'lock_time'],
  ['coins go to the shielded pool', fields({ valueBalance: -1n }), 'shielded'],
  ['coins come from the shielded pool', fields({ valueBalance: 1n }), 'shielded'],
  [
    'a version that no chain has had',
    fields({ version: 5, overwintered: false, versionGroupId: 0, expiryHeight: 0 }),
    'version',
  ],
  [
    'two changes that balance each other',
    both(move(0, 3, 5n), insert(4, 5n, p2pkh(c), 3)),
    'amount',
  ],
]

/** Signed by the right keys, but not for the whole transaction, or not rightly. */
export const paymentSignings: [what: string, options: PaymentSigning, code: string][] = [
  ['NONE', { hashType: 2 }, 'hash_type'],
  ['SINGLE', { hashType: 3 }, 'hash_type'],
  ['ALL|ANYONECANPAY', { hashType: 0x81 }, 'hash_type'],
  ['NONE|ANYONECANPAY', { hashType: 0x82 }, 'hash_type'],
  ['no hash type', { hashType: 0 }, 'signature'],
  ['another branch', { branchId: 0x5ba81b19 }, 'signature'],
  ['another value', { valueError: 1n }, 'signature'],
  ['the high s', { highS: true }, 'signature'],
  ['one of two', { signatures: 1 }, 'unsigned'],
  ['three of two', { signatures: 3 }, 'signature'],
]

/** A transaction with one coin that accrues a reward on KMD from a time on. */
export function agedCoin(value: bigint, script: string, lockTime: number): string {
  return encodeTransaction({
    ...payment,
    inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '51', sequence: 0xffffffff }],
    outputs: [{ value, script }],
    lockTime,
    expiryHeight: 0,
  })
}

/** Ten coins of KMD, of the height and lock time below. */
const tenCoins = agedCoin(1_000_000_000n, p2pk(a), 1_700_000_000)
export const rewardTxid: string = transactionId(tenCoins)
/** Above every block that a coin of KMD is in here. */
export const komodoTip = 4_000_000
/** A month after it, and in a block after season 7. */
export const rewardEvidence: Evidence = {
  previousTransactions: [tenCoins],
  tipHeight: komodoTip,
  tipTime: 1_700_000_000 + 31 * 24 * 3600,
  heights: { [rewardTxid]: 3_600_000 },
}

/** A payment of nine coins of those, with `claimed` more in the change than there is. */
export function paymentOnKomodo(claimed: bigint): { hex: string; intent: PaymentIntent } {
  const tx = {
    ...payment,
    expiryHeight: komodoTip + 200,
    inputs: coinsOf([[rewardTxid, 0]]),
    outputs: [
      { value: 900_000_000n, script: p2pkh(b) },
      { value: 99_990_000n + claimed, script: p2pk(a) },
    ],
  }
  const spent = { value: 1_000_000_000n, script: p2pk(a) }
  const { hex } = signTransaction(tx, [privateKeys.get(a)!], [spent], networks.komodo)
  const intent = {
    recipients: [{ script: p2pkh(b), amount: 900_000_000n }],
    own: [a],
    fee: 10_000n,
    network: networks.komodo,
    spendable: tx.inputs.map(({ txid, vout }) => ({ txid, vout })),
  }
  return { hex, intent }
}

export function checkOnKomodo(evidence: Partial<Evidence>, claimed = 0n): Report {
  const { hex, intent } = paymentOnKomodo(claimed)
  return verifyPayment(hex, intent, { ...rewardEvidence, ...evidence })
}

const manyCoins = agedCoin(1_000_000_000_000n, p2pk(a), 1_700_000_000)
/** The reward of 10,000 coins of KMD in a month: 1e12 / 10512000 * (44640 - 59) / 500. */
export const manyReward = 8_481_891n

/** Pays `paid` of 10,000 coins of KMD to B, and all but `left` of the rest back to A. */
export function checkManyCoins(
  { paid, left }: { readonly paid: bigint; readonly left: bigint },
  asked: Partial<PaymentIntent> = {},
  evidence: Partial<Evidence> = {},
): Report {
  const txid = transactionId(manyCoins)
  const value = 1_000_000_000_000n
  const outputs = [
    { value: paid, script: p2pkh(b) },
    { value: value - paid - left, script: p2pk(a) },
  ]
  const inputs = coinsOf([[txid, 0]])
  const tx = { ...payment, inputs, outputs, expiryHeight: komodoTip + 200 }
  const spent = [{ value, script: p2pk(a) }]
  const { hex } = signTransaction(tx, [privateKeys.get(a)!], spent, networks.komodo)
  const wanted = {
    recipients: [{ script: p2pkh(b), amount: paid }],
    own: [a],
    network: networks.komodo,
    spendable: [{ txid, vout: 0 }],
  }
  return verifyPayment(
    hex,
    { ...wanted, ...asked },
    {
      previousTransactions: [manyCoins],
      tipHeight: komodoTip,
      tipTime: 1_700_000_000 + 31 * 24 * 3600,
      heights: { [txid]: 3_600_000 },
      ...evidence,
    },
  )
}

const coinbase = encodeTransaction({
  ...payment,
  inputs: coinsOf([['00'.repeat(32), 0xffffffff]]).map((it) => ({ ...it, scriptSig: '0300093d' })),
  outputs: [{ value: 300_000_000n, script: p2pk(a) }],
})
export const coinbaseTxid: string = transactionId(coinbase)
export const coinbaseHeight = 4_000_000

/** Pays all of a coinbase to B. */
export function checkCoinbase(evidence: Partial<Evidence>, on = networks.komodo): Report {
  const inputs = coinsOf([[coinbaseTxid, 0]])
  const outputs = [{ value: 299_990_000n, script: p2pkh(b) }]
  const tx = { ...payment, inputs, outputs, expiryHeight: coinbaseHeight + 200 }
  const spent = [{ value: 300_000_000n, script: p2pk(a) }]
  const { hex } = signTransaction(tx, [privateKeys.get(a)!], spent, on)
  const recipients = [{ script: p2pkh(b), amount: 299_990_000n }]
  const spendable = [{ txid: coinbaseTxid, vout: 0 }]
  const wanted = { recipients, own: [a], fee: 10_000n, network: on, spendable }
  return verifyPayment(hex, wanted, { previousTransactions: [coinbase], ...evidence })
}

/** Returns the framework's answer to `withdraw`, as coins/utxo/utxo_withdraw.rs there writes it. */
export function withdrawAnswer(stated: {
  readonly hex: string
  readonly coin: string
  readonly from: readonly string[]
  readonly to: string
  readonly spent: bigint
  readonly received: bigint
}) {
  const { hex, coin, from, to, spent, received } = stated
  return {
    tx_hex: hex,
    tx_hash: transactionId(hex),
    from,
    to: [to],
    total_amount: formatCoins(spent),
    spent_by_me: formatCoins(spent),
    received_by_me: formatCoins(received),
    my_balance_change: formatCoins(received - spent),
    block_height: 0,
    timestamp: 1_795_244_000,
    fee_details: { type: 'Utxo', coin, amount: '0.00001' },
    coin,
    internal_id: '',
    transaction_type: 'StandardTransfer',
    memo: null,
  }
}
