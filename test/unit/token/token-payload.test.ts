import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { AntaraError } from '../../../src/errors/antara-error.ts'
import { decodeAssetOrder, encodeAssetOrder } from '../../../src/token/payload/asset-order.ts'
import { decodeTokenPayload } from '../../../src/token/payload/decode.ts'
import { encodeTokenPayload } from '../../../src/token/payload/encode.ts'
import type { TokenPayload } from '../../../src/token/payload/payload.ts'
import { decodeTokelData, encodeTokelData } from '../../../src/token/payload/tokel-data.ts'
import { isMutationRun } from '../../support/mutation.ts'
import { placesOf, shareOf } from '../../support/share.ts'

interface Vectors {
  scripts: { script: string; from: string }[]
  tokeninfo: {
    script: string
    answer: { owner: string; name: string; description: string; data?: string; dataAsJson?: object }
  }[]
  transfers: { method: string; script: string; tokenid: string; destpubkey: string }[]
}
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../vectors/token/nulldata.json', import.meta.url), 'utf8'),
)

// generator point, twice and as a 32-byte tokenid: the examples of the specification
const pub1 = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const pub2 = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5'
const tokenid = '012a2033461046ef331b5ded9957293033a7bc8b1f96c884bed3c19dda629d00'
const plain = { push: 'direct', minimal: true, trailing: '', rest: '' } as const

function failure(run: () => unknown): { code: string; offset: unknown } {
  try {
    run()
  } catch (error) {
    if (error instanceof AntaraError) return { code: error.code, offset: error.context.offset }
    throw error
  }
  throw new Error('nothing was thrown')
}

/** Returns the expected and the actual value that an error reports. */
function counted(run: () => unknown): { expected?: unknown; actual?: unknown } {
  try {
    run()
  } catch (error) {
    if (!(error instanceof AntaraError)) throw error
    const { expected, actual } = error.context
    return { expected, actual }
  }
  throw new Error('nothing was thrown')
}

function decoded(script: string): TokenPayload {
  const payload = decodeTokenPayload(script)
  if (payload === undefined) throw new Error(`${script} is not a payload`)
  return payload
}

describe('the specification’s examples', () => {
  const demo = {
    owner: pub1,
    name: 'DEMO',
    nameHex: '44454d4f',
    description: 'demo',
    descriptionHex: '64656d6f',
    extras: [],
  }
  const examples: [string, string, TokenPayload][] = [
    [
      'komodod create',
      `6a2ef26321${pub1}0444454d4f0464656d6f`,
      {
        ...plain,
        layout: 'komodo-v1',
        kind: 'create',
        ...demo,
      },
    ],
    [
      'komodod transfer',
      `6a45f274${tokenid}0121${pub2}`,
      { ...plain, layout: 'komodo-v1', kind: 'transfer', tokenid, pubkeys: [pub2], extras: [] },
    ],
    [
      'tokeld v1 create',
      `6a2ff2430121${pub1}0444454d4f0464656d6f`,
      {
        ...plain,
        layout: 'tokel-v1',
        kind: 'create',
        ...demo,
      },
    ],
    [
      'tokeld v1 transfer',
      `6a46f25401${tokenid}0121${pub2}`,
      { ...plain, layout: 'tokel-v1', kind: 'transfer', tokenid, pubkeys: [pub2], extras: [] },
    ],
    [
      'tokens v2 create',
      `6a2ff5630121${pub1}0444454d4f0464656d6f`,
      {
        ...plain,
        layout: 'tokens-v2',
        kind: 'create',
        ...demo,
      },
    ],
    [
      'tokens v2 transfer',
      `6a23f57401${tokenid}`,
      { ...plain, layout: 'tokens-v2', kind: 'transfer', tokenid, pubkeys: [], extras: [] },
    ],
    [
      'komodod ask',
      `6a4c73f274${tokenid}0121${pub2}122ce37340145 02e00000000 21${pub1}`.replaceAll(' ', ''),
      {
        ...plain,
        push: 'pushdata1',
        layout: 'komodo-v1',
        kind: 'transfer',
        tokenid,
        pubkeys: [pub2],
        extras: [
          {
            id: 0x12,
            kind: 'assets',
            data: `e37340145 02e00000000 21${pub1}`.replaceAll(' ', ''),
            order: {
              form: 'komodo',
              evalCode: 'e3',
              action: 'ask',
              price: 777000000n,
              origin: pub1,
            },
          },
        ],
      },
    ],
  ]
  test.each(examples)('%s', (_, script, payload) => {
    expect(decodeTokenPayload(script)).toEqual(payload)
    expect(encodeTokenPayload(payload)).toBe(script)
  })

  test('Tokel properties', () => {
    const data = 'f7010101020d68747470733a2f2f612e622f6303190402 00ff'.replace(' ', '')
    const properties = { id: 1, url: 'https://a.b/c', royalty: 25, arbitrary: '00ff' }
    expect(decodeTokelData(data)).toEqual(properties)
    expect(encodeTokelData(properties)).toBe(data)
  })
})

