// The rules of komodod's tokens and orders, with the defect of its process.

import { createTokenValidator as createValidator } from '../../token/rules/validation.ts'
import { type OrderPoisoning, poisonedRefusal } from './order-poisoning.ts'

export type TokenValidator = ReturnType<typeof createValidator> & {
  readonly poisoning: OrderPoisoning
}

export function createTokenValidator(): TokenValidator {
  const validator = createValidator()
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
