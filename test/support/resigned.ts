// A daemon that holds the wallet's keys and signs a wrong transaction rightly is the main
// adversary. Every case here is a real transaction, changed and then signed again; the tests of the
// verifier and of the safe flow go through all of them.

import type { FindingCode } from '../../src/index.ts'
import {
  type CreateIntent,
  decodeTransaction,
  type Evidence,
  encodeTransaction,
  type Report,
  type TransactionFields,
  type TransferIntent,
  tokenScript,
  verifyTokenCreate,
  verifyTokenTransfer,
} from '../../src/index.ts'
import { chainTransaction, daemonMade, keys, readVectors } from './komodod.ts'
import { type SigningOptions, sign } from './sign.ts'

type Owners = Record<'A' | 'B' | 'C', { pubkey: string; privkey: string }>
const owners = readVectors<Owners>('komodod/keys.json')
export const a = owners.A.pubkey
export const b = owners.B.pubkey
export const c = owners.C.pubkey
// Published in komodo src/cc/CCcustom.cpp: anyone can sign with it.
export const moduleKey = '03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95'
const modulePrivateKey = '1d0d0dce2dd2e19df5b626d5ada0f00add7a727d1735b5e32c6ca9a203164bcf'
export const privateKeys = new Map([
  ...Object.values(owners).flatMap(({ pubkey, privkey }) =>
    pubkey === undefined ? [] : [[pubkey, privkey] as const],
  ),
  [moduleKey, modulePrivateKey] as const,
])

const made = (file: string) => daemonMade.find((item) => item.file.startsWith(file))!
export const transferHex = made('07-').hex
export const createHex = made('03-').hex
export const transfer = decodeTransaction(transferHex)
export const create = decodeTransaction(createHex)
export const tokenid = keys.txids.fungible!

export const transferIntent: TransferIntent = { tokenid, destination: b, amount: 100n, from: a }
export const createIntent: CreateIntent = {
  name: 'TESTCOIN',
  supply: 1000n,
  description: 'A test token',
  owner: a,
}

type Output = { value: bigint; script: string }
export type Change = (tx: TransactionFields) => TransactionFields

export const p2pk = (pubkey: string) => `21${pubkey}ac`
export const outputs =
  (change: (outputs: Output[]) => Output[]): Change =>
  (tx) => ({ ...tx, outputs: change(tx.outputs.map((output) => ({ ...output }))) })

export const output = (index: number, change: Partial<Output>): Change =>
  outputs((all) => all.map((item, at) => (at === index ? { ...item, ...change } : item)))

export const move = (from: number, to: number, amount: bigint): Change =>
  outputs((all) =>
    all.map((item, at) => ({
      ...item,
      value: item.value + (at === to ? amount : 0n) - (at === from ? amount : 0n),
    })),
  )

export const insert = (at: number, value: bigint, script: string, paidBy: number): Change =>
  outputs((all) => {
    const paid = all.map((item, index) =>
      index === paidBy ? { ...item, value: item.value - value } : item,
    )
    return [...paid.slice(0, at), { value, script }, ...paid.slice(at)]
  })

export const drop = (at: number, to?: number): Change =>
  outputs((all) =>
    all
      .map((item, index) => (index === to ? { ...item, value: item.value + all[at]!.value } : item))
      .filter((_, index) => index !== at),
  )

export const payload = (change: (hex: string) => string): Change =>
  outputs((all) =>
    all.map((item) => {
      if (!item.script.startsWith('6a')) return item
      const blob = change(item.script.slice(4))
      const size = (blob.length / 2).toString(16).padStart(2, '0')
      const push = blob.length / 2 <= 75 ? size : `4c${size}`
      return { ...item, script: `6a${push}${blob}` }
    }),
  )

export const spend =
  (txid: string, vout: number, change: number): Change =>
  (tx) => {
    const { value } = decodeTransaction(chainTransaction(txid)).outputs[vout]!
    const extra = { txid, vout, scriptSig: '', sequence: 0xffffffff }
    const paid = tx.outputs.map((item, at) =>
      at === change ? { ...item, value: item.value + value } : item,
    )
    return { ...tx, inputs: [...tx.inputs, extra], outputs: paid }
  }

export const fields =
  (changed: Partial<TransactionFields>): Change =>
  (tx) => ({ ...tx, ...changed })

export const both =
  (...changes: Change[]): Change =>
  (tx) =>
    changes.reduce((changed, change) => change(changed), tx)

