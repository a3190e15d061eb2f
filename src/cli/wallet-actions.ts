// The actions of `antara-tx wallet`, and the options that each of them takes.

import type { Wallet } from '../wallet/contract.ts'
import { createTokenForms } from '../wallet/requests/create.ts'
import { mergeAllForms, mergeForms } from '../wallet/requests/merge.ts'
import { bidForms, cancelForms, fillForms, offerForms } from '../wallet/requests/order.ts'
import { payForms } from '../wallet/requests/pay.ts'
import { transferForms } from '../wallet/requests/transfer.ts'
import { type Option, type ParsedArguments, refuseOptions } from './command.ts'
import { requestOptions } from './request-options.ts'

const reading = ['receive', 'balance', 'tokens', 'coins', 'orders', 'history', 'watch'] as const

/** The name of an option, where it is not the member's. */
export const optionNames: Readonly<Record<string, string>> = {
  tokenid: 'token',
  amount: 'units',
  supply: 'units',
  allowUnenforcedPrice: 'allow-unenforced',
}

// An amount of coins is written with its unit.
const { amount: _, ...sendForms } = payForms
const { to: _to, ...burnForms } = transferForms

type Payment = readonly [forms: object, method: keyof Wallet]

/** The actions that pay: the members that are options, and the method of the wallet. */
export const payments: Readonly<Record<string, Payment>> = {
  send: [sendForms, 'pay'],
  transfer: [transferForms, 'transfer'],
  burn: [burnForms, 'burn'],
  create: [createTokenForms, 'createToken'],
  merge: [mergeForms, 'merge'],
  ask: [offerForms, 'ask'],
  bid: [bidForms, 'bid'],
  fill: [fillForms, 'fill'],
  cancel: [cancelForms, 'cancel'],
}

const paying: readonly string[] = Object.keys(payments)
export const sending: readonly string[] = [...paying, 'resume']
export const actions: readonly string[] = [...reading, ...sending]

/** The actions of options that are no members of a request. */
const actionsOf: Readonly<Record<string, readonly string[]>> = {
  coins: ['send'],
  satoshis: ['send'],
  max: ['send'],
  recipients: ['send'],
  total: ['send'],
  all: ['merge'],
  limit: ['history'],
  id: paying,
  'dry-run': paying,
  allow: paying,
  acknowledge: paying,
  'paid-by': paying,
}

/** The members of a request that an action which reads has as options. */
const readingOptions: Readonly<Record<string, readonly string[]>> = { coins: ['token'] }

/** A merge in several transactions makes several payments, so it takes none of these options. */
const notOfMany: readonly string[] = ['id', 'dry-run', 'allow', 'paid-by']

/** The requests of two actions have this member, and each takes another one. */
const aboutTo = `for send, ${payForms.to.about};\nfor transfer, ${transferForms.to.about}`

/** The options of all actions, each once. */
export const membersAsOptions: readonly Option[] = [
  ...new Map(
    [mergeAllForms, ...Object.values(payments).map(([forms]) => forms)]
      .flatMap((forms) => requestOptions(forms, optionNames))
      .map((option) => [
        option.name,
        option.name === 'to' ? { ...option, about: aboutTo } : option,
      ]),
  ).values(),
]

export function isMergeOfMany(
  action: string | undefined,
  { options, flags }: ParsedArguments,
): boolean {
  return action === 'merge' && (flags.has('all') || options.has('token'))
}

/** Refuses options of another action. @throws {UsageError} */
export function requireOwnOptions(action: string, parsed: ParsedArguments): void {
  const [forms] = isMergeOfMany(action, parsed) ? [mergeAllForms] : (payments[action] ?? [{}])
  const own = [
    ...requestOptions(forms, optionNames).map(({ name }) => name),
    ...(readingOptions[action] ?? []),
  ]
  const foreign = [
    ...membersAsOptions.map(({ name }) => name).filter((name) => !own.includes(name)),
    ...Object.keys(actionsOf).filter((name) => !actionsOf[name]!.includes(action)),
  ]
  if (isMergeOfMany(action, parsed)) {
    refuseOptions(parsed, notOfMany, 'cannot be combined with a merge in several transactions')
  }
  refuseOptions(parsed, foreign, `cannot be combined with ${action}`)
}