describe('payloads of daemons', () => {
  test('every nulldata script decodes and comes back, or is of another module', () => {
    const counts = { token: 0, other: 0, refused: 0 }
    for (const { script, from } of vectors.scripts) {
      const evalCode = /^6a(?:4c..|4d....|..)(..)/.exec(script)?.[1]
      const isToken = evalCode === 'f2' || evalCode === 'f5'
      if (from === 'komodod block 54') {
        // an f5 payload without its version byte: komodod reads no f5, tokeld no version 21
        expect(failure(() => decodeTokenPayload(script))).toEqual({
          code: 'unknown_payload_version',
          offset: 4,
        })
        counts.refused += 1
        continue
      }
      const payload = decodeTokenPayload(script)
      expect(payload !== undefined, `${from} ${script}`).toBe(isToken)
      counts[isToken ? 'token' : 'other'] += 1
      if (payload === undefined) continue
      expect(encodeTokenPayload(payload)).toBe(script)
      expect(payload.rest, script).toBe('')
    }
    expect(counts).toEqual({ token: 342, other: 82, refused: 1 })
  })

  test.each(vectors.tokeninfo)('tokeninfo tells the same of %o', ({ script, answer }) => {
    const payload = decoded(script)
    if (payload.kind !== 'create') throw new Error('not a create')
    const { owner, name, description, data, dataAsJson } = answer
    expect(payload).toMatchObject({ owner, name, description })
    expect(payload.extras.map((it) => it.data)).toEqual(data === undefined ? [] : [data])
    const properties = payload.extras[0]?.properties
    if (dataAsJson !== undefined) expect({ ...properties }).toEqual(dataAsJson)
  })

  test.each(vectors.transfers)('$method $destpubkey asked for $script', (row) => {
    const payload = decoded(row.script)
    if (payload.kind !== 'transfer') throw new Error('not a transfer')
    expect(payload.tokenid).toBe(row.tokenid.toLowerCase())
    // komodod writes a key whose length does not fit its first byte as no bytes at all
    const whole = [66, 130].includes(row.destpubkey.length) ? row.destpubkey : ''
    expect(payload.pubkeys).toEqual(payload.layout === 'tokens-v2' ? [] : [whole.toLowerCase()])
  })

  const orders: [string, string, object | undefined][] = [
    [
      'komodod block 99',
      'assets',
      { action: 'ask', price: 1000000n, form: 'komodo', evalCode: 'e3' },
    ],
    ['komodod block 100', 'assets', { action: 'fillAsk', price: 700000n }],
    ['komodod block 101', 'assets', { action: 'cancelAsk' }],
    ['komodod block 102', 'assets', { action: 'bid', price: 10n }],
    ['komodod block 103', 'assets', { action: 'fillBid', price: 6n }],
    [
      'tokeld block 44',
      'assets',
      { action: 'ask', price: 10000n, form: 'tokel', evalCode: 'f6', expiryHeight: 40363 },
    ],
    ['tokeld block 45', 'assets', { action: 'fillAsk', price: 10000n }],
    ['tokeld block 46', 'assets', { action: 'cancelAsk', form: 'tokel', evalCode: 'f6' }],
    ['tokeld block 47', 'assets', { action: 'bid', price: 100000n, expiryHeight: 40366 }],
    ['tokeld block 48', 'assets', { action: 'fillBid', price: 100000n }],
  ]
  test.each(orders)('the order of %s', (from, kind, order) => {
    const row = vectors.scripts.find((it) => it.from === from && decodeTokenPayload(it.script))
    const extra = decoded(row?.script ?? '').extras[0]
    expect(extra).toMatchObject({ kind, order })
    if (extra?.order === undefined) throw new Error('no order')
    expect(encodeAssetOrder(extra.order)).toBe(extra.data)
  })

  test.each([
    ['ffffffff', -1],
    ['00000080', -(2 ** 31)],
    ['ffffff7f', 2 ** 31 - 1],
  ])('an order of any expiry height comes back: %s', (bytes, expiryHeight) => {
    const data = `f67301a08601000000000021${pub1}${bytes}`
    const order = decodeAssetOrder(data, 'tokel')
    expect(order).toMatchObject({ action: 'ask', price: 100000n, expiryHeight })
    expect(encodeAssetOrder(order)).toBe(data)
  })

  test('other modules’ data in the documentation keep their id', () => {
    const kinds = new Set<string>()
    for (const { script, from } of vectors.scripts) {
      if (!from.startsWith('documentation')) continue
      for (const extra of decodeTokenPayload(script)?.extras ?? []) kinds.add(extra.kind)
    }
    expect([...kinds].sort()).toEqual(['channels', 'gateways', 'nonFungible', 'pegs', 'rogue'])
  })
})

