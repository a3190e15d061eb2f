// Methods of tokeld that this node does not serve: each is refused by its name.

import type { Methods } from '../context.ts'
import { failure } from '../failure.ts'

const names = [
  'createccevaltx',
  'decodeccopret',
  'mytokenorders',
  'tokenask',
  'tokenbid',
  'tokencancelask',
  'tokencancelbid',
  'tokenfillask',
  'tokenfillbid',
  'tokenorders',
  'tokentransfermany',
]

export const unservedTokelMethods: Methods = Object.fromEntries(
  names.map((name) => [
    name,
    {
      usage: `${name}\n`,
      category: 'tokens',
      params: [0, Number.POSITIVE_INFINITY],
      answer() {
        throw failure('misc', `this node does not serve ${name} on a chain of tokeld`)
      },
    },
  ]),
)
