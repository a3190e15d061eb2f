// Opens a wallet.

import type { Wallet, WalletOptions } from './contract.ts'
import { readingCalls } from './reading.ts'
import { sendingCalls } from './sending.ts'
import { waitFor } from './sent.ts'
import { openSession } from './session.ts'

/**
 * Opens a wallet on keys and a chain source. Reads nothing until you ask for something.
 *
 * @param options - a signer for each key, a chain source, and a journal
 * @returns the wallet; its amounts are satoshis or token units
 * @throws {TypeError} for options that it does not know, or without a key
 * @example
 * const wallet = await createWallet({ signers: [privateKeySigner(wif)], chain })
 * const { status, txid } = await wallet.pay({ to, amount: 100_000n, id: 'invoice-17' })
 */
export async function createWallet(options: WalletOptions): Promise<Wallet> {
  const session = await openSession(options)
  return Object.freeze({
    ...readingCalls(session),
    ...sendingCalls(session),
    async simulate(signed, given) {
      const { simulated } = await import('./simulate.ts')
      return simulated(options.simulator, signed, given)
    },
    waitFor: (txid, given) => waitFor(session, txid, given),
    findings: () => [...session.context.findings.list(), ...(options.chain.findings?.() ?? [])],
  } satisfies Wallet)
}