describe('forms that no daemon writes are kept', () => {
  const blob = `f274${tokenid}0121${pub2}`
  const cases: [string, string, Partial<TokenPayload>][] = [
    ['a longer push', `6a4c45${blob}`, { push: 'pushdata1', minimal: false }],
    ['a two-byte push', `6a4d4500${blob}`, { push: 'pushdata2', minimal: false }],
    ['a four-byte push', `6a4e45000000${blob}`, { push: 'pushdata4', minimal: false }],
    ['bytes after the push', `6a45${blob}00`, { trailing: '00', minimal: true }],
    ['a second push', `6a45${blob}02aabb`, { trailing: '02aabb' }],
    ['an id without data', `6a46${blob}12`, { rest: '12', extras: [] }],
    ['data shorter than announced', `6a48${blob}1102aa`, { rest: '1102aa', extras: [] }],
    ['a length that could be shorter', `6a4a${blob}11fd0100aa`, { rest: '11fd0100aa' }],
    [
      'an unknown id',
      `6a4b${blob}6304aabbccdd`,
      { extras: [{ id: 0x63, kind: 'unknown', data: 'aabbccdd' }] },
    ],
    [
      'id 0, which daemons leave out',
      `6a47${blob}0000`,
      { extras: [{ id: 0, kind: 'unknown', data: '' }] },
    ],
  ]
  test.each(cases)('%s', (_, script, expected) => {
    expect(decoded(script)).toMatchObject(expected)
    expect(encodeTokenPayload(decoded(script))).toBe(script)
  })

  test('bare data of the assets and rogue modules are legacy data', () => {
    const script = `6a49f274${tokenid}0121${pub2}03e37800`
    expect(decoded(script).extras).toEqual([
      {
        id: 0x12,
        legacy: true,
        kind: 'assets',
        data: 'e37800',
        problem: { code: 'trailing_bytes', offset: 74 },
      },
    ])
    expect(encodeTokenPayload(decoded(script))).toBe(script)
    const rogue = `6a4af274${tokenid}0121${pub2}0411520011`
    expect(decoded(rogue).extras).toEqual([
      { id: 0x16, legacy: true, kind: 'rogue', data: '11520011' },
    ])
  })

  test('bytes that are legacy data and also an extra with its id are legacy data', () => {
    const rest = `121152${'00'.repeat(16)}`
    const script = `6a4c58f274${tokenid}0121${pub2}${rest}`
    expect(decoded(script).extras).toMatchObject([{ id: 0x16, legacy: true, kind: 'rogue' }])
  })

  test('a creation has no legacy form', () => {
    const script = `6a2bf26321${pub1}0141014202e378`
    expect(decoded(script)).toMatchObject({ extras: [], rest: '02e378' })
  })

  // komodo src/cc/CCtokenutils.cpp, DecodeTokenOpRet: what the bytes after 11 and e3 may be
  test.each([
    ...[...'RHQKG'].map((letter) => ['11', letter, 'rogue', 0x16] as const),
    ...[...'sbSBxo'].map((letter) => ['e3', letter, 'assets', 0x12] as const),
  ])('%s and %s begin legacy data', (evalCode, letter, kind, id) => {
    const data = `${evalCode}${Buffer.from(letter).toString('hex')}00`
    const script = `6a49f274${tokenid}0121${pub2}03${data}`
    expect(decoded(script).extras).toMatchObject([{ id, legacy: true, kind, data }])
  })

  const long = `1152${'00'.repeat(251)}`
  test.each([
    ['of other bytes', '0201aa', [{ id: 2, kind: 'unknown', data: 'aa' }], ''],
    ['that begin later', '0300e378', [{ id: 3, kind: 'unknown', data: '' }], 'e378'],
    ['of rogue that begin later', '03001152', [{ id: 3, kind: 'unknown', data: '' }], '1152'],
    ['of another letter', '03e37a00', [], '03e37a00'],
    ['of a length too long', 'fd0100aa', [{ id: 0xfd, kind: 'unknown', data: '00' }], 'aa'],
    ['of 253 bytes', `fdfd00${long}`, [{ id: 0x16, legacy: true, kind: 'rogue', data: long }], ''],
    ['with more after them', `fdfd00${long}aa`, [], `fdfd00${long}aa`],
  ])('legacy data are not %s, or are', (_, extras, expected, rest) => {
    const blob = `f274${tokenid}0121${pub2}${extras}`
    const size = blob.length / 2
    const push = size < 0x4c ? '' : size < 0x100 ? '4c' : '4d'
    const count = size.toString(16).padStart(push === '4d' ? 4 : 2, '0')
    const payload = decoded(`6a${push}${count.replace(/^(..)(..)$/, '$2$1')}${blob}`)
    expect(payload.extras).toEqual(expected)
    expect(payload.rest).toBe(rest)
  })

  test.each([
    ['data of a module beside an id of another', '1303f70101', 'komodo', { kind: 'gateways' }],
    ['a non-fungible token’s own', '1102f1aa', 'komodo', { kind: 'nonFungible' }],
    ['tokeld’s properties', '04f7010119', 'tokel', { kind: 'nonFungible', properties: { id: 25 } }],
    ['tokeld’s of gateways', '02f1aa', 'tokel', { kind: 'gateways' }],
    ['tokeld’s of nobody', '02aaaa', 'tokel', { kind: 'unknown' }],
    ['nothing of tokeld', '00', 'tokel', { kind: 'unknown' }],
  ])('an extra is what it says: %s', (_, extra, daemon, expected) => {
    const head = daemon === 'komodo' ? `f274${tokenid}00` : `f57401${tokenid}`
    const blob = `${head}${extra}`
    const data = extra.slice(daemon === 'komodo' ? 4 : 2)
    const id = daemon === 'komodo' ? { id: Number.parseInt(extra.slice(0, 2), 16) } : {}
    const script = `6a${(blob.length / 2).toString(16)}${blob}`
    expect(decoded(script).extras).toEqual([{ ...id, data, ...expected }])
  })

  test('data of a creation on tokeld’s chains are the token’s own, whatever they begin with', () => {
    const script = `6a2cf5630121${pub1}0141014202e378`
    expect(decoded(script).extras).toEqual([{ kind: 'nonFungible', data: 'e378' }])
  })

  test('the first order counts: komodo src/cc/CCtokenutils.cpp, GetOpretBlob', () => {
    const script = `6a2bf274${tokenid}001202e3781202e36f`
    expect(decoded(script).extras).toEqual([
      {
        id: 0x12,
        kind: 'assets',
        data: 'e378',
        order: { form: 'komodo', evalCode: 'e3', action: 'cancelAsk' },
      },
      { id: 0x12, kind: 'assets', data: 'e36f' },
    ])
  })

  test('names that are not UTF-8 keep their bytes', () => {
    const script = `6a2bf26321${pub1}02ff41031b5b6d`
    expect(decoded(script)).toMatchObject({ name: '�A', nameHex: 'ff41', description: '\x1b[m' })
    expect(encodeTokenPayload(decoded(script))).toBe(script)
  })

  test('upper-case hex reads as lower case', () => {
    const script = `6a23f57401${tokenid}`
    expect(decodeTokenPayload(script.toUpperCase())).toEqual(decodeTokenPayload(script))
  })
})

