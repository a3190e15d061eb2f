// Methods of the contract modules, which need a daemon with a -pubkey.

import {
  assetsEvalCode,
  assetsGlobalPubkey,
  tokensEvalCode,
  tokensGlobalPubkey,
} from '../../chain/modules.ts'
import type { Builder } from '../wallet/condition-builder.ts'
import type { Answer } from './answer.ts'
import type { Context, Method } from './context.ts'
import { failure } from './failure.ts'
import type { Params } from './params.ts'

/** The answer of a module to an identity that has a -pubkey. */
export type ModuleAnswer = (context: Context, builder: Builder, params: Params) => Answer

/** Makes the answer of a method that refuses an identity without a -pubkey. */
export function withPubkey(answer: ModuleAnswer): Method['answer'] {
  return (context, params) => {
    const { wallet } = context
    const { pubkey } = wallet
    if (pubkey === undefined) {
      throw failure(
        'misc',
        'to use CC contracts, you need to launch daemon with valid -pubkey= for an address in your wallet\n',
      )
    }
    return answer(context, { engine: context.engine, wallet, pubkey }, params)
  }
}

/** A module with its published key, as the methods for addresses name it. */
export interface NamedModule {
  readonly name: 'Tokens' | 'Assets'
  readonly evalCode: number
  /** The published key, hex. */
  readonly global: string
}

export const tokensModule: NamedModule = {
  name: 'Tokens',
  evalCode: tokensEvalCode,
  global: tokensGlobalPubkey,
}

export const assetsModule: NamedModule = {
  name: 'Assets',
  evalCode: assetsEvalCode,
  global: assetsGlobalPubkey,
}
