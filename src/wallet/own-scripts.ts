// The addresses and scripts of a wallet's keys.

import { movableDataCodes } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { append } from '../primitives/append.ts'
import { byteHex } from '../primitives/wire.ts'
import { pubkeyHashScript, pubkeyScript } from '../script/key-script.ts'
import { addressOfScript } from '../script/script.ts'
import { nonFungibleId } from '../token/rules/komodo.ts'
import { rulesOfNew } from '../token/rules/network.ts'
import { markerScriptOf } from '../token/rules/order-layout.ts'
import { markerScriptOfV2 } from '../token/rules/order-layout-v2.ts'
import { type CreatedData, fungible, type TokenRules } from '../token/rules/rules.ts'

/** The addresses of one key of the wallet, and the scripts that are watched for it. */
export interface WalletAddress {
  /** Compressed, hex. */
  readonly publicKey: string
  readonly address: string
  /**
   * The address of fungible tokens; on Tokel, of tokens v2. Absent on chains without
   * crypto-conditions.
   */
  readonly tokenAddress?: string
  /**
   * The addresses of tokens of every kind, non-fungible ones included; the first is `tokenAddress`.
   */
  readonly tokenAddresses: readonly string[]
  /** Lower-case hex: the key's hash, the key, and its tokens. */
  readonly scripts: readonly string[]
}

interface Owner {
  readonly publicKey: string
  /** A marker is the 10,000 satoshis by which the maker of an order finds it. */
  readonly holds: 'coins' | 'units' | 'markers'
}

/** The scripts of the wallet's keys. */
export interface OwnScripts {
  readonly addresses: readonly WalletAddress[]
  /** Scripts that a chain source is asked about. */
  readonly watched: readonly string[]
  /** Returns true for a script of `watched`. */
  watches(script: string): boolean
  /** Returns the key that can spend an output, and what the output holds. */
  ownerOf(script: string): Owner | undefined
  /** Adds a key that was found later. */
  add(publicKey: string): void
}

export function ownScriptsOf(publicKeys: readonly string[], network: Network): OwnScripts {
  const exact = new Map<string, Owner>()
  const finders: { readonly owner: Owner; readonly isOwn: (script: string) => boolean }[] = []
  const addresses: WalletAddress[] = []
  const watched: string[] = []
  /** Owners of conditions, `undefined` for those of others: finders are slow, and keys are many. */
  let found = new Map<string, Owner | undefined>()

  const addressOf = (publicKey: string): WalletAddress => {
    const coins = [pubkeyHashScript(publicKey), pubkeyScript(publicKey)]
    const units = new Set<string>()
    for (const { rules, created } of kindsOfTokens(network)) {
      const places = rules.placesOf(created)
      const [held] = places.scriptsOf([publicKey])
      units.add(held!)
      units.add(rules.issuanceScript(publicKey, dataOf(created)))
      finders.push({ owner: { publicKey, holds: 'units' }, isOwn: places.finderOf(publicKey) })
    }
    const marker = markerOf(publicKey, network)
    if (marker !== undefined) exact.set(marker, { publicKey, holds: 'markers' })
    for (const script of coins) exact.set(script, { publicKey, holds: 'coins' })
    for (const script of units) exact.set(script, { publicKey, holds: 'units' })
    const tokenAddresses = [...new Set([...units].map((it) => addressOfScript(it, network)!))]
    const [tokenAddress] = tokenAddresses
    return {
      publicKey,
      address: addressOfScript(coins[0]!, network)!,
      ...(tokenAddress !== undefined && { tokenAddress }),
      tokenAddresses,
      scripts: [...coins, ...units],
    }
  }
  const add = (publicKey: string): void => {
    const before = exact.size
    addresses.push(addressOf(publicKey))
    append(watched, [...exact.keys()].slice(before))
    found = new Map()
  }
  for (const publicKey of publicKeys) add(publicKey)
  return {
    addresses,
    watched,
    watches: (script) => exact.has(script),
    add,
    ownerOf(script) {
      const owner = exact.get(script)
      if (owner !== undefined || !mayHaveCondition(script)) return owner
      if (!found.has(script)) {
        if (found.size >= foundMax) found = new Map()
        found.set(script, finders.find(({ isOwn }) => isOwn(script))?.owner)
      }
      return found.get(script)
    },
  }
}

const foundMax = 100_000

/** A condition ends with its opcode, or with data that is dropped after it. */
export function mayHaveCondition(script: string): boolean {
  return script.endsWith('cc') || script.endsWith('75')
}

function markerOf(publicKey: string, { conditions }: Network): string | undefined {
  if (conditions === 'none') return undefined
  return conditions === 'tokel' ? markerScriptOfV2(publicKey) : markerScriptOf(publicKey)
}

/** The kinds of tokens that a chain lets its holders move: each has scripts of its own. */
export function kindsOfTokens(
  network: Network,
): { readonly rules: TokenRules; readonly created: CreatedData }[] {
  if (network.conditions === 'none') return []
  const versions = network.conditions === 'tokel' ? ([2, 1] as const) : ([1] as const)
  return versions.flatMap((version) => {
    const rules = rulesOfNew(network, version)
    const codes = rules.layout === 'komodo-v1' ? movableDataCodes[rules.layout] : []
    return [fungible, ...codes.map(nonFungible)].map((created) => ({ rules, created }))
  })
}

function nonFungible(code: number): CreatedData {
  return { extras: [{ kind: 'nonFungible', id: nonFungibleId, data: byteHex(code) }] }
}

function dataOf({ extras }: CreatedData): string {
  return extras.find(({ kind }) => kind === 'nonFungible')?.data ?? ''
}
