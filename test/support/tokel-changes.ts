// Every way to change one of the hand-written transactions that pays, or that harms. What each must
// be called follows from what the output is for, by the tables here, which are by hand.

import {
  decodeTransaction,
  encodeTokenPayload,
  type FindingCode,
  type OutputRole,
  type TransactionFields,
} from '../../src/index.ts'
import {
  both,
  type Change,
  drop,
  fields,
  headerCases,
  insert,
  move,
  output,
  outputs,
  p2pk,
  unchanged,
} from './resigned.ts'
import { push } from './sign.ts'
import { assets, c, signTokel, type TokelSigning } from './sign-tokel.ts'
import type { Baseline } from './tokel-baselines.ts'
import * as market from './tokel-market.ts'

export interface Row {
  readonly what: string
  readonly change: Change
  readonly code: FindingCode
  readonly signing?: TokelSigning
}

/** A key that no party here owns: the generator of the curve. */
const stranger = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

/**
 * The finding codes of an output with another recipient or form, and of one with another amount.
 */
const codesOf: Readonly<
  Partial<Record<OutputRole, readonly [other: FindingCode, value: FindingCode]>>
> = {
  destination: ['destination', 'amount'],
  'token-change': ['token_change_destination', 'token_change'],
  'order-tokens': ['order_output', 'order_amount'],
  'order-coins': ['order_output', 'order_amount'],
  'order-marker': ['order_marker', 'order_marker'],
  payment: ['payment', 'payment_amount'],
  royalty: ['royalty', 'royalty'],
  marker: ['marker', 'marker'],
  issuance: ['issuance', 'supply'],
}

const isPlain = (script: string) => script.endsWith('ac')
const last = (tx: TransactionFields) => tx.outputs.length - 1
const lastly =
  (change: (at: number) => Change): Change =>
  (tx) =>
    change(last(tx))(tx)
const value = (at: number, by: bigint): Change =>
  outputs((all) => all.map((it, n) => (n === at ? { ...it, value: it.value + by } : it)))
const spending =
  (change: (inputs: TransactionFields['inputs']) => TransactionFields['inputs']): Change =>
  (tx) => ({ ...tx, inputs: change(tx.inputs) })

function outputRows({ made: { tx }, roles }: Baseline): Row[] {
  const change = roles.indexOf('native-change')
  return roles.flatMap((role, at): Row[] => {
    const codes = codesOf[role]
    if (codes === undefined) return []
    const [elsewhere, amount] = codes
    const { script, value: its } = tx.outputs[at]!
    // payments to oneself and native change can be confused
    const other = tx.outputs[change]?.script === script ? amount : elsewhere
    const name = `[${at}] ${role}`
    const plain = isPlain(script)
    const holder = script.slice(0, 2 * (Number.parseInt(script.slice(0, 2), 16) + 2))
    const bare = holder === script ? `${script}050402f5010075` : holder
    const gives = (n: bigint): Change => (change < 0 ? value(at, n) : move(change, at, n))
    const lookalike: FindingCode = role === 'destination' ? 'destination_condition' : other
    return [
      { what: `${name}: one more`, change: gives(1n), code: amount },
      ...(its > 0n ? [{ what: `${name}: one less`, change: gives(-1n), code: amount }] : []),
      {
        what: `${name}: a key of nobody’s`,
        change: output(at, { script: plain ? p2pk(stranger) : market.keyTokens(stranger) }),
        code: other,
      },
      {
        what: `${name}: the ${plain ? 'tokens' : 'coins'} of nobody`,
        change: output(at, { script: plain ? market.keyTokens(stranger) : p2pk(stranger) }),
        code: other,
      },
      {
        what: `${name}: to the module of orders`,
        change: output(at, { script: plain ? p2pk(assets) : market.keyTokens(assets) }),
        code: other,
      },
      ...(plain
        ? []
        : [
            {
              what: `${name}: other data after the condition`,
              change: output(at, { script: bare }),
              code: holder === script || isV1(script) ? other : lookalike,
            },
            {
              what: `${name}: data that name another token`,
              change: output(at, {
                script: `${holder}${market.shown('f5', [], 1, [`f57401${market.otherTokenid}`])}`,
              }),
              code: isV1(script) ? other : lookalike,
            },
          ]),
      {
        what: `${name}: left out`,
        change: drop(at, change < 0 ? undefined : change),
        code: other,
      },
      ...(change < 0
        ? []
        : [
            {
              what: `${name}: twice`,
              change: insert(at + 1, 500n, script, change),
              code: 'unexpected_output' as const,
            },
          ]),
    ]
  })
}

