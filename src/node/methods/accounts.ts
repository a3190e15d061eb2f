// Names of a wallet's addresses, which the daemon calls accounts.

import { entriesFrom, lookUp, withEntry } from '../state/ordered-map.ts'
import { ownershipOf } from '../state/wallet.ts'
import { walletTransactions } from '../wallet/history.ts'
import { type Context, type Methods, method, methodsIn, setWallet, walletOf } from './context.ts'
import { failure } from './failure.ts'
import { text } from './params.ts'
import { requireScript, scriptOf } from './raw.ts'
import { newAddress } from './wallet-keys.ts'

export const accountMethods: Methods = methodsIn('Wallet', [
  method('getaddressesbyaccount "account"', [1, 1], (context, [account]) => {
    const wanted = text(account)
    return [...entriesFrom(walletOf(context).accounts)]
      .filter(([, name]) => name === wanted)
      .map(([address]) => address)
  }),
  method('getaccount "KMD_address"', [1, 1], (context, [given]) => {
    const address = text(given)
    requireScript(context, address)
    return lookUp(walletOf(context).accounts, address) ?? ''
  }),
  method('getaccountaddress "account"', [1, 1], (context, [account]) =>
    accountAddress(context, text(account)),
  ),
  method('setaccount "KMD_address" "account"', [1, 2], (context, [given, account]) => {
    const address = text(given)
    const script = requireScript(context, address)
    const name = account === undefined ? '' : text(account)
    const ownership = ownershipOf(walletOf(context), script, context.engine.rules.scripts)
    if (ownership !== 'spendable') {
      throw failure('misc', 'setaccount can only be used with own address')
    }
    const before = lookUp(walletOf(context).accounts, address)
    const isCurrent = before !== undefined && accountAddress(context, before) === address
    if (isCurrent) newAccountAddress(context, before)
    const wallet = walletOf(context)
    setWallet(context, { ...wallet, accounts: withEntry(wallet.accounts, address, name) })
    return null
  }),
])

/**
 * Returns the address of an account. The account gets a new one once the address was paid.
 *
 * @see komodo src/wallet/rpcwallet.cpp, GetAccountAddress
 */
function accountAddress(context: Context, account: string): string {
  const current = lookUp(walletOf(context).accountAddresses, account)
  if (current === undefined || isPaid(context, current)) return newAccountAddress(context, account)
  return current
}

function newAccountAddress(context: Context, account: string): string {
  const address = newAddress(context, account)
  const wallet = walletOf(context)
  const accountAddresses = withEntry(wallet.accountAddresses, account, address)
  setWallet(context, { ...wallet, accountAddresses })
  return address
}

function isPaid(context: Context, address: string): boolean {
  const wanted = scriptOf(context, address)
  return walletTransactions(context.engine, walletOf(context)).some(({ transaction }) =>
    transaction.outputs.some(({ script }) => script === wanted),
  )
}
