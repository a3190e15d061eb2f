// Proofs of inclusion as evidence: with real headers and transactions of a recorded chain, and with
// the false ones that a hostile source can make of them. docs/adr/0023-inclusion-as-evidence.md
// lists the questions.

import { describe, expect, test } from 'vitest'

import { decodeBlockHeader, komodoRules } from '../../../src/electrum/index.ts'
import {
  type ChainTerms,
  decodeTransaction,
  type Evidence,
  encodeTransaction,
  formatCase,
  formatReport,
  type InclusionEvidence,
  networks,
  type PaymentIntent,
  parseCase,
  type Report,
  verifyCase,
  verifyPayment,
} from '../../../src/index.ts'
import { publicBlocks } from '../../support/headers.ts'
import {
  blockAt,
  decodedHeaders,
  headers,
  hexOf,
  payments,
  proofOf,
} from '../../support/inclusion.ts'
import { branchOf, hashTwice, parent, reversed } from '../../support/merkle.ts'
import { mined } from '../../support/mined-header.ts'

const tip = headers.length - 1
/** A payment with a parent that has a neighbour in its block. */
const payment = payments.find(
  ({ parents, height }) =>
    height < 180 && parents.length === 1 && proofOf(parents[0]!).merkle.length > 0,
)!
const [spent] = payment.parents as [string]
const proof = proofOf(spent)
const equihash = { n: 48, k: 5 }
const known = (...heights: number[]): ChainTerms => ({
  equihash,
  checkpoints: heights.map(blockAt),
})
/** A hash that no block has. */
const noBlock = '11'.repeat(32)
const isEasy = (hash: string) => hash < '0f0f0f'

interface Changes {
  readonly chain?: ChainTerms | undefined
  readonly intent?: Partial<PaymentIntent>
  readonly inclusion?: readonly InclusionEvidence[]
  readonly evidence?: Partial<Evidence>
}

/** Headers from the block of the parent on. */
const stretch = (end = tip, start = proof.height): InclusionEvidence => ({
  headers: headers.slice(start, end + 1),
  proofs: [proof],
})

function report({ chain, intent = {}, inclusion = [stretch()], evidence = {} }: Changes): Report {
  const asked = { ...payment.intent, ...intent, ...(chain !== undefined && { chain }) }
  return verifyPayment(payment.hex, asked, {
    ...payment.evidence,
    tipHeight: tip,
    ...evidence,
    inclusion,
  })
}

/** The findings on chains and inclusion. */
function found(given: Report) {
  return given.findings.filter(({ code }) =>
    /^(?:chain|inclusion|intent_chain|evidence)/.test(code),
  )
}
const codes = (changes: Changes) => found(report(changes)).map(({ code }) => code)

/** A header over the branch of the parent, which anybody can make on any block. */
const forgedOn = (hash: string, root = decodedHeaders[proof.height]!.merkleRoot) =>
  mined(hash, { wants: isEasy, merkleRoot: root })

const unproven = ['chain_unproven', 'inclusion_unproven']

