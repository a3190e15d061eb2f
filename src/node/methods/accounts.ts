// Names of a wallet's addresses, which the daemon calls accounts.

import { entriesFrom, lookUp, withEntry } from '../state/ordered-map.ts'
import { ownershipOf } from '../state/wallet.ts'
import { walletTransactions } from '../wallet/history.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { text } from './params.ts'
import { requireScript, scriptOf } from './raw.ts'
import { newAddress } from './wallet-keys.ts'

export const accountMethods: Methods = methodsIn('Wallet', [
  method('getaddressesbyaccount "account"', [1, 1], (context, [account]) => {
    const wanted = text(account)
    return [...entriesFrom(context.wallet.accounts)]
      .filter(([, name]) => name === wanted)
      .map(([address]) => address)
  }),
  method('getaccount "KMD_address"', [1, 1], (context, [given]) => {
    const address = text(given)
    requireScript(context, address)
    return lookUp(context.wallet.accounts, address) ?? ''
  }),
  method('getaccountaddress "account"', [1, 1], (context, [account]) =>
    accountAddress(context, text(account)),
  ),
  method('setaccount "KMD_address" "account"', [1, 2], (context, [given, account]) => {
    const address = text(given)
    const script = requireScript(context, address)
    const name = account === undefined ? '' : text(account)
    const ownership = ownershipOf(context.wallet, script, context.rules.scripts)
    if (ownership !== 'spendable') {
      throw failure('misc', 'setaccount can only be used with own address')
    }
    const before = lookUp(context.wallet.accounts, address)
    const isCurrent = before !== undefined && accountAddress(context, before) === address
    if (isCurrent) newAccountAddress(context, before)
    const { wallet } = context
    context.wallet = { ...wallet, accounts: withEntry(wallet.accounts, address, name) }
    return null
  }),
])

/**
 * Returns the address of an account. The account gets a new one once the address was paid.
 *
 * @see komodo src/wallet/rpcwallet.cpp, GetAccountAddress
 */
function accountAddress(context: Context, account: string): string {
  const current = lookUp(context.wallet.accountAddresses, account)
  if (current === undefined || isPaid(context, current)) return newAccountAddress(context, account)
  return current
}

function newAccountAddress(context: Context, account: string): string {
  const address = newAddress(context, account)
  const { wallet } = context
  const accountAddresses = withEntry(wallet.accountAddresses, account, address)
  context.wallet = { ...wallet, accountAddresses }
  return address
}

function isPaid(context: Context, address: string): boolean {
  const wanted = scriptOf(context, address)
  return walletTransactions(context, context.wallet).some(({ transaction }) =>
    transaction.outputs.some(({ script }) => script === wanted),
  )
}
