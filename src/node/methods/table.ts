// All methods by name, and how one is called.

import { methodNotFound } from '../../server/json-rpc.ts'
import { accountMethods } from './accounts.ts'
import { addressMethods } from './address-index.ts'
import { type Answer, textOf } from './answer.ts'
import { blockTimeMethods } from './block-times.ts'
import { blockMethods } from './blocks.ts'
import { cclibMethods } from './cclib.ts'
import { statisticsMethods } from './chain-statistics.ts'
import { type Context, type Method, type Methods, method, methodsIn } from './context.ts'
import { controlMethods } from './control.ts'
import { opretMethods } from './decode-opret.ts'
import { failure } from './failure.ts'
import { miningMethods } from './mining.ts'
import { networkMethods } from './network.ts'
import { notaryMethods } from './notaries.ts'
import { orderMethods } from './orders.ts'
import { outputMethods } from './outputs.ts'
import { ownMethods } from './own.ts'
import { type Params, text } from './params.ts'
import { rawMethods } from './raw.ts'
import { receivedMethods } from './received.ts'
import { shieldedMethods } from './shielded.ts'
import { signingMethods } from './signing.ts'
import { tokelMethods } from './tokel/table.ts'
import { tokenMethods } from './tokens.ts'
import { walletCoinMethods } from './wallet-coins.ts'
import { walletKeyMethods } from './wallet-keys.ts'
import { walletPaymentMethods } from './wallet-payments.ts'

/** Methods that every daemon of the family has. */
const commonMethods: Methods = {
  ...accountMethods,
  ...addressMethods,
  ...blockMethods,
  ...blockTimeMethods,
  ...controlMethods,
  ...miningMethods,
  ...networkMethods,
  ...notaryMethods,
  ...outputMethods,
  ...ownMethods,
  ...rawMethods,
  ...receivedMethods,
  ...shieldedMethods,
  ...signingMethods,
  ...statisticsMethods,
  ...walletCoinMethods,
  ...walletPaymentMethods,
  ...walletKeyMethods,
  ...methodsIn('Control', [
    method('help ( "command" )', [0, 1], (context, [name]) =>
      helpFor(methodsOf(context), name === undefined ? undefined : text(name)),
    ),
  ]),
}

const komodoMethods: Methods = {
  ...commonMethods,
  ...cclibMethods,
  ...opretMethods,
  ...orderMethods,
  ...tokenMethods,
}

const methodsOfTokel: Methods = { ...commonMethods, ...tokelMethods }

/** By the names that requests call them by. */
export function methodsOf({ engine }: Pick<Context, 'engine'>): Methods {
  return engine.rules.network.conditions === 'tokel' ? methodsOfTokel : komodoMethods
}

/**
 * The JSON text of a method's result.
 *
 * @throws {RpcFailure} the daemon's errors
 */
export function callMethod(context: Context, name: string, params: Params): string {
  const methods = methodsOf(context)
  if (!Object.hasOwn(methods, name)) throw methodNotFound()
  const method = methods[name]!
  const [least, most] = method.params
  const isCountRight = params.length >= least && params.length <= most
  if (!isCountRight || method.accepts?.(params) === false) throw failure('misc', helpOf(method))
  return textOf(method.answer(context, params))
}

/** Contract modules' help is their usage; others have a line more, which is ours. */
function helpOf({ usage, about }: Method): string {
  if (usage.endsWith('\n')) return usage
  return `${usage}\n${about === undefined ? '' : `\n${about}\n`}`
}

/** @see komodo src/rpc/server.cpp, CRPCTable::help */
function helpFor(methods: Methods, name: string | undefined): Answer {
  if (name !== undefined) {
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined
    return method === undefined ? `help: unknown command: ${name}` : helpOf(method)
  }
  const categories = [...new Set(Object.values(methods).map(({ category }) => category))].sort()
  return categories
    .map((category) => {
      const usages = Object.values(methods)
        .filter((method) => method.category === category)
        .map(({ usage }) => usage.trimEnd())
        .sort()
      return `== ${category} ==\n${usages.join('\n')}`
    })
    .join('\n\n')
}