export function evidenceFor(tx: TransactionFields, tipHeight: number): Evidence {
  const txids = new Set(tx.inputs.map(({ txid }) => txid))
  return {
    previousTransactions: [...txids].map(chainTransaction),
    tokenCreate: chainTransaction(tokenid),
    tipHeight,
  }
}

export function checkTransfer(change: Change, options: Partial<SigningOptions> = {}): Report {
  const tx = change(transfer)
  const hex = sign({ tx }, { keys: privateKeys, ...options })
  return verifyTokenTransfer(hex, transferIntent, evidenceFor(tx, 12))
}

export function checkCreate(change: Change, options: Partial<SigningOptions> = {}): Report {
  const tx = change(create)
  const hex = sign({ tx }, { keys: privateKeys, ...options })
  return verifyTokenCreate(hex, createIntent, evidenceFor(tx, 5))
}

export const unchanged: Change = (tx) => tx

const oneOfTwo = tokenScript([b, c])
const payloadHex = transfer.outputs[3]!.script.slice(4)
const key = (pubkey: string) => `21${pubkey}`
const anotherToken = keys.txids.nodesc!
export const markerOfToken: [string, number] = [tokenid, 0]
export const ownNative: [string, number] = [keys.txids.nodesc!, 2]
export const burnedToken: [string, number] = [keys.txids.nodesc!, 1]
export const nftCoin: [string, number] = [keys.txids.nft_ok_f1!, 1]
export const othersNative: [string, number] = [keys.txids.transfer_B_A!, 2]

/** Headers that are invalid at height 12, whatever else the transaction does. */
export const headerCases: [what: string, change: Change, code: FindingCode][] = [
  ['it has expired', fields({ expiryHeight: 12 }), 'expired'],
  ['it expires in a year', fields({ expiryHeight: 525_600 }), 'expiry_range'],
  ['it expires beyond all heights', fields({ expiryHeight: 500_000_000 }), 'expiry_range'],
  ['it is delayed to a height', fields({ lockTime: 1_000_000 }), 'lock_time'],
  ['it is delayed to a time', fields({ lockTime: 2_000_000_000 }), 'lock_time'],
  ['value leaves the shielded pool', fields({ valueBalance: 1n }), 'shielded'],
  ['value enters the shielded pool', fields({ valueBalance: -1n }), 'shielded'],
  ['version 3', fields({ version: 3, versionGroupId: 0x03c48270 }), 'version'],
  [
    'version 1',
    fields({ version: 1, overwintered: false, versionGroupId: 0, expiryHeight: 0 }),
    'version',
  ],
]