describe('a spent transaction in a block that hashes bind to a known one', () => {
  test('binds the payment, and the report says to what', () => {
    const { ok, findings } = report({ chain: known(tip) })
    expect(findings.map(({ code }) => code)).not.toContain('chain_unbound')
    expect(ok).toBe(true)
    expect(found({ findings } as Report)).toEqual([
      expect.objectContaining({
        code: 'inclusion_linked',
        severity: 'info',
        path: 'evidence.inclusion[0]',
        actual:
          `1 of 1 spent transactions, 1 in all; the youngest in block ${proof.height}, ` +
          `${tip - proof.height + 1} deep by these headers; known block ${tip} ${blockAt(tip).hash}`,
      }),
    ])
  })

  test.each([proof.height, proof.height + 1, tip])('the known block is at height %d', (height) => {
    expect(codes({ chain: known(height), inclusion: [stretch(height)] })).toEqual([
      'inclusion_linked',
    ])
  })

  test('a proof in one text, in pieces, and in upper case is the same', () => {
    const whole = headers.slice(proof.height).join('')
    for (const texts of [[whole], [whole.slice(0, 354), whole.slice(354)], [whole.toUpperCase()]]) {
      const inclusion = [{ headers: texts, proofs: [{ ...proof, txid: spent.toUpperCase() }] }]
      expect(codes({ chain: known(tip), inclusion })).toEqual(['inclusion_linked'])
    }
  })

  test('needs no proof of work, which the known block commits to', () => {
    const chain = { checkpoints: [blockAt(tip)] }
    expect(codes({ chain })).toEqual(['inclusion_linked'])
  })

  test('binds through an ancestor', () => {
    const grandparent = decodeTransaction(hexOf(spent)).inputs[0]!.txid
    const older = proofOf(grandparent)
    const inclusion = [{ headers: headers.slice(older.height), proofs: [older] }]
    const previousTransactions = [...payment.evidence.previousTransactions, hexOf(grandparent)]
    const changes = { chain: known(tip), inclusion, evidence: { previousTransactions } }
    expect(codes(changes)).toEqual(['inclusion_linked'])
  })

  test('the report counts the servers that gave the headers, each once', () => {
    const sources = ['ssl://a:1', 'ssl://b:1', 'ssl://a:1']
    const { findings } = report({ chain: known(tip), inclusion: [{ ...stretch(), sources }] })
    const { actual } = findings.find(({ code }) => code === 'inclusion_linked')!
    expect(actual).toMatch(/; 2 servers by the evidence$/)
  })

  test('a coinbase is its own proof of depth', () => {
    const coinbase = [...payments.flatMap(({ parents }) => parents)].find(
      (txid) => proofOf(txid).pos === 0,
    )!
    const { coinbase: _, ...own } = proofOf(coinbase)
    const spender = payments.find(({ parents }) => parents.includes(coinbase))!
    const inclusion = [{ headers: headers.slice(own.height), proofs: [own] }]
    const given = verifyPayment(
      spender.hex,
      { ...spender.intent, chain: known(tip) },
      { ...spender.evidence, tipHeight: tip, inclusion },
    )
    expect(found(given).map(({ code }) => code)).toEqual(['inclusion_linked'])
  })
})

describe('a spent transaction in a block after the last known one', () => {
  const before = known(proof.height - 1)
  const work = BigInt(tip - proof.height + 1) * 0x11n

  test('binds only with the work that the request requires', () => {
    expect(codes({ chain: before })).toEqual(['chain_unproven', 'inclusion_light'])
    expect(codes({ chain: { ...before, workMin: work } })).toEqual(['inclusion_worked'])
    expect(codes({ chain: { ...before, workMin: work + 1n } })).toEqual([
      'chain_unproven',
      'inclusion_light',
    ])
    const { findings } = report({ chain: { ...before, workMin: work } })
    const { actual } = findings.find(({ code }) => code === 'inclusion_worked')!
    expect(actual).toContain(`${tip - proof.height + 1} deep by these headers; ${work} hashes`)
  })

  test('work before the block of a transaction is not counted', () => {
    const forged = forgedOn(blockAt(tip).hash)
    const inclusion = [
      {
        headers: [...headers.slice(proof.height + 1), forged],
        proofs: [{ ...proof, height: tip + 1 }],
      },
    ]
    const changes = { inclusion, evidence: { tipHeight: tip + 1 } }
    const chain = known(proof.height)
    expect(codes({ ...changes, chain: { ...chain, workMin: 0x11n } })).toEqual(['inclusion_worked'])
    expect(codes({ ...changes, chain: { ...chain, workMin: 0x12n } })).toEqual([
      'chain_unproven',
      'inclusion_light',
    ])
  })

  test('work on a branch that ends below the highest known block is not counted', () => {
    const low = 5
    const forged = forgedOn(blockAt(low).hash)
    const inclusion = [{ headers: [forged], proofs: [{ ...proof, height: low + 1 }] }]
    const chain = { ...known(low), workMin: 0x11n }
    expect(codes({ chain, inclusion })).toEqual(['inclusion_worked'])
    for (const checkpoints of [known(low, tip), known(tip, low)]) {
      expect(codes({ chain: { ...chain, ...checkpoints }, inclusion })).toEqual(unproven)
    }
    // Blocks up to the known one are certain, whatever follows it.
    const upTo = [
      { headers: [...headers.slice(proof.height, tip), headers[tip]!], proofs: [proof] },
    ]
    const above = { equihash, checkpoints: [blockAt(tip - 1), { height: tip + 9, hash: noBlock }] }
    expect(codes({ chain: { ...above, workMin: 1n }, inclusion: upTo })).toEqual([
      'inclusion_linked',
    ])
  })

  test('a header that is not solved, or by other parameters, proves nothing', () => {
    const last = headers.at(-1)!
    const broken = `${last.slice(0, -2)}00`
    const inclusion = [
      { ...stretch(tip - 1), headers: [...headers.slice(proof.height, -1), broken] },
    ]
    const workMin = 1n
    expect(codes({ chain: { ...before, workMin }, inclusion })).toEqual(unproven)
    const main = { ...before, workMin, equihash: { n: 200, k: 9 } }
    expect(codes({ chain: main })).toEqual(unproven)
    const strict = { ...before, workMin, limitBits: 0x1d00ffff }
    expect(codes({ chain: strict })).toEqual(unproven)
  })
})

