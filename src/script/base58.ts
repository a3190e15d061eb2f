import * as engine from '../engine/calls.ts'
import { byteHex } from '../primitives/wire.ts'
import type { AddressPayload } from './read-address.ts'

/** Encodes a version byte and a 20-byte hash with Base58Check. */
export function encodeAddress(prefix: number, hash160: string): string {
  return encodeAddresses([{ prefix, hash160 }])[0]!
}

/** Encodes many addresses in one call of the native core. */
export function encodeAddresses(payloads: readonly AddressPayload[]): string[] {
  let hex = ''
  for (const { prefix, hash160 } of payloads) hex += byteHex(prefix) + hash160
  return payloads.length === 0 ? [] : engine.encodeAddresses(hex).slice(0, -1).split(' ')
}
