// The methods that only a tokeld has.

import type { Methods } from '../context.ts'
import { tokelCreateMethods } from './create.ts'
import { tokelInfoMethods } from './info.ts'
import { tokelManyKeysMethods } from './many-keys.ts'
import { tokelOrderMethods } from './orders.ts'
import { tokelTransferMethods } from './transfer.ts'
import { unservedTokelMethods } from './unserved.ts'

export const tokelMethods: Methods = {
  ...tokelCreateMethods,
  ...tokelInfoMethods,
  ...tokelManyKeysMethods,
  ...tokelOrderMethods,
  ...tokelTransferMethods,
  ...unservedTokelMethods,
}