describe('evidence proves nothing if it is', () => {
  test('a block that only the evidence calls known', () => {
    const inclusion = [{ ...stretch(), checkpoint: blockAt(tip) }]
    expect(() => report({ inclusion })).toThrow(TypeError)
    expect(codes({})).toEqual(['chain_unbound', 'inclusion_unproven'])
  })

  test('headers that lead to no known block', () => {
    expect(codes({ chain: known(tip), inclusion: [stretch(tip - 1)] })).toEqual(unproven)
    expect(codes({ chain: known(proof.height - 2) })).toEqual(unproven)
    expect(codes({ chain: known(tip), inclusion: [{ headers: [], proofs: [proof] }] })).toEqual(
      unproven,
    )
    expect(codes({ chain: known(tip), inclusion: [] })).toEqual(['chain_unproven'])
  })

  test('a list with a gap', () => {
    const at = proof.height + 3
    const gap = [...headers.slice(proof.height, at), ...headers.slice(at + 1)]
    expect(codes({ chain: known(tip), inclusion: [{ headers: gap, proofs: [proof] }] })).toEqual(
      unproven,
    )
  })

  test.each([1, 2, 3, 176, 354])('half a header: %d digits are left out', (digits) => {
    const cut = headers.slice(proof.height).join('').slice(0, -digits)
    const given = report({ chain: known(tip), inclusion: [{ headers: [cut], proofs: [proof] }] })
    expect(given.ok).toBe(false)
    expect(found(given).map(({ code }) => code)).toEqual(unproven)
  })

  test.each(['', 'zz', '00', '11'.repeat(200)])('text in place of headers: %s', (text) => {
    const inclusion = [{ headers: [text], proofs: [proof] }]
    expect(codes({ chain: known(tip), inclusion })).toEqual(unproven)
  })

  test('real headers of another chain', () => {
    const [kmd] = publicBlocks
    const foreign = { headers: [kmd!.header], proofs: [{ ...proof, height: kmd!.height }] }
    expect(codes({ chain: known(tip), inclusion: [foreign] })).toEqual(unproven)
  })

  test('headers from the first block, which all chains share', () => {
    const chain = { equihash, checkpoints: [blockAt(0)], workMin: 1n }
    expect(codes({ chain })).toEqual(['chain_unproven', 'intent_chain'])
    const both = { ...known(0, tip), workMin: 1n }
    const fromFirst = [{ headers: headers.slice(1, tip), proofs: [proof] }]
    expect(codes({ chain: both, inclusion: fromFirst })).toEqual(unproven)
  })

  test('another block at the height of a known one', () => {
    const other = { height: tip - 1, hash: '11'.repeat(32) }
    const chain = { equihash, checkpoints: [other, blockAt(tip)] }
    const given = report({ chain })
    expect(found(given).map(({ code }) => code)).toEqual(['chain_unproven', 'chain_contradicted'])
    expect(given.findings.find(({ code }) => code === 'chain_contradicted')).toMatchObject({
      severity: 'reject',
      expected: `${other.hash} at height ${tip - 1}`,
      actual: blockAt(tip - 1).hash,
    })
    // The block before the first header is one too.
    const first = { equihash, checkpoints: [{ ...other, height: proof.height - 1 }, blockAt(tip)] }
    expect(codes({ chain: first })).toEqual(['chain_unproven', 'chain_contradicted'])
  })

  test('an inner node, or bytes of another transaction', () => {
    const changed = (more: Partial<typeof proof>) => [
      { ...stretch(), proofs: [{ ...proof, ...more }] },
    ]
    const node = parent(spent, proof.merkle[0]!)
    for (const txid of [node, blockAt(3).hash, '', 'zz']) {
      expect(codes({ chain: known(tip), inclusion: changed({ txid }) })).toEqual(unproven)
    }
  })

  test('a transaction of 64 bytes that hides another one below it', () => {
    // A block with a leaf of 64 bytes: the id of the spent transaction, and the other half.
    const half = '22'.repeat(32)
    const leaf = hashTwice(Buffer.from(reversed(spent) + reversed(half), 'hex'))
    const { coinbase } = proof
    const coinbaseId = decodeTransaction(coinbase.transaction).txid
    const txids = [coinbaseId, reversed(leaf.toString('hex'))]
    const forged = forgedOn(blockAt(tip).hash, parent(txids[0]!, txids[1]!))
    const chain = {
      equihash,
      checkpoints: [{ height: tip + 1, hash: decodeBlockHeader(forged).hash }],
    }
    const below = { txid: spent, height: tip + 1, pos: 2, merkle: [half, coinbaseId] }
    const of = (proofs: InclusionEvidence['proofs']) =>
      codes({ chain, inclusion: [{ headers: [forged], proofs }], evidence: { tipHeight: tip + 1 } })
    const beside = { transaction: coinbase.transaction, merkle: branchOf(txids, 0) }
    expect(of([{ ...below, coinbase: beside }])).toEqual(unproven)
    expect(of([below])).toEqual(unproven)
  })

  test('a branch without that of the coinbase, or with another one', () => {
    const { coinbase, ...without } = proof
    const given = [
      without,
      { ...without, coinbase: { ...coinbase, merkle: [] } },
      { ...without, coinbase: { ...coinbase, transaction: hexOf(spent) } },
      { ...without, coinbase: { ...coinbase, transaction: '' } },
    ]
    for (const it of given) {
      const inclusion = [{ ...stretch(), proofs: [it] }]
      expect(codes({ chain: known(tip), inclusion })).toEqual(unproven)
    }
  })

  test('a false position, branch or height', () => {
    const given = [
      { pos: 0 },
      { pos: proof.pos + 1 },
      { pos: 0xffffffff },
      { merkle: [] },
      { merkle: ['zz'] },
      { merkle: proof.merkle.toReversed().concat('11'.repeat(32)) },
      { height: proof.height + 1 },
      { height: tip + 1 },
      { height: 0 },
    ]
    for (const more of given) {
      const inclusion = [{ ...stretch(), proofs: [{ ...proof, ...more }] }]
      expect(codes({ chain: known(tip), inclusion })).toEqual(unproven)
    }
  })

  test('a proof that does not hold counts for nothing, and is no reject', () => {
    const inclusion = [{ ...stretch(), proofs: [{ ...proof, pos: proof.pos + 1 }] }]
    const given = report({ inclusion, intent: { onChain: [spent] }, chain: undefined })
    expect(given.ok).toBe(true)
    const plain = report({ inclusion, intent: { network: networks.komodo } })
    expect(found(plain).map(({ code }) => code)).toEqual(['chain_unbound', 'inclusion_unproven'])
  })

  test('a proven transaction that the payment does not descend from', () => {
    const other = payments.find(
      ({ height, parents }) => height > proof.height && !parents.includes(spent),
    )!
    const [txid] = [decodeTransaction(other.hex).txid]
    const inclusion = [{ headers: headers.slice(other.height), proofs: [proofOf(txid)] }]
    const previousTransactions = [...payment.evidence.previousTransactions, other.hex]
    const given = codes({ chain: known(tip), inclusion, evidence: { previousTransactions } })
    expect(given).toEqual(['chain_unproven', 'inclusion_linked'])
  })

  test('a transaction of another chain, from which a coin import comes', () => {
    const { inputs, ...rest } = decodeTransaction(payment.hex)
    const [input] = inputs as [(typeof inputs)[number]]
    // komodo src/importcoin.cpp, MakeImportCoinTransaction
    const burn = { ...input, txid: spent, vout: 1_000_000_000 }
    const other = { ...input, txid: '11'.repeat(32) }
    const spending = (...from: (typeof inputs)[number][]) =>
      encodeTransaction({ ...rest, inputs: from })
    const codesOf = (hex: string, between: readonly string[]) => {
      const previousTransactions = [...payment.evidence.previousTransactions, ...between]
      const evidence = { ...payment.evidence, previousTransactions, tipHeight: tip }
      const chains = [
        { chain: known(tip) },
        { onChain: [spent] },
        { network: networks.komodo, chain: { ...komodoRules, checkpoints: [blockAt(tip)] } },
      ]
      return chains.map(
        (terms) =>
          found(
            verifyPayment(
              hex,
              { ...payment.intent, ...terms },
              { ...evidence, ...('chain' in terms && { inclusion: [stretch()] }) },
            ),
          )[0]?.code,
      )
    }
    const rejected = ['chain_unproven', 'chain_unproven', 'chain_unproven']
    const through = (hex: string) =>
      codesOf(spending({ ...input, txid: decodeTransaction(hex).txid }), [hex])
    expect(through(spending({ ...burn, vout: 0 }))).toEqual([
      'inclusion_linked',
      undefined,
      'inclusion_linked',
    ])
    expect(through(spending(burn))).toEqual(rejected)
    expect(through(spending(other, burn))).toEqual(rejected)
    expect(through(spending({ ...burn, vout: 0xffffffff }))).toEqual(rejected)
    expect(codesOf(spending(burn), [])).toEqual(rejected)
  })

  test('one that was not given', () => {
    const other = payments.find(({ parents }) => !parents.includes(spent))!
    const own = proofOf(other.parents[0]!)
    const inclusion = [{ headers: headers.slice(own.height), proofs: [own] }]
    expect(codes({ chain: known(tip), inclusion })).toEqual(unproven)
  })
})