/** Tokens v1 are at a bare condition; an addition to it pays another party. */
function isV1(script: string): boolean {
  return script.startsWith('2e')
}

function changeRows({ made, roles }: Baseline): Row[] {
  const { tx } = made
  const at = roles.indexOf('native-change')
  if (at < 0) {
    return [
      {
        what: 'a coin of another key goes into the fee',
        change: spending((all) => [...all, spent(market.free.c)]),
        code: 'unexpected_input',
      },
      {
        what: 'an own coin goes into the fee',
        change: (it) => spending((all) => [...all, spent(ownOf(it))])(it),
        code: 'fee_too_high',
      },
    ]
  }
  const { script } = tx.outputs[at]!
  const key = script.slice(2, 68)
  const isOld = tx.outputs.some((it) => isV1(it.script))
  return [
    {
      what: 'native change to nobody',
      change: output(at, { script: p2pk(stranger) }),
      code: 'native_change_destination',
    },
    {
      what: 'native change to a script',
      change: output(at, { script: `a914${'22'.repeat(20)}87` }),
      code: 'native_change_destination',
    },
    {
      what: 'native change to anyone',
      change: output(at, { script: '51' }),
      code: 'native_change_destination',
    },
    {
      what: 'part of it to nobody',
      change: insert(at, 50_000n, p2pk(stranger), at),
      code: 'unexpected_output',
    },
    {
      what: 'part of it to oneself',
      change: insert(at, 50_000n, p2pk(key), at),
      code: 'unexpected_output',
    },
    {
      what: 'part of it as tokens of nobody',
      change: insert(at, 500n, market.keyTokens(stranger), at),
      code: 'unexpected_output',
    },
    {
      what: 'part of it as another marker',
      change: insert(at, 10_000n, market.tokenMarker, at),
      code: 'unexpected_output',
    },
    {
      what: 'tokens of nothing',
      change: insert(at, 0n, market.keyTokens(stranger), at),
      code: 'unexpected_output',
    },
    { what: 'a fee half as high again', change: value(at, -5000n), code: 'fee_with_change' },
    { what: 'a fee of 0.01', change: value(at, -990_000n), code: 'fee_too_high' },
    { what: 'no native change', change: drop(at), code: 'fee_too_high' },
    { what: 'no fee', change: value(at, 10_000n), code: 'fee_too_low' },
    { what: 'a fee of one', change: value(at, 9_999n), code: 'fee_too_low' },
    {
      what: 'a coin of another key goes into it',
      change: into(at, key === c ? market.free.b : market.free.c),
      code: 'unexpected_input',
    },
    {
      what: 'a marker goes into it',
      change: into(at, [isOld ? market.oldToken : market.otherToken, 0]),
      // an output of the transaction itself cannot be spent by it
      code: made === market.oldToken ? 'prevout_missing' : 'marker_spend',
    },
  ]
}

type Spent = readonly [market.Made, number]
const spent = ([{ txid }, vout]: Spent) => ({ txid, vout, scriptSig: '', sequence: 0xffffffff })
const into = (at: number, [made, vout]: Spent): Change =>
  both(
    spending((all) => [...all, spent([made, vout])]),
    value(at, made.tx.outputs[vout]!.value),
  )

/** Returns a coin of the key that signs the first input, or cancels the order. */
function ownOf({ outputs: all }: TransactionFields): Spent {
  const isB = all[0]!.script.includes(
    market.free.b[0].tx.outputs[market.free.b[1]]!.script.slice(2, 68),
  )
  return isB ? market.free.b : market.free.a
}