describe('scripts without a token payload', () => {
  test.each([
    ['an empty script', ''],
    ['a payload behind another opcode', `5123f57401${tokenid}`],
    ['a P2PKH output', '76a9143bdb00e1143be1f59682fcb817ad82e5acd57efc88ac'],
    ['nulldata without data', '6a'],
    ['an empty push', '6a00'],
    ['a small number', '6a51'],
    ['a small number before a payload', `6a51f274${tokenid}00`],
    ['an empty push before a payload', `6a00f274${tokenid}00`],
    ['an empty push in the long form before a header', '6a4c00f574'],
    ['text', '6a0b68656c6c6f20776f726c64'],
    ['an order of the old assets module', `6a22e378${tokenid}`],
    ['a push that ends before its first byte', '6a45'],
    ['a push length that is cut', '6a4d45'],
  ])('%s', (_, script) => {
    expect(decodeTokenPayload(script)).toBeUndefined()
  })
})

describe('malformed payloads', () => {
  const cases: [string, string, string, number][] = [
    ['a push past the script', '6a45f274', 'truncated', 2],
    ['a four-byte push past the script', '6a4effffff7ff274', 'truncated', 6],
    ['an eval code alone', '6a01f2', 'truncated', 3],
    ['a header alone', '6a02f274', 'truncated', 4],
    ['function i', '6a03f26900', 'unknown_token_function', 3],
    ['function C of tokens v2', '6a03f54301', 'unknown_token_function', 3],
    ['tokeld create, version 2', '6a03f24302', 'unknown_payload_version', 4],
    ['tokens v2 transfer, version 0', '6a03f57400', 'unknown_payload_version', 4],
    ['a short tokenid', `6a21f274${tokenid.slice(2)}`, 'truncated', 4],
    ['three public keys', `6a23f274${tokenid}03`, 'pubkey_count', 36],
    ['255 public keys', `6a24f25401${tokenid}ff`, 'pubkey_count', 37],
    ['a public key past the blob', `6a43f274${tokenid}0121${pub2.slice(4)}`, 'truncated', 38],
    ['no public key after its count', `6a23f274${tokenid}01`, 'truncated', 37],
    ['an owner past the blob', '6a0af263210279be667ef9dc', 'truncated', 5],
    ['an owner length over the limit', '6a07f263fe01000002', 'length_over_limit', 4],
    ['an owner length without its bytes', '6a03f263fd', 'truncated', 4],
    ['an owner length that is cut', '6a05f263fe0000', 'truncated', 4],
    ['an owner length of 2^64 - 1', '6a0bf263ffffffffffffffffff', 'length_over_limit', 4],
    ['a name length in three bytes', `6a28f26321${pub1}fd010041`, 'non_canonical_length', 38],
    ['a name length in five bytes', `6a2af26321${pub1}feffff000000`, 'non_canonical_length', 38],
    ['no description', `6a26f26321${pub1}0141`, 'truncated', 40],
  ]
  test.each(cases)('%s', (_, script, code, offset) => {
    expect(failure(() => decodeTokenPayload(script))).toEqual({ code, offset })
  })

  test.each([
    ['of a length of three bytes', '6a03f263fd', 3, 1],
    ['of a length of five bytes', '6a05f263fe0000', 5, 3],
    ['of a length of nine bytes', '6a05f263ff0000', 9, 3],
    ['of a tokenid', `6a21f274${tokenid.slice(2)}`, 32, 31],
    ['of a push', '6a45f274', 69, 2],
  ])('the bytes that are missing are counted: %s', (_, script, expected, actual) => {
    expect(counted(() => decodeTokenPayload(script))).toEqual({ expected, actual })
  })

  test.each([
    ['odd digits', '6a4', 'odd_length_hex'],
    ['a letter', '6g', 'malformed_hex'],
    ['white space', '6a 45', 'malformed_hex'],
  ])('%s', (_, script, code) => {
    expect(failure(() => decodeTokenPayload(script)).code).toBe(code)
  })

  const extra = (id: unknown) => () =>
    encodeTokenPayload({
      layout: 'komodo-v1',
      kind: 'transfer',
      tokenid,
      pubkeys: [],
      extras: [{ id: id as number, kind: 'unknown', data: 'aa' }],
    })
  const order = { form: 'komodo', evalCode: 'e3', action: 'ask', price: 1n, origin: pub1 } as const
  test.each([
    ['an id below zero', extra(-1)],
    ['an id over a byte', extra(256)],
    ['an id in fractions', extra(1.5)],
    ['no id', extra(undefined)],
    ['a price as text', () => encodeAssetOrder({ ...order, price: '1' as never })],
    ['no order', () => encodeAssetOrder(undefined as never)],
    ['an action of nobody', () => encodeAssetOrder({ ...order, action: 'borrow' } as never)],
    ['a form of nobody', () => encodeAssetOrder({ ...order, form: 'antara' as never })],
    ['an order to be read as nobody’s', () => decodeAssetOrder('e378', 'antara' as never)],
    [
      'a swap of tokeld',
      () =>
        encodeAssetOrder({
          ...order,
          form: 'tokel',
          action: 'swap',
          otherTokenid: tokenid,
        } as never),
    ],
    ['a property that there is not', () => encodeTokelData({ colour: 1 } as never)],
    ['a property that every object has', () => encodeTokelData({ toString: 1 } as never)],
    ['a property of nothing', () => encodeTokelData({ arbitrary: null } as never)],
    ['an id of a token as text', () => encodeTokelData({ id: '1' as never })],
    ['a url as a number', () => encodeTokelData({ url: 5 as never })],
    ['a url as a number, with its bytes', () => encodeTokelData({ url: 5 as never, urlHex: '35' })],
    ['a royalty as text', () => encodeTokelData({ royalty: '25' as never })],
    ['the bytes of a url without it', () => encodeTokelData({ urlHex: 'ff' })],
  ])('%s is misuse', (_, run) => {
    expect(run).toThrow(TypeError)
  })

  test('komodod has no orders of tokens v2', () => {
    const encode = () => encodeAssetOrder({ form: 'komodo', evalCode: 'f6', action: 'cancelAsk' })
    expect(failure(encode).code).toBe('unknown_eval_code')
  })

  test('refuses a source that is not a string with a TypeError', () => {
    expect(() => decodeTokenPayload(undefined as never)).toThrow(TypeError)
    expect(() => decodeTokenPayload(Uint8Array.of(0x6a) as never)).toThrow(TypeError)
  })

  test('a payload cut at any byte is refused, or its whole part is read and the rest kept', () => {
    const some = isMutationRun ? vectors.scripts.slice(0, 20) : shareOf(vectors.scripts)
    const scripts = some.filter(
      ({ script, from }) => script.length < 1500 && from !== 'komodod block 19',
    )
    for (const { script } of scripts) {
      const push = /^6a(?:4c(?=..)|4d(?=....)|(?=..))/.exec(script)?.[0]
      const blobAt = push === '6a' ? 4 : push === '6a4c' ? 6 : 8
      for (const place of placesOf(script.length / 2)) {
        const at = 2 * place
        const cut = script.slice(0, at)
        // the push still announces every byte
        if (at > blobAt && /^(?:f2|f5)/.test(script.slice(blobAt))) {
          expect(failure(() => decodeTokenPayload(cut)).code).toBe('truncated')
        } else expect(decodeTokenPayload(cut)).toBeUndefined()
        // the push announces what is there
        if (at <= blobAt) continue
        const blob = script.slice(blobAt, at)
        const whole = `6a4d${(blob.length / 2)
          .toString(16)
          .padStart(4, '0')
          .replace(/(..)(..)/, '$2$1')}${blob}`
        let payload: TokenPayload | undefined
        try {
          payload = decodeTokenPayload(whole)
        } catch (error) {
          expect(error).toBeInstanceOf(AntaraError)
        }
        if (payload !== undefined) expect(encodeTokenPayload(payload)).toBe(whole)
      }
    }
  })
})

