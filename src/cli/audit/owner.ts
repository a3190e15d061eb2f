// The owner that `--owner` names.

import { findsByKeyHash, isKnownPlace } from '../../audit/queries.ts'
import type { Database } from '../../audit/sqlite.ts'
import type { Network } from '../../chain/network.ts'
import { isCompressedKey } from '../../primitives/hex-forms.ts'
import { redactPublicKey } from '../../primitives/redact-key.ts'
import { decodeAddress } from '../../script/read-address.ts'
import { UsageError } from '../command.ts'

/** Validates an owner, so that a mistyped one is an error and not an owner without tokens. */
export function ownerOf(value: string, network: Network): string {
  if (isCompressedKey(value.toLowerCase())) return value.toLowerCase()
  const prefix = decodeAddress(value)?.prefix
  const { pubKeyHashPrefix, scriptHashPrefix, conditionPrefix } = network
  if (prefix === pubKeyHashPrefix || prefix === conditionPrefix) return value
  if (prefix === scriptHashPrefix) {
    throw new UsageError(
      `--owner: ${value} is the address of a script, and only conditions hold tokens`,
    )
  }
  const shown = redactPublicKey(value)
  throw new UsageError(
    `--owner: expected a compressed public key, or an address of ${network.name}, got ${shown}`,
  )
}

/**
 * Refuses an owner without tokens if the address could be a key's on a network whose ledger cannot
 * look keys up by address. The address of a condition may look the same, but only that of a
 * condition has ever held tokens.
 */
export function requireFound(database: Database, owner: string, network: Network): void {
  const { pubKeyHashPrefix, name } = network
  if (findsByKeyHash(network) || decodeAddress(owner)?.prefix !== pubKeyHashPrefix) return
  if (isKnownPlace(database, owner, network)) return
  throw new UsageError(
    `--owner: no condition in the ledger has the address ${owner}; if it is a key's address, give the public key, because tokens of ${name} are not found by a key's address`,
  )
}
