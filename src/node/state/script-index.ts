import { scriptBytesMax } from '../../chain/limits.ts'
import type { Network } from '../../chain/network.ts'
import { isNulldata } from '../../script/nulldata.ts'
import { type AddressPayload, decodeAddress } from '../../script/read-address.ts'
import { decodeScript } from '../../script/script.ts'
import type { DecodedScript } from '../../script/types.ts'

/** Under which an output is found by those who ask for an address: type digit and hash. */
export type IndexKey = string

/** @see komodo src/main.cpp, GetAddressType; src/base58.cpp, GetIndexKey */
export const indexTypes = { key: '1', script: '2', condition: '3' } as const

/** The node's reading of scripts and addresses, cached because wallets use the same ones again. */
export interface ScriptIndex {
  describe(script: string): DecodedScript
  keysOf(script: string): readonly IndexKey[]
  /** Returns `undefined` for malformed text. */
  readAddress(address: string): AddressPayload | undefined
}

/** On chains of tokeld, addresses of conditions have a prefix of their own. */
export function hasConditionAddresses({ conditionPrefix, pubKeyHashPrefix }: Network): boolean {
  return conditionPrefix !== pubKeyHashPrefix
}

const rememberedMax = 50_000

export function createScriptIndex(network: Network): ScriptIndex {
  const described = new Map<string, DecodedScript>()
  const keys = new Map<string, readonly IndexKey[]>()
  const addresses = new Map<string, AddressPayload>()
  const index: ScriptIndex = {
    describe: (script) => remembered(described, script, () => decodeScript(script, network)),
    keysOf: (script) => remembered(keys, script, () => keysOf(index.describe(script))),
    readAddress: (address) => remembered(addresses, address, () => decodeAddress(address)),
  }
  return index
}

function keysOf({ type, addresses = [] }: DecodedScript): IndexKey[] {
  const digit =
    type === 'cryptocondition'
      ? indexTypes.condition
      : type === 'scripthash'
        ? indexTypes.script
        : indexTypes.key
  return [...new Set(addresses.map((address) => digit + decodeAddress(address)!.hash160))]
}

/** Returns the value of a text, and makes it if it is not kept yet. */
export function remembered<Value extends {}, Made extends Value | undefined>(
  values: Map<string, Value>,
  text: string,
  make: () => Made,
): Value | Made {
  const known = values.get(text)
  if (known !== undefined) return known
  if (values.size >= rememberedMax) values.clear()
  const made = make()
  // A malformed text may be of any length, so it is not kept.
  if (made !== undefined) values.set(text, made)
  return made
}

/** Outputs that nobody can spend are not coins. @see komodo src/script/script.h, IsUnspendable */
export function isUnspendable(script: string): boolean {
  return isNulldata(script) || script.length > 2 * scriptBytesMax
}