describe('encoding by hand', () => {
  test('takes the shortest push', () => {
    const fields = { layout: 'komodo-v1', kind: 'create', owner: pub1, name: 'A' } as const
    const script = (length: number) =>
      encodeTokenPayload({ ...fields, description: 'd'.repeat(length) })
    expect(script(36).slice(0, 8)).toBe('6a4bf263')
    expect(script(37).slice(0, 8)).toBe('6a4c4cf2')
    expect(script(216).slice(0, 8)).toBe('6a4cfff2')
    expect(script(217).slice(0, 10)).toBe('6a4d0001f2')
  })

  test('a payload that outgrew its push takes the shortest again', () => {
    const short = decoded(`6a23f57401${tokenid}`)
    if (short.layout !== 'tokens-v2') throw new Error('of another layout')
    const data = 'aa'.repeat(40)
    expect(encodeTokenPayload({ ...short, extras: [{ kind: 'unknown', data }] })).toBe(
      `6a4c4cf57401${tokenid}28${data}`,
    )
  })

  test('there are no other layouts and kinds', () => {
    const strange = { layout: 'komodo-v2', kind: 'transfer', tokenid, pubkeys: [] } as never
    expect(() => encodeTokenPayload(strange)).toThrow('no payload komodo-v2 transfer')
  })

  test('writes extras with their ids, or without in tokeld’s layouts', () => {
    const fields = { kind: 'transfer', tokenid, pubkeys: [] } as const
    const extra = { kind: 'burn', data: 'aabb' } as const
    expect(
      encodeTokenPayload({ ...fields, layout: 'komodo-v1', extras: [{ ...extra, id: 0x80 }] }),
    ).toBe(`6a27f274${tokenid}008002aabb`)
    expect(encodeTokenPayload({ ...fields, layout: 'tokens-v2', extras: [extra] })).toBe(
      `6a26f57401${tokenid}02aabb`,
    )
  })

  const create = {
    layout: 'komodo-v1',
    kind: 'create',
    owner: pub1,
    name: '',
    description: '',
  } as const
  const transfer = { layout: 'komodo-v1', kind: 'transfer', tokenid, pubkeys: [pub2] } as const
  test.each([
    ['a short tokenid', { ...transfer, tokenid: '00' }, 'wrong_length'],
    ['three keys', { ...transfer, pubkeys: [pub1, pub1, pub1] }, 'pubkey_count'],
    ['a key in tokens v2', { ...transfer, layout: 'tokens-v2' } as const, 'pubkey_count'],
    ['an odd key', { ...transfer, pubkeys: ['0'] }, 'odd_length_hex'],
    ['a name beside other bytes', { ...create, name: 'A', nameHex: '42' }, 'text_mismatch'],
    ['half a character', { ...create, name: '\ud800' }, 'text_mismatch'],
    [
      'a push too short',
      { ...transfer, rest: '00'.repeat(9), push: 'direct', minimal: false },
      'push_too_short',
    ],
  ] as const)('refuses %s', (_, payload, code) => {
    expect(failure(() => encodeTokenPayload(payload)).code).toBe(code)
  })
})

