// The options of a guard that verifies payments.

import { knownNetwork, networks } from '../chain/network.ts'
import type { GuardOptions } from '../guard/guard.ts'
import type { Journal } from '../journal/journal.ts'
import { type Option, type ParsedArguments, type Terminal, UsageError } from './command.ts'
import { chosenJournal, journalOption } from './journal.ts'

export const paymentOptions: readonly Option[] = [
  {
    name: 'pubkey',
    value: 'KEY',
    about: 'public key of the daemon, its -pubkey; without it the guard only passes on reads',
  },
  {
    name: 'network',
    value: 'NAME',
    about: `network of the chain: ${Object.keys(networks).join(', ')}; default assetChain`,
  },
  journalOption,
  { name: 'max-fee', value: 'SATOSHIS', about: 'the highest fee of a transaction; default 20000' },
  {
    name: 'allow-unenforced-bids',
    about: "allows bids for several units on komodod's chains, whose price no chain enforces",
  },
  {
    name: 'trust-daemon',
    about: 'believes the daemon that a payment can never be mined; only for one of your own',
  },
]

export type PaymentChoices = Pick<
  GuardOptions,
  'pubkey' | 'network' | 'maxFee' | 'allowUnenforcedPrices' | 'trustServer'
> & { readonly journal?: Journal | undefined }

/**
 * Reads the options, and opens the journal if payments are possible.
 *
 * @throws {UsageError}
 */
export function paymentChoices(parsed: ParsedArguments, terminal: Terminal): PaymentChoices {
  const { options, flags } = parsed
  const pubkey = options.get('pubkey')
  if (pubkey === undefined) return {}
  const name = options.get('network') ?? 'assetChain'
  const network = knownNetwork(name)
  if (network === undefined) throw new UsageError(`--network: unknown network`)
  const maxFee = options.get('max-fee')
  if (maxFee !== undefined && !/^\d{1,16}$/.test(maxFee)) {
    throw new UsageError('--max-fee: expected satoshis')
  }
  return {
    pubkey,
    network,
    journal: chosenJournal(parsed, terminal),
    ...(maxFee !== undefined && { maxFee: BigInt(maxFee) }),
    allowUnenforcedPrices: flags.has('allow-unenforced-bids'),
    trustServer: flags.has('trust-daemon'),
  }
}
