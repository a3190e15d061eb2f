// Which outputs of a transfer hold tokens. komodo src/cc/CCtokens.cpp, IsTokensvout: the daemon
// makes these scripts and compares.

import { expect, test } from 'vitest'

import { nonFungibleEvalCode, type TokenSlot, tokenSlots } from '../../../src/token/rules/komodo.ts'
import { tokenScript } from '../../../src/token/rules/token-script.ts'
import { a, b, c, moduleKey } from '../../support/resigned.ts'

type Slot = [role: TokenSlot['role'], keys: string[], evalCodes: number[]]
interface Row {
  readonly name: string
  /** First byte of the token's data. */
  readonly data?: number
  /** Further payloads, by id. */
  readonly extras?: readonly { id: number; data: string }[]
  readonly keys?: readonly string[]
  readonly inputs?: readonly string[]
  readonly slots: readonly Slot[]
}

const asset = { id: 0x12, data: 'e378' }

const rows: readonly Row[] = [
  {
    name: 'a fungible token',
    slots: [
      ['destination', [a], [0xf2]],
      ['token-change', [c], [0xf2]],
    ],
  },
  {
    name: 'two keys, either of which may sign',
    keys: [a, b],
    slots: [
      ['destination', [a], [0xf2]],
      ['destination', [b], [0xf2]],
      ['destination', [a, b], [0xf2]],
      ['token-change', [c], [0xf2]],
    ],
  },
  {
    name: 'nobody, and change',
    keys: [],
    slots: [['token-change', [c], [0xf2]]],
  },
  {
    name: 'what goes to who sends it is not change',
    keys: [a],
    inputs: [a, c],
    slots: [
      ['destination', [a], [0xf2]],
      ['token-change', [c], [0xf2]],
    ],
  },
  {
    name: 'the key of the module pays nobody, nor back',
    keys: [moduleKey, a],
    inputs: [moduleKey, '', c],
    slots: [
      ['destination', [a], [0xf2]],
      ['token-change', [c], [0xf2]],
    ],
  },
  {
    name: "another module's payload takes the place of the token's own code",
    extras: [asset],
    keys: [a, b],
    slots: [
      ['destination', [a], [0xe3, 0xf2]],
      ['destination', [a], [0xf2]],
      ['destination', [b], [0xe3, 0xf2]],
      ['destination', [b], [0xf2]],
      ['destination', [a, b], [0xe3, 0xf2]],
      ['token-change', [c], [0xe3, 0xf2]],
      ['token-change', [c], [0xf2]],
    ],
  },
  {
    name: 'the first such payload, whatever follows',
    extras: [asset, { id: 0x13, data: 'f1' }],
    slots: [
      ['destination', [a], [0xe3, 0xf2]],
      ['destination', [a], [0xf2]],
      ['token-change', [c], [0xe3, 0xf2]],
      ['token-change', [c], [0xf2]],
    ],
  },
  {
    name: 'an id below 80 is a payload, one from there on is none',
    extras: [
      { id: 0x80, data: 'e5' },
      { id: 0x7f, data: 'e6' },
    ],
    slots: [
      ['destination', [a], [0xe6, 0xf2]],
      ['destination', [a], [0xf2]],
      ['token-change', [c], [0xe6, 0xf2]],
      ['token-change', [c], [0xf2]],
    ],
  },
  {
    name: 'a non-fungible token is never in a plain condition',
    data: 0xf1,
    slots: [
      ['destination', [a], [0xf1, 0xf2]],
      ['token-change', [c], [0xf1, 0xf2]],
    ],
  },
  {
    name: "a non-fungible token and another module's payload",
    data: 0xf1,
    extras: [asset],
    keys: [a, b],
    slots: [
      ['destination', [a], [0xf1, 0xf2, 0xe3]],
      ['destination', [a], [0xf1, 0xf2]],
      ['destination', [a], [0xe3, 0xf2]],
      ['destination', [b], [0xf1, 0xf2, 0xe3]],
      ['destination', [b], [0xf1, 0xf2]],
      ['destination', [b], [0xe3, 0xf2]],
      ['destination', [a, b], [0xf1, 0xf2, 0xe3]],
      ['token-change', [c], [0xf1, 0xf2, 0xe3]],
    ],
  },
  {
    name: 'a payload of the tokens module itself, whose code then stands twice',
    data: 0xf1,
    extras: [{ id: 0x12, data: 'f274' }],
    keys: [a, b],
    slots: [
      ['destination', [a], [0xf1, 0xf2, 0xf2]],
      ['destination', [a], [0xf2, 0xf1]],
      ['destination', [a], [0xf2]],
      ['destination', [b], [0xf1, 0xf2, 0xf2]],
      ['destination', [b], [0xf2, 0xf1]],
      ['destination', [b], [0xf2]],
      ['destination', [a, b], [0xf1, 0xf2, 0xf2]],
      ['destination', [a, b], [0xf2, 0xf1]],
      ['token-change', [c], [0xf1, 0xf2, 0xf2]],
      ['token-change', [c], [0xf2, 0xf1]],
    ],
  },
  {
    name: 'data that begin with 00 count as none in some rows',
    data: 0x00,
    extras: [asset],
    keys: [a, b],
    slots: [
      ['destination', [a], [0x00, 0xf2, 0xe3]],
      ['destination', [a], [0xe3, 0xf2]],
      ['destination', [a], [0xf2]],
      ['destination', [b], [0x00, 0xf2, 0xe3]],
      ['destination', [b], [0xe3, 0xf2]],
      ['destination', [b], [0xf2]],
      ['destination', [a, b], [0x00, 0xf2, 0xe3]],
      ['destination', [a, b], [0xe3, 0xf2]],
      ['token-change', [c], [0x00, 0xf2, 0xe3]],
      ['token-change', [c], [0xe3, 0xf2]],
      ['token-change', [c], [0xf2]],
    ],
  },
]

test.each(rows)('$name', ({ data, extras = [], keys = [a], inputs = [c], slots }) => {
  const payload = { kind: 'transfer', layout: 'komodo-v1', pubkeys: keys, extras } as never
  const found = [...tokenSlots(payload, data, inputs)].map(([script, { role }]) => [script, role])
  const expected = slots.map(([role, [one, other], evalCodes]) => [
    tokenScript(other === undefined ? one! : [one!, other], { evalCodes }),
    role,
  ])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
})

// rows 4 and 5: only data of a non-fungible token count, wherever they stand
test.each<[{ kind: string; data: string }[], number | undefined]>([
  [[], undefined],
  [[{ kind: 'nonFungible', data: 'f1aabb' }], 0xf1],
  [
    [
      { kind: 'assets', data: 'e378' },
      { kind: 'nonFungible', data: '00f1' },
    ],
    0x00,
  ],
  [[{ kind: 'assets', data: 'e378' }], undefined],
  [[{ kind: 'nonFungible', data: '' }], undefined],
])('the eval code of a creation with %j is %s', (extras, expected) => {
  expect(nonFungibleEvalCode({ extras } as never)).toBe(expected)
})
