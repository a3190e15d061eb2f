// The library of contracts that a chain may name with -ac_cclib. The chains of this node name none.

import { type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'

export const cclibMethods: Methods = methodsIn('CClib', [
  method('cclib method [evalcode] [JSON params]\n', [0, 3], () => {
    throw failure('misc', 'no -ac_cclib= specified\n')
  }),
])