export const transferCases: [what: string, change: Change, code: string][] = [
  ['one unit less to the destination', move(0, 1, 1n), 'amount'],
  ['one unit more to the destination', move(1, 0, 1n), 'amount'],
  ['nothing to the destination', move(0, 1, 100n), 'amount'],
  ['the destination is another key', output(0, { script: tokenScript(c) }), 'destination'],
  [
    'the destination is the key of the other parity',
    output(0, { script: tokenScript(`03${b.slice(2)}`) }),
    'destination',
  ],
  [
    "the destination's condition is another module's",
    output(0, { script: tokenScript(b, { evalCodes: [0xf1] }) }),
    'destination_condition',
  ],
  ['the destination is one of two keys', output(0, { script: oneOfTwo }), 'destination'],
  ['the destination is a plain key', output(0, { script: p2pk(b) }), 'destination_condition'],
  ['the destination is in two outputs', insert(1, 50n, tokenScript(b), 0), 'amount'],
  ['the destination gets a second output', insert(1, 50n, tokenScript(b), 1), 'unexpected_output'],
  [
    'the destination output drops data',
    output(0, { script: `${tokenScript(b)}02010275` }),
    'destination',
  ],
  [
    'token change to another key',
    output(1, { script: tokenScript(c) }),
    'token_change_destination',
  ],
  [
    'token change to one of two keys',
    output(1, { script: tokenScript([a, c]) }),
    'token_change_destination',
  ],
  ['token change as native change', drop(1, 2), 'token_change_destination'],
  ['token change as a plain key', output(1, { script: p2pk(a) }), 'token_change_destination'],
  ['one unit of token change as coin', move(1, 2, 1n), 'token_change'],
  ['one coin as a unit of token change', move(2, 1, 1n), 'token_change'],
  ['a token output of nothing to another', insert(1, 0n, tokenScript(c), 2), 'unexpected_output'],
  ['a token output of nothing to oneself', insert(2, 0n, tokenScript(a), 2), 'unexpected_output'],
  ['native change to another key', output(2, { script: p2pk(c) }), 'native_change_destination'],
  [
    'native change to a script',
    output(2, { script: `a914${'22'.repeat(20)}87` }),
    'native_change_destination',
  ],
  ['native change to anyone', output(2, { script: '51' }), 'native_change_destination'],
  ['part of the native change to another', insert(3, 50_000n, p2pk(c), 2), 'unexpected_output'],
  ['native change in two outputs', insert(3, 50_000n, p2pk(a), 2), 'unexpected_output'],
  ['another marker', insert(0, 10_000n, tokenScript(moduleKey), 2), 'unexpected_output'],
  [
    'a fee half as high again',
    output(2, { value: transfer.outputs[2]!.value - 5000n }),
    'fee_with_change',
  ],
  ['a fee of 0.01', output(2, { value: transfer.outputs[2]!.value - 990_000n }), 'fee_too_high'],
  ['no native change', drop(2), 'fee_too_high'],
  ['no fee', output(2, { value: transfer.outputs[2]!.value + 10_000n }), 'fee_too_low'],
  ['a fee of one', output(2, { value: transfer.outputs[2]!.value + 9_999n }), 'fee_too_low'],
  ['two nulldata outputs', insert(3, 0n, transfer.outputs[3]!.script, 2), 'multiple_nulldata'],
  ['nulldata first', outputs((all) => [all[3]!, ...all.slice(0, 3)]), 'nulldata_position'],
  ['nulldata that burns a coin', move(2, 3, 1n), 'nulldata_value'],
  ['no nulldata', drop(3), 'nulldata_missing'],
  [
    'nulldata that is none',
    output(3, { script: `51${transfer.outputs[3]!.script}` }),
    'nulldata_missing',
  ],
  ['another tokenid', payload((hex) => hex.replace(tokenid, anotherToken)), 'tokenid'],
  [
    'the tokenid in the other byte order',
    payload((hex) => hex.replace(tokenid, tokenid.match(/../g)!.reverse().join(''))),
    'tokenid',
  ],
  ['no tokenid', payload((hex) => hex.replace(tokenid, '00'.repeat(32))), 'tokenid'],
  ['funcid c', payload((hex) => `f263${hex.slice(4)}`), 'nulldata_malformed'],
  ['funcid x', payload((hex) => `f278${hex.slice(4)}`), 'nulldata_malformed'],
  ["Tokel's layout", payload((hex) => `f25401${hex.slice(4)}`), 'nulldata_layout'],
  ['eval code f3', payload((hex) => `f3${hex.slice(2)}`), 'nulldata_malformed'],
  ['tokens v2', payload((hex) => `f57401${hex.slice(4, 68)}`), 'nulldata_layout'],
  ['nobody in the payload', payload((hex) => `${hex.slice(0, 68)}00`), 'nulldata_pubkeys'],
  ['another key in the payload', payload((hex) => hex.replace(key(b), key(c))), 'nulldata_pubkeys'],
  ['the sender in the payload', payload((hex) => hex.replace(key(b), key(a))), 'nulldata_pubkeys'],
  [
    'two keys in the payload',
    payload((hex) => hex.replace(`01${key(b)}`, `02${key(b)}${key(c)}`)),
    'nulldata_pubkeys',
  ],
  ['more in the payload', payload((hex) => `${hex}1104aabbccdd`), 'nulldata_extra'],
  [
    'an order of the assets module',
    payload((hex) => `${hex}122ce3734014502e0000000021${c}`),
    'nulldata_extra',
  ],
  ['a byte after the payload', payload((hex) => `${hex}00`), 'nulldata_trailing'],
  [
    'opcodes after the payload',
    output(3, { script: `${transfer.outputs[3]!.script}51` }),
    'nulldata_trailing',
  ],
  [
    'a payload too large to relay',
    payload((hex) => `${hex}11${(120).toString(16)}${'aa'.repeat(120)}ff`),
    'nulldata_extra',
  ],
  ...headerCases,
  ['tokens of another kind go into the change', spend(...burnedToken, 2), 'foreign_token_input'],
  ['a non-fungible token goes into the change', spend(...nftCoin, 2), 'foreign_condition_input'],
  ["the token's marker is spent", spend(...markerOfToken, 2), 'marker_spend'],
  ["another person's coin is spent", spend(...othersNative, 2), 'unexpected_input'],
  [
    'an own coin goes to another',
    both(spend(...ownNative, 2), insert(3, 50_000n, p2pk(c), 2)),
    'unexpected_output',
  ],
]

