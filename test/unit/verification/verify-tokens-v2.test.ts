// Tokens v2 of a real tokeld: what it made agrees, and is proven to the creation; what was changed
// is found out.

import { describe, expect, test } from 'vitest'

import {
  createTokenProver,
  decodeTokenTransaction,
  decodeTransaction,
  encodeTransaction,
  networks,
  type Report,
  type TransactionInput,
  type TransferIntent,
  tokenScript,
  transactionId,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import { tokenFinderV2 } from '../../../src/token/rules/tokens-v2.ts'
import { keys, tipHeightOf } from '../../support/komodod.ts'
import { mixedScript } from '../../support/sign-tokel.ts'
import { keyTokens, nulldata, shown } from '../../support/tokel-market.ts'
import { madeV2, mutatedV2, tokelAncestors, tokelChain } from '../../support/tokeld.ts'
import { readVectors } from '../../support/vectors.ts'

const network = networks.tokel
const a = keys.A.pubkey
const b = keys.B.pubkey
function codes({ findings }: Report, severity: string): string[] {
  return findings.filter((it) => it.severity === severity).map(({ code }) => code)
}

function evidenceOf(hex: string) {
  return { previousTransactions: tokelAncestors(hex), tipHeight: tipHeightOf(hex) }
}

/**
 * Recording 08: a transfer of 10 units changed and rightly signed again. The codes that each must
 * be rejected with; what the daemon took all the same is marked.
 */
const mutated: [note: string, codes: string[], accepted?: 'accepted'][] = [
  ['CC change one too small', ['token_change', 'token_imbalance']],
  ['CC change one too large', ['token_change', 'token_imbalance']],
  ['dest one too large', ['amount', 'token_imbalance']],
  ['opret names another tokenid', ['tokenid']],
  ['opret names an unknown tokenid', ['tokenid']],
  ['opret tokenid reversed', ['tokenid']],
  ['no opret', ['nulldata_missing']],
  ['opret evalcode f2', ['nulldata_malformed']],
  ["opret funcid 'c'", ['nulldata_malformed']],
  ['opret version 0', ['nulldata_malformed']],
  ['opret version 2', ['nulldata_malformed']],
  ['opret extra blob', ['nulldata_trailing']],
  ['opret not last', ['nulldata_position']],
  [
    'dest CC output without its OP_DROP data',
    ['destination_condition', 'token_imbalance'],
    'accepted',
  ],
  [
    'change CC output without its OP_DROP data',
    ['token_change_destination', 'token_imbalance'],
    'accepted',
  ],
  ['dest OP_DROP data altered', ['destination_condition', 'token_imbalance'], 'accepted'],
  ['third CC output to C', ['token_change', 'unexpected_output', 'token_imbalance'], 'accepted'],
  ['change dropped', ['token_change_destination', 'token_imbalance']],
  ['all tokens turned into coins', ['destination', 'token_change_destination', 'token_imbalance']],
  ['CC signature corrupted', ['signature']],
  ['CC input signed by B', ['signature']],
  ['CC sighash byte 02', ['signature']],
  ['CC input empty scriptSig', ['unsigned']],
  ['normal change too large', ['fee_too_low']],
  ['zero fee', ['fee_too_low'], 'accepted'],
  [
    'CC input duplicated',
    ['duplicate_input', 'token_change', 'token_imbalance', 'token_supply', 'fee_too_high'],
  ],
  ['expired', ['expired']],
  ['only CC inputs', ['fee_too_low'], 'accepted'],
  [
    'CC signature made over the spent scriptPubKey (incl. OP_DROP data) instead of the classic condition script',
    ['signature'],
  ],
]

/** Changes that cost the sender nothing: verification passes, with warnings. */
const harmless: [note: string, warning: string][] = [
  ['outputs swapped', 'output_order'],
  ['CC input first', 'input_order'],
]

const baseline: TransferIntent = {
  tokenid: '6d0ac36e19684ec7d04ed3361465c813f4104baca7e1f68d0485b4f3f69e8433',
  destination: b,
  amount: 10n,
  from: a,
  network,
}

const sent = new Map(mutatedV2.map((it) => [it.note, it]))

function checkMutated(note: string): Report {
  const { hex } = sent.get(note)!
  return verifyTokenTransfer(hex, baseline, { ...evidenceOf(hex), tipHeight: 36 })
}

test('every transaction of recording 08 is in one of the tables', () => {
  const named = [...mutated, ...harmless].map(([note]) => note)
  expect([...sent.keys()].sort()).toEqual(named.sort())
})

test.each(mutated)('rejects: %s', (note, expected, accepted) => {
  expect(codes(checkMutated(note), 'reject')).toEqual(expected)
  expect(sent.get(note)!.accepted).toBe(accepted !== undefined)
})

test.each(harmless)('lets pass, with a warning: %s', (note, warning) => {
  const report = checkMutated(note)
  expect(report.ok).toBe(true)
  expect(codes(report, 'warn')).toEqual([warning])
})

describe('the prover and a tokeld agree', () => {
  interface Exchange {
    at: string
    request: string
    response: string
  }
  interface Answered {
    at: string
    method: string
    params: string[]
    // biome-ignore lint/suspicious/noExplicitAny: whatever a daemon answers
    result: any
    /** The height of the last block that any earlier answer reported. */
    height: number
  }
  const heights = new Map(tokelChain.map(({ txid, height }) => [txid, height]))
  const { exchanges } = readVectors<{ exchanges: Exchange[] }>('rpc/tokeld.json')
  let height = 0
  const answers = exchanges.flatMap(({ at, request, response }): Answered[] => {
    if (!/^0[2-79]-/.test(at)) return []
    const { method, params } = JSON.parse(request)
    const { result } = JSON.parse(response)
    if (method === 'getrawtransaction' && result?.confirmations > 0) {
      height = Math.max(height, heights.get(result.txid)!)
    }
    return [{ at, method, params, result, height }]
  })
  const successes = (...methods: string[]) =>
    answers.filter((it) => methods.includes(it.method) && it.result?.result === 'success')
  interface Balance {
    tokenid: string
    pubkey: string
    height: number
    balance: number
    isV1?: true
  }
  const balances = [
    ...readVectors<{ balances: Balance[] }>('tokeld/balances.json').balances,
    ...successes('tokenbalance').map(
      ({ params: [tokenid, pubkey = a], result, height }): Balance => {
        return { tokenid: tokenid!, pubkey, height, balance: result.balance, isV1: true }
      },
    ),
  ]
  const prover = createTokenProver(
    tokelChain.map(({ hex }) => hex),
    { network },
  )
  const decoded = tokelChain.map((it) => ({ height: it.height, tx: decodeTransaction(it.hex) }))

  test('the prover and a tokeld agree as often as it told a balance', () => {
    expect(balances).toHaveLength(37)
    expect(balances.filter(({ isV1 }) => isV1)).toHaveLength(6)
  })

  test.each(balances)(
    'the prover and a tokeld agree on $balance of $tokenid at block $height',
    (row) => {
      const own = tokenScript(row.pubkey)
      const isOwn = row.isV1 ? (script: string) => script === own : tokenFinderV2(row.pubkey)
      const known = decoded.filter((it) => it.height <= row.height).map(({ tx }) => tx)
      const spent = new Set(
        known.flatMap(({ inputs }) => inputs.map(({ txid, vout }) => `${txid}:${vout}`)),
      )
      let balance = 0n
      for (const { txid, outputs } of known) {
        for (const [vout, { script }] of outputs.entries()) {
          if (!isOwn(script) || spent.has(`${txid}:${vout}`)) continue
          const proof = prover.prove(txid, vout, row.tokenid)
          expect(proof.verdict).not.toBe('incomplete')
          if (proof.verdict === 'proven') balance += proof.amount
        }
      }
      expect(balance).toBe(BigInt(row.balance))
    },
  )

  const infos = successes('tokeninfo', 'tokenv2info', 'tokenv2infotokel', 'tokeninfotokel')

  test.each(infos)(
    'the prover and a tokeld agree on owner and supply of $params.0, by $method',
    ({ result }) => {
      const { outputs, txid } = decodeTransaction(
        tokelChain.find((it) => it.txid === result.tokenid)!.hex,
      )
      const proofs = outputs.map((_, vout) => prover.prove(txid, vout, txid))
      const supply = proofs.reduce(
        (sum, it) => sum + (it.verdict === 'proven' ? it.amount : 0n),
        0n,
      )
      expect(supply).toBe(BigInt(result.supply))
      const read = decodeTokenTransaction(tokelChain.find((it) => it.txid === txid)!.hex)!
      expect(read).toMatchObject({ kind: 'create', tokenid: txid, supply })
      expect(read.payload).toMatchObject({ owner: result.owner, name: result.name })
      expect(read.payload).toMatchObject({ description: result.description })
      expect(read.payload.extras[0]?.data).toBe(result.data)
      if (result.dataAsJson !== undefined) {
        expect(read.payload.extras[0]?.properties ?? {}).toEqual(result.dataAsJson)
      }
    },
  )

  // recording 06 asks with filters
  const lists = answers.filter(({ at, method }) => !at.startsWith('06') && /list$/.test(method))

  test.each(lists)(
    'the prover and a tokeld agree on what $method lists at block $height',
    (row) => {
      const layout = row.method === 'tokenlist' ? 'tokel-v1' : 'tokens-v2'
      const created = tokelChain.filter((it) => {
        const read = it.height <= row.height ? decodeTokenTransaction(it.hex) : undefined
        return read?.kind === 'create' && read.layout === layout
      })
      expect(created.map(({ txid }) => txid).sort()).toEqual([...row.result].sort())
    },
  )

  /**
   * By hand: tokens v1, and every transaction with a payload of tokens v2, in the last output or
   * not.
   */
  test.each([false, true])(
    'the prover and a tokeld agree that it mined real tokens only, signatures looked at: %s',
    (signatures) => {
      const strict = createTokenProver(
        tokelChain.map(({ hex }) => hex),
        { network, signatures },
      )
      const proven: Record<string, number> = {}
      for (const { txid, hex } of tokelChain) {
        if (!/f57401|f56301|f25401|f24301/.test(hex)) continue
        const read = decodeTokenTransaction(hex)
        for (const [vout, { role, evalCodes }] of read?.outputs.entries() ?? []) {
          if (!['issuance', 'destination', 'token-change', 'order'].includes(role)) continue
          // a bid offers coins
          if (role === 'order' && !evalCodes!.includes(0xf5)) continue
          const proof = strict.prove(txid, vout, read!.tokenid)
          expect({ txid, vout, role, ...proof }).toMatchObject({ verdict: 'proven' })
          proven[role] = (proven[role] ?? 0) + 1
        }
      }
      expect(proven).toEqual({ issuance: 11, destination: 28, 'token-change': 21, order: 2 })
    },
  )

  // tokel src/cc/CCtokens.cpp, TokensV2::CheckTokensvout: what an output drops stands for the
  // payload
  test.each([
    ['what names another token', `f57401${baseline.tokenid}`, 'other_token'],
    ['what names nothing', 'f5', 'no_payload'],
  ])('the prover and a tokeld agree that a creation issues nothing by %s', (_, dropped, rule) => {
    const { hex } = madeV2.find(({ method }) => method === 'tokenv2create')!
    const { outputs, ...tx } = decodeTransaction(hex)
    const script = mixedScript([a], [0xf5], { params: shown('f5', [a], 1, [dropped]) })
    const issued = outputs.map((it, at) => (at === 1 ? { ...it, script } : it))
    const creation = encodeTransaction({ ...tx, outputs: issued })
    const txid = transactionId(creation)
    const [{ scriptSig }] = decodeTransaction(
      madeV2.find(({ method }) => method === 'tokenv2transfer')!.hex,
    ).inputs.filter((it) => it.scriptSig.startsWith('4c')) as [TransactionInput]
    const passedOn = encodeTransaction({
      ...tx,
      inputs: [{ txid, vout: 1, scriptSig, sequence: 0xffffffff }],
      outputs: [{ value: outputs[1]!.value, script: keyTokens(b) }, nulldata(txid)],
    })
    const known = createTokenProver([...tokelAncestors(hex), creation, passedOn], { network })
    const proofs = [known.prove(transactionId(passedOn), 0, txid), known.prove(txid, 1, txid)]
    expect(proofs).toMatchObject([
      { verdict: 'disproven', rule: 'creation_not_single', txid },
      { verdict: 'disproven', rule, txid },
    ])
  })

  // TokensV1::CheckTokensvout passes over what it cannot read
  test.each([
    ['what names another token', `f25401${baseline.tokenid}0121${a}`, 'other_token'],
    ['what names nothing', 'f2', 'no_payload'],
  ])(
    'the prover and a tokeld agree that a creation of tokens v1 issues nothing by %s',
    (_, dropped, rule) => {
      const [create, give] = ['f24301', 'f25401'].map(
        (head) => tokelChain.find(({ hex }) => hex.includes(head))!.hex,
      ) as [string, string]
      const { outputs, ...tx } = decodeTransaction(create)
      const script = tokenScript(a) + shown('f2', [a], 1, [dropped])
      const { value, script: own } = outputs[1]!
      expect(own).toBe(tokenScript(a))
      const twice = outputs.toSpliced(
        1,
        1,
        { value: value - 1n, script },
        { value: 1n, script: own },
      )
      const creation = encodeTransaction({ ...tx, outputs: twice })
      const txid = transactionId(creation)
      const { inputs } = decodeTransaction(give)
      const passedOn = [1, 2].map((vout) =>
        encodeTransaction({
          ...tx,
          inputs: [{ ...inputs[1]!, txid, vout }],
          outputs: [
            { value: twice[vout]!.value, script: tokenScript(b) },
            { value: 0n, script: `6a46f25401${txid}0121${b}` },
          ],
        }),
      )
      const known = createTokenProver([...tokelAncestors(create), creation, ...passedOn], {
        network,
      })
      const proofs = passedOn.map((hex) => known.prove(transactionId(hex), 0, txid))
      expect(proofs).toMatchObject([{ rule: 'unequal_amounts' }, { verdict: 'proven', amount: 1n }])
      expect(known.prove(txid, 1, txid)).toMatchObject({ rule })
      expect(known.prove(txid, 2, txid)).toMatchObject({ verdict: 'proven', amount: 1n })
    },
  )

  test('the prover and a tokeld agree that a negative amount balances nothing', () => {
    const { hex } = madeV2.find(({ method }) => method === 'tokenv2transfer')!
    const { outputs, ...tx } = decodeTransaction(hex)
    const { tokenid } = decodeTokenTransaction(hex)!
    const [first, ...rest] = outputs
    const more = { ...first!, value: first!.value + 5n }
    const forged = encodeTransaction({
      ...tx,
      outputs: [more, { ...first!, value: -5n }, ...rest],
    })
    const known = createTokenProver([...tokelAncestors(hex), forged], { network })
    const rules = [0, 1].map((vout) => known.prove(transactionId(forged), vout, tokenid))
    expect(rules).toMatchObject([{ rule: 'unequal_amounts' }, { rule: 'no_amount' }])
  })
})
