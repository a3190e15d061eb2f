// Methods of tokeld that this node does not serve: each is refused by its name.

import { type Methods, method, methodsIn } from '../context.ts'
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

export const unservedTokelMethods: Methods = methodsIn(
  'tokens',
  names.map((name) =>
    method(`${name}\n`, [0, Number.POSITIVE_INFINITY], () => {
      throw failure('misc', `this node does not serve ${name} on a chain of tokeld`)
    }),
  ),
)