describe('evidence that contradicts itself is rejected', () => {
  const contradicted = (changes: Changes) => {
    const given = report({ chain: known(tip), ...changes })
    return [given.ok, given.findings.find(({ code }) => code === 'evidence_contradicts')?.path]
  }

  test('two heights of one transaction are rejected', () => {
    const twice = [{ ...stretch(), proofs: [proof, { ...proof, height: proof.height + 1 }] }]
    expect(contradicted({ inclusion: twice })).toEqual([
      false,
      'evidence.inclusion[0].proofs[1].height',
    ])
    const apart = [stretch(), { ...stretch(), proofs: [{ ...proof, height: 1 }] }]
    expect(contradicted({ inclusion: apart })).toEqual([
      false,
      'evidence.inclusion[1].proofs[0].height',
    ])
    expect(contradicted({ inclusion: [stretch(), stretch()] })).toEqual([true, undefined])
  })

  test('another height than the evidence states is rejected', () => {
    const heights = (height: number) => ({
      evidence: { heights: { [spent.toUpperCase()]: height } },
    })
    expect(contradicted(heights(proof.height))).toEqual([true, undefined])
    for (const height of [0, proof.height - 1, proof.height + 1]) {
      expect(contradicted(heights(height))).toEqual([false, `evidence.heights.${spent}`])
    }
  })

  test('headers above the last block are rejected', () => {
    expect(contradicted({ evidence: { tipHeight: tip - 1 } })).toEqual([
      false,
      'evidence.inclusion[0].headers',
    ])
  })

  test('another time of the last block than in its header is rejected', () => {
    const { time } = decodedHeaders[tip]!
    expect(contradicted({ evidence: { tipTime: time } })).toEqual([true, undefined])
    expect(contradicted({ evidence: { tipTime: time + 1 } })).toEqual([false, 'evidence.tipTime'])
  })
})

