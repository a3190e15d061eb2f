// The library of contracts that a chain may name with -ac_cclib. The chains of this node name none.

import type { Methods } from './context.ts'
import { failure } from './failure.ts'

export const cclibMethods: Methods = {
  cclib: {
    usage: 'cclib method [evalcode] [JSON params]\n',
    category: 'CClib',
    params: [0, 3],
    answer() {
      throw failure('misc', 'no -ac_cclib= specified\n')
    },
  },
}
