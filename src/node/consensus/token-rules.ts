// The rules of komodod's tokens and orders, with the defect of its process.

import { createTokenValidator } from '../../token/rules/validation.ts'
import { type OrderPoisoning, poisonedRefusal } from './order-poisoning.ts'

export type TokenRules = ReturnType<typeof createTokenValidator> & {
  readonly poisoning: OrderPoisoning
}

export function createTokenRules(): TokenRules {
  const validator = createTokenValidator()
  const poisoning: OrderPoisoning = { isOn: false, isPoisoned: false }
  return {
    ...validator,
    poisoning,
    orderRefusal(transaction, find) {
      const creationOf = (tokenid: string) => validator.creationOf(tokenid, find)
      return (
        poisonedRefusal(poisoning, transaction, creationOf) ??
        validator.orderRefusal(transaction, find)
      )
    },
  }
}