describe('the size of the evidence bounds the work', () => {
  test('more headers than are read prove nothing', () => {
    const many = Array.from({ length: 60 }, () => headers.slice(proof.height).join(''))
    const inclusion = many.map((text) => ({ headers: [text], proofs: [proof] }))
    const given = report({ chain: known(tip), inclusion: [...inclusion, ...inclusion] })
    const count = Math.floor(10_000 / (tip - proof.height + 1))
    const { length } = inclusion
    const refused = found(given).filter(({ code }) => code === 'inclusion_unproven')
    expect(refused).toHaveLength(Math.min(10, Math.max(0, 2 * length - count)))
    expect(refused[0]?.actual).toBe('more than 10000 headers')
  })

  test('each transaction is proven once, and few of the proofs that do not hold are listed', () => {
    const again = Array.from({ length: 1000 }, () => proof)
    const once = report({ chain: known(tip), inclusion: [{ ...stretch(), proofs: again }] })
    expect(found(once)).toHaveLength(1)
    const bad = Array.from({ length: 1000 }, (_, at) => ({
      ...proof,
      txid: at.toString(16).padStart(64, '0'),
    }))
    const given = report({ chain: known(tip), inclusion: [{ ...stretch(), proofs: bad }] })
    expect(found(given)).toHaveLength(11)
  })

  test('a false proof hides no true one, unless four of them come first', () => {
    const bad = { ...proof, pos: 0 }
    const after = (count: number) => {
      const proofs = [...Array.from({ length: count }, () => bad), proof]
      return codes({ chain: known(tip), inclusion: [{ ...stretch(), proofs }] })
    }
    for (const count of [1, 3]) {
      const refused = Array.from({ length: count }, () => 'inclusion_unproven')
      expect(after(count)).toEqual([...refused, 'inclusion_linked'])
    }
    const most = Array.from({ length: 4 }, () => 'inclusion_unproven')
    expect(after(4)).toEqual(['chain_unproven', ...most])
    expect(after(1000)).toEqual(['chain_unproven', ...most])
  })

  test('headers with too little work do not hide those with enough', () => {
    const short = { ...stretch(proof.height), proofs: [proof, proof] }
    const chain = { ...known(proof.height - 1), workMin: 0x12n }
    const given = report({ chain, inclusion: [short, stretch()] })
    expect(found(given).map(({ code }) => code)).toEqual(['inclusion_light', 'inclusion_worked'])
    expect(found(given)[0]!.actual).toMatch(/^1 of 1 spent transactions, 1 in all;/)
  })

  test('more stretches than are read prove nothing, and few of one kind are listed', () => {
    const empty = { headers: [], proofs: [] }
    const padded = (count: number) => [...Array.from({ length: count }, () => empty), stretch()]
    expect(codes({ chain: known(tip), inclusion: padded(255) })).toContain('inclusion_linked')
    const many = report({ chain: known(tip), inclusion: padded(256) })
    expect(found(many).map(({ code }) => code)).not.toContain('inclusion_linked')
    expect(many.findings.find(({ code }) => code === 'inclusion_unproven')).toMatchObject({
      path: 'evidence.inclusion',
      actual: '257 stretches of headers, of which 256 are read',
    })
    const above = Array.from({ length: 300 }, () => stretch(proof.height))
    const evidence = { tipHeight: proof.height - 1 }
    const all = found(report({ chain: known(proof.height - 1), inclusion: above, evidence }))
    const count = (code: string) => all.filter((it) => it.code === code).length
    expect([count('evidence_contradicts'), count('inclusion_light')]).toEqual([10, 4])
  })

  test('findings on headers with too little work are few, whatever their transactions', () => {
    const mined = payments
      .flatMap(({ parents }) => parents)
      .filter((txid, at, all) => all.indexOf(txid) === at && proofOf(txid).height > 1)
      .slice(0, 20)
    const inclusion = mined.map((txid) => {
      const own = proofOf(txid)
      return { headers: headers.slice(1, own.height + 1), proofs: [own] }
    })
    const chain = known(1)
    const evidence = { previousTransactions: [hexOf(spent), ...mined.map(hexOf)] }
    const all = codes({ chain, inclusion, evidence })
    expect(mined).toHaveLength(20)
    expect(all.filter((code) => code === 'inclusion_light')).toHaveLength(10)
  })
})

