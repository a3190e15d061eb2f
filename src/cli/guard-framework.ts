// A guard of a framework, from the command line.

import { networks } from '../chain/network.ts'
import { createFrameworkGuard, type FrameworkGuardOptions } from '../guard/framework/guard.ts'
import type { Guard } from '../guard/listen.ts'
import {
  type Option,
  type ParsedArguments,
  refuseOptions,
  type Terminal,
  UsageError,
  withOption,
} from './command.ts'
import { frameworkOptions } from './connection.ts'
import { anyPayments, type PaymentChoices } from './guard-payments.ts'
import { namedNetwork } from './network.ts'

export const frameworkGuardOptions: readonly Option[] = [
  { name: 'framework', value: 'URL', about: 'guard a Komodo DeFi Framework instead of a daemon' },
  {
    name: 'coin',
    value: 'TICKER',
    about: 'the coin of the framework whose withdrawals are verified',
  },
  {
    name: 'own',
    value: 'ADDRESS,...',
    about: "the wallet's own addresses of that coin, which get the change",
  },
]

/** Options that only a guard of a daemon has. */
const ofDaemon = [
  'daemon',
  'chain',
  'pubkey',
  'allow-unenforced-bids',
  'trust-daemon',
  'first-block',
]

/**
 * Reads the options of a guard of a framework, and opens the journal if payments are possible.
 *
 * @throws {UsageError}
 */
export function withdrawChoices(
  parsed: ParsedArguments,
  terminal: Terminal,
): PaymentChoices & Pick<FrameworkGuardOptions, 'coin' | 'own'> {
  const { options } = parsed
  refuseOptions(parsed, ofDaemon, 'cannot be combined with --framework')
  const [coin, own] = [options.get('coin'), options.get('own')]
  if (coin === undefined && own === undefined) {
    refuseOptions(parsed, ['acknowledge', 'paid-by'], 'needs --coin')
    return {}
  }
  if (coin === undefined || own === undefined) throw new UsageError('--coin needs --own')
  return {
    coin,
    own: own.split(','),
    network: namedNetwork(options) ?? (coin === 'KMD' ? networks.komodo : networks.assetChain),
    ...anyPayments(parsed, terminal),
  }
}

export async function startFrameworkGuard(
  parsed: ParsedArguments,
  terminal: Terminal,
  options: Omit<FrameworkGuardOptions, 'framework'>,
): Promise<Guard> {
  const named = withOption(parsed, 'url', parsed.options.get('framework')!)
  const found = await frameworkOptions(named, terminal)
  return createFrameworkGuard({
    ...options,
    framework: {
      url: String(found.url),
      userpass: found.userpass,
      allowedHosts: found.allowedHosts,
    },
  })
}