/** The blob of the payload, changed and pushed again. */
const blob = (change: (hex: string) => string): Change =>
  lastly((at) => (tx) => {
    const { script } = tx.outputs[at]!
    const hex = script.slice(script.startsWith('6a4c') ? 6 : 4)
    return output(at, { script: `6a${push(change(hex))}` })(tx)
  })

function payloadRows({ made: { tx }, roles }: Baseline): Row[] {
  if (roles.at(-1) !== 'nulldata') {
    const script = encodeTokenPayload({
      layout: 'tokens-v2',
      kind: 'transfer',
      tokenid: market.tokenid,
      pubkeys: [],
    })
    return [
      {
        what: 'a payload at the end',
        change: (it) => ({ ...it, outputs: [...it.outputs, { value: 0n, script }] }),
        code: 'unexpected_output',
      },
      {
        what: 'a note at the end',
        change: (it) => ({ ...it, outputs: [...it.outputs, { value: 0n, script: '6a0101' }] }),
        code: 'unexpected_output',
      },
      {
        what: 'a note at the start',
        change: (it) => ({ ...it, outputs: [{ value: 0n, script: '6a0101' }, ...it.outputs] }),
        code: 'unexpected_output',
      },
    ]
  }
  const { script } = tx.outputs.at(-1)!
  const hex = script.slice(script.startsWith('6a4c') ? 6 : 4)
  const isCreate = roles.includes('issuance')
  const header = isCreate ? '' : hex.slice(6, 70)
  const id = (to: string): Row['change'] => blob((it) => it.replace(header, to))
  const reversed = header.match(/../g)?.reverse().join('') ?? ''
  return [
    {
      what: 'nulldata that burns a coin',
      change: lastly((at) => (roles.length > 2 ? move(at - 1, at, 1n) : value(at, 1n))),
      code: 'nulldata_value',
    },
    { what: 'no nulldata', change: lastly((at) => drop(at)), code: 'nulldata_missing' },
    {
      what: 'two nulldata outputs',
      change: lastly((at) => insert(at, 0n, script, 0)),
      code: 'multiple_nulldata',
    },
    {
      what: 'nulldata first',
      change: outputs((all) => [all.at(-1)!, ...all.slice(0, -1)]),
      code: 'nulldata_position',
    },
    {
      what: 'nulldata that is none',
      change: lastly((at) => output(at, { script: `51${script}` })),
      code: 'nulldata_missing',
    },
    {
      what: 'a funcid of no daemon',
      change: blob((it) => `${it.slice(0, 2)}78${it.slice(4)}`),
      code: 'nulldata_malformed',
    },
    {
      what: 'another eval code',
      change: blob((it) => `f3${it.slice(2)}`),
      code: 'nulldata_malformed',
    },
    {
      what: 'another version',
      change: blob((it) => `${it.slice(0, 4)}02${it.slice(6)}`),
      code: 'nulldata_malformed',
    },
    {
      what: 'a byte after the payload',
      change: blob((it) => `${it}ff`),
      code: 'nulldata_trailing',
    },
    {
      what: 'opcodes after the payload',
      change: lastly((at) => output(at, { script: `${script}51` })),
      code: 'nulldata_trailing',
    },
    {
      what: 'more in the payload',
      change: blob((it) => `${it}02abcd`),
      code: isCreate && !hex.includes('f701') ? 'data' : 'nulldata_extra',
    },
    ...(isCreate
      ? createRows(hex)
      : [
          { what: 'another tokenid', change: id(market.otherTokenid), code: 'tokenid' as const },
          {
            what: 'the tokenid in the other byte order',
            change: id(reversed),
            code: 'tokenid' as const,
          },
          { what: 'no tokenid', change: id('00'.repeat(32)), code: 'tokenid' as const },
        ]),
  ]
}

