import type { Intents, OperationName } from '../../request/case.ts'
import type { Operation } from '../operation.ts'
import { tokenCreate } from './create.ts'
import {
  tokenAsk,
  tokenBid,
  tokenCancelAsk,
  tokenCancelBid,
  tokenFillAsk,
  tokenFillBid,
} from './order.ts'
import { payment } from './payment.ts'
import { tokenTransfer } from './transfer.ts'

/** Every operation, by the name that case files have for it. */
export const operations: { readonly [Name in OperationName]: Operation<Intents[Name]> } = {
  tokentransfer: tokenTransfer,
  tokencreate: tokenCreate,
  payment,
  tokenask: tokenAsk,
  tokenbid: tokenBid,
  tokenfillask: tokenFillAsk,
  tokenfillbid: tokenFillBid,
  tokencancelask: tokenCancelAsk,
  tokencancelbid: tokenCancelBid,
}

/** For messages. */
export const operationNames: string = Object.keys(operations).join(', ')

export function isOperation(name: unknown): name is OperationName {
  return typeof name === 'string' && Object.hasOwn(operations, name)
}