describe('a request names its chain', () => {
  test.each([
    ['no block', { checkpoints: [] }],
    ['the first block alone', { checkpoints: [blockAt(0)] }],
    ['a hash that is none', { checkpoints: [{ height: 1, hash: 'zz' }] }],
    [
      'two blocks at one height',
      { checkpoints: [blockAt(1), { height: 1, hash: '11'.repeat(32) }] },
    ],
    ['a puzzle that no chain has', { ...known(tip), equihash: { n: 200, k: 5 } }],
    ['negative work', { ...known(tip), workMin: -1n }],
    ['a limit that is not a target', { ...known(tip), limitBits: 0 }],
  ])('%s is a finding', (_, chain) => {
    const given = report({ chain })
    expect([given.ok, found(given).map(({ code }) => code)]).toEqual([
      false,
      ['chain_unproven', 'intent_chain'],
    ])
  })

  test.each([
    ['null', null],
    ['no list of blocks', {}],
    ['an object in place of the list', { checkpoints: {} }],
    ['a height in text', { checkpoints: [{ height: '1', hash: '' }] }],
    ['a misspelt member', { checkpoints: [], workmin: 1n }],
    ['work as a number', { checkpoints: [], workMin: 1 }],
  ])('%s is a TypeError', (_, chain) => {
    expect(() => report({ chain: chain as never })).toThrow(TypeError)
  })

  test('the checkpoints of KMD name its chain, and a request may add to them', () => {
    const komodo = networks.komodo
    const codesOn = (chain?: ChainTerms) =>
      codes({ intent: { network: komodo }, ...(chain && { chain }) })
    expect(codesOn()).toEqual(['chain_unbound', 'inclusion_unproven'])
    expect(codesOn({ ...komodoRules, checkpoints: [blockAt(tip)] })).toEqual(['inclusion_linked'])
    const other = [{ height: 99_996, hash: '11'.repeat(32) }]
    expect(codesOn({ checkpoints: other })).toEqual(['chain_unproven', 'intent_chain'])
    // A network that only goes by the name has no known block of its own.
    const alike = { ...komodo, maxMoney: komodo.maxMoney - 1n }
    const chain = { checkpoints: other }
    expect(codes({ intent: { network: alike }, chain })).toEqual(unproven)
  })

  test('a case file names the chain, and the text for people shows it', () => {
    const chain = { ...known(tip), workMin: 17n }
    const given = {
      operation: 'payment' as const,
      hex: payment.hex,
      intent: { ...payment.intent, chain, network: networks.assetChain },
      evidence: { ...payment.evidence, tipHeight: tip, inclusion: [stretch()] },
    }
    const read = parseCase(formatCase(given))
    expect(read.intent.chain).toEqual(chain)
    expect(read.evidence.inclusion).toEqual([stretch()])
    const text = formatReport(verifyCase(read), { given: read })
    expect(text).toContain('puzzle   Equihash 48,5')
    expect(text).not.toMatch(/^ {2}(?:target|blocks) /m)
    const priced = { ...chain, limitBits: 0x1d00ffff, allowsEasyBlocks: true }
    const shown = { ...given, intent: { ...given.intent, chain: priced } }
    const prices = formatReport(verifyCase(shown), { given: shown })
    expect(prices).toContain('target   at most 0x1d00ffff')
    expect(prices).toContain('blocks   may miss their own target')
    const puzzle = (acNk: boolean) => {
      const named = { ...chain, equihash: { n: 200, k: 9, acNk } }
      const one = { ...given, intent: { ...given.intent, chain: named } }
      return /puzzle {3}(.*)/.exec(formatReport(verifyCase(one), { given: one }))?.[1]
    }
    expect(puzzle(true)).toBe('Equihash 200,9, as -ac_nk hashes it')
    expect(puzzle(false)).toBe('Equihash 200,9, not as -ac_nk hashes it')
    expect(text).toContain(`known    block ${tip} ${blockAt(tip).hash}`)
    expect(text).toContain('work     at least 17 hashes')
    expect(text).toContain('inclusion_linked at evidence.inclusion[0]')
  })
})