export const hashTypeCases: [what: string, options: Partial<SigningOptions>, code: string][] = [
  ['NONE', { hashType: 2 }, 'hash_type'],
  ['SINGLE', { hashType: 3 }, 'hash_type'],
  ['ALL|ANYONECANPAY', { hashType: 0x81 }, 'hash_type'],
  ['NONE in the condition', { conditionHashType: 2 }, 'hash_type'],
  ['SINGLE in the condition', { conditionHashType: 3 }, 'hash_type'],
  ['0 in the condition', { conditionHashType: 0 }, 'hash_type'],
  ['4 in the condition', { conditionHashType: 4 }, 'hash_type'],
  ['ff in the condition', { conditionHashType: 0xff }, 'hash_type'],
  ['ALL|ANYONECANPAY in the condition', { conditionHashType: 0x81 }, 'hash_type'],
  ['another branch', { branchId: 0x5ba81b19 }, 'signature'],
  ['no branch', { branchId: 0 }, 'signature'],
  ['another value', { valueError: 1n }, 'signature'],
  ['the high s', { highS: true }, 'signature'],
]

export const createCases: [what: string, change: Change, code: string][] = [
  ['no marker', drop(0, 2), 'marker'],
  ['a marker for somebody', output(0, { script: tokenScript(c) }), 'marker'],
  ['a marker of another value', move(2, 0, 1n), 'marker'],
  ['the supply goes to another', output(1, { script: tokenScript(c) }), 'issuance'],
  ['the supply goes to one of two', output(1, { script: tokenScript([a, c]) }), 'issuance'],
  ['the supply is a plain coin', output(1, { script: p2pk(c) }), 'issuance'],
  ['one unit more', move(2, 1, 1n), 'supply'],
  ['one unit less', move(1, 2, 1n), 'supply'],
  ['a second issuance', insert(2, 500n, tokenScript(a), 2), 'unexpected_output'],
  ['a second issuance to another', insert(2, 500n, tokenScript(c), 2), 'unexpected_output'],
  ['the change goes to another', output(2, { script: p2pk(c) }), 'native_change_destination'],
  ['no change', drop(2), 'fee_too_high'],
  ['another owner', payload((hex) => hex.replace(key(a), key(c))), 'owner'],
  [
    'another name',
    payload((hex) => hex.replace('0854455354434f494e', '0854455354434f494f')),
    'name',
  ],
  ['another description', payload((hex) => `${hex.slice(0, -2)}6d`), 'description'],
  ['data nobody asked for', payload((hex) => `${hex}1104f1010203`), 'data'],
  ['empty data', payload((hex) => `${hex}1100`), 'nulldata_extra'],
  ['an order of the assets module', payload((hex) => `${hex}1202e378`), 'nulldata_extra'],
  ["tokens v2's layout", payload((hex) => `f56301${hex.slice(4)}`), 'nulldata_layout'],
  ['a transfer instead', payload(() => payloadHex), 'nulldata_function'],
  ['no payload', drop(3), 'nulldata_missing'],
  ['tokens among the inputs', spend(...burnedToken, 2), 'foreign_condition_input'],
]

/** One transaction that a wallet must not broadcast, though every signature in it may be right. */
export interface WrongTransaction {
  readonly name: string
  readonly operation: 'transfer' | 'create'
  readonly hex: string
}

/** All cases above as a daemon would return them. */
export function wrongTransactions(): WrongTransaction[] {
  const signed = (change: Change, tx: TransactionFields, options: Partial<SigningOptions> = {}) =>
    sign({ tx: change(tx) }, { keys: privateKeys, ...options })
  return [
    ...transferCases.map(([what, change]) => ({
      name: `transfer, ${what}`,
      operation: 'transfer' as const,
      hex: signed(change, transfer),
    })),
    ...createCases.map(([what, change]) => ({
      name: `create, ${what}`,
      operation: 'create' as const,
      hex: signed(change, create),
    })),
    ...hashTypeCases.flatMap(([what, options]) => [
      {
        name: `transfer signed for ${what}`,
        operation: 'transfer' as const,
        hex: signed(unchanged, transfer, options),
      },
      ...(options.conditionHashType === undefined
        ? [
            {
              name: `create signed for ${what}`,
              operation: 'create' as const,
              hex: signed(unchanged, create, options),
            },
          ]
        : []),
    ]),
    ...transfer.inputs.map((_, unsigned) => ({
      name: `transfer, input ${unsigned} unsigned`,
      operation: 'transfer' as const,
      hex: encodeTransaction({
        ...transfer,
        inputs: transfer.inputs.map((input, at) =>
          at === unsigned ? { ...input, scriptSig: '' } : input,
        ),
      }),
    })),
  ]
}