function createRows(hex: string): Row[] {
  const owner = /21(0[23].{64})/.exec(hex)![1]!
  const rows: Row[] = [
    { what: 'another owner', change: blob((it) => it.replace(owner, stranger)), code: 'owner' },
    {
      what: 'another name',
      change: blob((it) => it.replace(/(21.{66})03../, '$10351')),
      code: 'name',
    },
    {
      what: 'a description nobody asked for',
      change: blob((it) => it.replace(/(21.{66}03.{6})00/, '$10164')),
      code: 'description',
    },
  ]
  if (!hex.includes(market.tokenData)) return rows
  const data = (to: string) => blob((it) => it.replace(`07${market.tokenData}`, varBytes(to)))
  return [
    ...rows,
    {
      what: 'no properties',
      change: blob((it) => it.replace(`07${market.tokenData}`, '')),
      code: 'data',
    },
    { what: 'a higher royalty', change: data('f701020178' + '0365'), code: 'property' },
    { what: 'no royalty', change: data('f701020178'), code: 'property' },
    { what: 'a royalty of all', change: data('f701020178' + '03fde803'), code: 'data' },
    { what: 'another url', change: data('f701020179' + '0364'), code: 'property' },
    {
      what: 'a url of bytes that are not text',
      change: data('f7010201ff' + '0364'),
      code: 'property',
    },
    {
      what: 'an id nobody asked for',
      change: data('f701020178' + '0364' + '0101'),
      code: 'property',
    },
    {
      what: 'more that nobody asked for',
      change: data('f701020178' + '0364' + '0401aa'),
      code: 'property',
    },
    { what: 'a property of no daemon', change: data('f701020178' + '0364' + '0501'), code: 'data' },
    { what: 'a property twice', change: data('f701020178' + '0364' + '0364'), code: 'data' },
    { what: 'properties of another version', change: data('f702020178' + '0364'), code: 'data' },
    { what: 'data of another module', change: data('e3'), code: 'data' },
  ]
}

const varBytes = (hex: string) => `${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`

/** Returns the changes to the statements of an order: its action, price, maker and end. */
function orderRows({ made: { tx }, roles, name }: Baseline): Row[] {
  const order = /f6(?:73|62|53|42|78|6f)01.*$/.exec(tx.outputs.at(-1)!.script)?.[0]
  if (order === undefined || roles.includes('issuance')) return []
  const before = varBytes(order)
  const to = (after: string): Change =>
    blob((it) => it.replace(before, after === '' ? '' : varBytes(after)))
  const isCancel = order.length === 6
  const letter = (text: string) => `f6${Buffer.from(text).toString('hex')}${order.slice(4)}`
  const action = Buffer.from(order.slice(2, 4), 'hex').toString()
  const rows: Row[] = [
    { what: 'no order in the payload', change: to(''), code: 'order_terms' },
    ...['s', 'b', 'S', 'B', 'x', 'o']
      .filter((it) => it !== action)
      .map((it): Row => ({ what: `the order ${it}`, change: to(letter(it)), code: 'order_terms' })),
    { what: 'the order of another module', change: to(`e3${order.slice(2)}`), code: 'order_terms' },
    {
      what: 'the order of another version',
      change: to(`${order.slice(0, 4)}02${order.slice(6)}`),
      code: 'order_terms',
    },
    {
      what: 'a second order in the payload',
      change: blob((it) => `${it}03f67801`),
      code: 'nulldata_extra',
    },
  ]
  const last = (tx: TransactionFields, at: number) => tx.inputs.at(at)!
  if (isCancel) {
    return [
      ...rows,
      {
        what: 'the marker is left',
        change: spending((all) => all.slice(0, 1)),
        code: 'order_input',
      },
      { what: 'the order is left', change: spending((all) => all.slice(1)), code: 'order_input' },
      {
        what: 'the marker comes first',
        change: spending((all) => all.toReversed()),
        code: 'order_input',
      },
      {
        what: 'the marker signed by the module',
        change: unchanged,
        code: 'signer',
        signing: { signers: { 1: [assets] } },
      },
      {
        what: 'a coin between order and marker',
        change: (it) => spending((all) => [all[0]!, spent(ownOf(it)), all[1]!])(it),
        code: 'order_input',
      },
    ]
  }
  const origin = /21(0[23].{64})/.exec(order)![1]!
  const changed = (from: string, by: string) => to(order.replace(from, by))
  return [
    ...rows,
    {
      what: 'another price',
      change: to(`${order.slice(0, 6)}01${order.slice(8)}`),
      code: 'order_terms',
    },
    {
      what: 'a price of nothing',
      change: to(`${order.slice(0, 6)}${'00'.repeat(8)}${order.slice(22)}`),
      code: 'order_terms',
    },
    { what: 'another maker', change: changed(origin, stranger), code: 'order_terms' },
    {
      what: 'an end at once',
      change: to(`${order.slice(0, -8)}e9030000`),
      code: name === 'ask' || name === 'bid' ? 'order_expiry' : 'order_terms',
    },
    {
      what: 'an end in many years',
      change: to(`${order.slice(0, -8)}ffffff7f`),
      code: name === 'ask' || name === 'bid' ? 'order_expiry' : 'order_terms',
    },
    ...(name.startsWith('fill')
      ? [
          {
            what: 'the first two outputs change places',
            change: outputs((all) => [all[1]!, all[0]!, ...all.slice(2)]),
            code: 'order_position' as const,
          },
          {
            what: 'the order twice',
            change: (it: TransactionFields) => spending((all) => [...all, last(it, 1)])(it),
            code: 'duplicate_input' as const,
          },
        ]
      : [
          {
            what: 'the order after its marker',
            change: outputs((all) => [all[1]!, all[0]!, ...all.slice(2)]),
            code: 'order_position' as const,
          },
        ]),
  ]
}