test('the bytes of a tokenid are counted', () => {
  const short = { layout: 'tokens-v2', kind: 'transfer', tokenid: 'abcd', pubkeys: [] } as const
  expect(counted(() => encodeTokenPayload(short))).toEqual({ expected: 32, actual: 2 })
})

describe('data of other modules', () => {
  test.each([
    ['properties of another version', 'f702', 'unknown_data_version', 1],
    ['an unknown property', 'f7010101 05'.replace(' ', ''), 'unknown_property', 4],
    ['a property twice', 'f70101010102', 'duplicate_property', 4],
    ['a royalty of 1000', 'f70103fde803', 'royalty_over_limit', 3],
    ['a cut url', 'f7010205686874', 'truncated', 4],
    ['no property after its number', 'f70104', 'truncated', 3],
    ['nothing', '', 'truncated', 0],
    ['another eval code', 'f101', 'unknown_eval_code', 0],
  ])('properties: %s', (_, data, code, offset) => {
    expect(failure(() => decodeTokelData(data))).toEqual({ code, offset })
  })

  // spec: CompactSize, komodo src/serialize.h, ReadCompactSize; MAX_SIZE is the most that it reads
  test.each([
    [0, '00'],
    [0xfc, 'fc'],
    [0xfd, 'fdfd00'],
    [0xffff, 'fdffff'],
    [0x10000, 'fe00000100'],
    [0x02000000, 'fe00000002'],
  ])('the id %i is %s', (id, hex) => {
    expect(encodeTokelData({ id })).toBe(`f70101${hex}`)
    expect(decodeTokelData(`f70101${hex}`)).toEqual({ id })
  })

  test.each([
    ['a byte’s number in three', 'fdfc00', 'non_canonical_length'],
    ['a number of two bytes in five', 'feffff0000', 'non_canonical_length'],
    ['a number of four bytes in nine', 'ffffffffff00000000', 'non_canonical_length'],
    ['one over the limit', 'fe01000002', 'length_over_limit'],
    ['2^32', 'ff0000000001000000', 'length_over_limit'],
    ['two bytes that are one', 'fd01', 'truncated'],
  ])('an id may not be %s', (_, hex, code) => {
    expect(failure(() => decodeTokelData(`f70101${hex}`))).toEqual({ code, offset: 3 })
  })

  test.each([-1, 1.5, Number.NaN, 0x02000001])('refuses the id %d', (id) => {
    expect(failure(() => encodeTokelData({ id })).code).toBe('number_out_of_range')
  })

  test('a royalty is 999 thousandths at most', () => {
    expect(encodeTokelData({ royalty: 999 })).toBe('f70103fde703')
    expect(decodeTokelData('f70103fde703')).toEqual({ royalty: 999 })
    expect(counted(() => encodeTokelData({ royalty: 1000 }))).toEqual({
      expected: 999,
      actual: 1000,
    })
  })

  test('a property that is undefined is left out', () => {
    const properties = { id: 1, url: undefined, royalty: undefined, arbitrary: undefined }
    expect(encodeTokelData(properties as never)).toBe('f7010101')
  })

  test('a property that there is not is named', () => {
    expect(() => encodeTokelData({ colour: 1 } as never)).toThrow('data: unknown member colour')
  })

  test('properties keep their order and their bytes', () => {
    for (const data of [
      'f701',
      'f7010400010a',
      'f701030a0102',
      'f7010202ff41',
      'f70101fe00000002',
    ]) {
      expect(encodeTokelData(decodeTokelData(data))).toBe(data)
    }
  })

  test.each([
    ['an unknown action', 'e37a', 'komodo', 'unknown_order_action', 1],
    ['komodod knows no f6', 'f678', 'komodo', 'unknown_eval_code', 0],
    ['tokeld knows no swap', 'e36501', 'tokel', 'unknown_order_action', 1],
    ['nor one that is filled', 'f64501', 'tokel', 'unknown_order_action', 1],
    ['tokeld version 2', 'f67802', 'tokel', 'unknown_payload_version', 2],
    ['a cut price', 'e37300', 'komodo', 'truncated', 2],
    ['bytes after a cancellation', 'e37800', 'komodo', 'trailing_bytes', 2],
    ['no expiry', 'e36201000000000000000000', 'tokel', 'truncated', 12],
  ] as const)('orders: %s', (_, data, form, code, offset) => {
    expect(failure(() => decodeAssetOrder(data, form))).toEqual({ code, offset })
  })

  // komodo src/cc/CCassetsCore.cpp, EncodeAssetOpRet: 'x' and 'o' are two bytes, three of tokeld's
  test.each([
    ['e378', { form: 'komodo', evalCode: 'e3', action: 'cancelAsk' }],
    ['e36f', { form: 'komodo', evalCode: 'e3', action: 'cancelBid' }],
    ['e36f01', { form: 'tokel', evalCode: 'e3', action: 'cancelBid' }],
    ['f67801', { form: 'tokel', evalCode: 'f6', action: 'cancelAsk' }],
  ] as const)('a cancellation is %s', (data, order) => {
    expect(decodeAssetOrder(data, order.form)).toEqual(order)
    expect(encodeAssetOrder(order)).toBe(data)
  })

  const ask = {
    form: 'tokel',
    evalCode: 'f6',
    action: 'ask',
    price: 1n,
    origin: pub1,
    expiryHeight: 0,
  } as const
  test.each([
    ['the least price', { price: -(2n ** 63n) }, '0000000000000080', '00000000'],
    ['the highest price', { price: 2n ** 63n - 1n }, 'ffffffffffffff7f', '00000000'],
    ['the last height', { expiryHeight: 2 ** 31 - 1 }, '0100000000000000', 'ffffff7f'],
  ])('%s', (_, change, price, height) => {
    const data = `f67301${price}21${pub1}${height}`
    expect(encodeAssetOrder({ ...ask, ...change })).toBe(data)
    expect(decodeAssetOrder(data, 'tokel')).toEqual({ ...ask, ...change })
  })

  test.each([
    ['a price below 64 bits', { price: -(2n ** 63n) - 1n }, 'number_out_of_range'],
    ['a price above 64 bits', { price: 2n ** 63n }, 'number_out_of_range'],
    ['a height above 32 bits', { expiryHeight: 2 ** 31 }, 'number_out_of_range'],
    ['a height in fractions', { expiryHeight: 0.5 }, 'number_out_of_range'],
    ['an eval code of two bytes', { evalCode: 'f600' }, 'wrong_length'],
    ['half a byte of a key', { origin: '021' }, 'odd_length_hex'],
  ])('refuses an order with %s', (_, change, code) => {
    expect(failure(() => encodeAssetOrder({ ...ask, ...change })).code).toBe(code)
  })

  test('names the wrong argument: order, data or form', () => {
    expect(() => encodeAssetOrder(undefined as never)).toThrow(/^order/)
    expect(() => encodeAssetOrder({ ...ask, action: 'borrow' } as never)).toThrow(
      'unknown order action borrow',
    )
    expect(() => encodeTokelData(undefined as never)).toThrow(/^data/)
    expect(() => decodeAssetOrder(5 as never, 'komodo')).toThrow(/^data/)
    expect(() => decodeAssetOrder('e378', 'antara' as never)).toThrow(/^form/)
    expect(() => encodeAssetOrder({ ...ask, form: 'antara' } as never)).toThrow(/^form/)
  })

  test.each(['swap', 'fillSwap'] as const)(
    'an order may %s tokens, at a negative price',
    (action) => {
      const order = {
        form: 'komodo',
        evalCode: 'e3',
        action,
        otherTokenid: tokenid,
        price: -2n,
        origin: pub1,
      } as const
      const letter = action === 'swap' ? '65' : '45'
      const data = `e3${letter}${tokenid}feffffffffffffff21${pub1}`
      expect(encodeAssetOrder(order)).toBe(data)
      expect(decodeAssetOrder(data, 'komodo')).toEqual(order)
    },
  )

  test('a malformed order leaves its payload readable', () => {
    const script = `6a4af274${tokenid}0121${pub2}1203e37a00`
    expect(decoded(script).extras).toEqual([
      {
        id: 0x12,
        kind: 'assets',
        data: 'e37a00',
        problem: { code: 'unknown_order_action', offset: 74 },
      },
    ])
  })
})