function signingRows({ made: { tx } }: Baseline): Row[] {
  const prevouts = market.prevoutsOf(tx)
  const has = (plain: boolean) => prevouts.some(({ script }) => isPlain(script) === plain)
  const all: [string, TokelSigning, FindingCode][] = [
    ['another branch', { branchId: 0x5ba81b19 }, 'signature'],
    ['no branch', { branchId: 0 }, 'signature'],
    ['another value', { valueError: 1n }, 'signature'],
    ['the high s', { highS: true }, 'signature'],
  ]
  if (has(true)) {
    for (const type of [2, 3, 0x81]) {
      all.push([`hash type ${type}`, { hashType: type, conditionHashType: 1 }, 'hash_type'])
    }
  }
  if (has(false)) {
    for (const type of [0, 2, 3, 4, 0x81, 0xff]) {
      all.push([`hash type ${type} in conditions`, { conditionHashType: type }, 'hash_type'])
    }
  }
  return all.map(([what, signing, code]) => ({
    what: `signed for ${what}`,
    change: unchanged,
    code,
    signing,
  }))
}

/** Expired and so on, at the height of this chain. */
const headers: readonly Row[] = [
  ...headerCases
    .filter(([what]) => what !== 'it has expired')
    .map(([what, change, code]) => ({ what, change, code })),
  { what: 'it has expired', change: fields({ expiryHeight: market.tipHeight }), code: 'expired' },
]

const inputRows = ({ made: { tx } }: Baseline): Row[] => [
  ...tx.inputs.map(
    (it, at): Row => ({
      what: `input ${at} twice`,
      change: spending((all) => [...all, it]),
      code: 'duplicate_input',
    }),
  ),
]

export function rowsOf(baseline: Baseline): readonly Row[] {
  return [
    ...outputRows(baseline),
    ...changeRows(baseline),
    ...payloadRows(baseline),
    ...orderRows(baseline),
    ...headers,
    ...inputRows(baseline),
    ...signingRows(baseline),
  ]
}

/** Signs whatever it has become. */
export function resigned(
  { made: { tx } }: Baseline,
  change: Change,
  signing: TokelSigning = {},
): string {
  const changed = change(tx)
  return signTokel(changed, market.prevoutsOf(changed), signing)
}

/** With one input not signed. */
export function lacking({ made }: Baseline, at: number) {
  const { inputs, ...tx } = decodeTransaction(made.hex)
  return { ...tx, inputs: inputs.map((it, n) => (n === at ? { ...it, scriptSig: '' } : it)) }
}
