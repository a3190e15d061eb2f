// The faucet: coins of the first block, and coins that a test requests later.

import { requireBigint } from '../primitives/arguments.ts'
import { isHex } from '../primitives/hex-forms.ts'
import { pubkeyScript } from '../script/key-script.ts'
import type { Engine } from './engine.ts'
import { scriptOf } from './methods/raw.ts'

/** Satoshis for an address of the chain, or a script in hex. */
interface FaucetOutput {
  readonly to: string
  readonly value: bigint
}

interface FaucetScript {
  readonly script: string
  readonly value: bigint
}

/** Coins that each identity starts with, besides the premine of the first. */
const startingCoins = 10
const startingValue = 1_000_00000000n

/** The first block: the premine for the first identity, and coins for all. */
export function startingBlock(engine: Engine, fund: readonly FaucetOutput[]): void {
  const scripts = engine.state.wallets.map((_, at) => minerScript(engine, at))
  if (scripts.length === 0) return
  const faucetOutputs = scripts.flatMap((script) =>
    Array.from({ length: startingCoins }, () => ({ script, value: startingValue })),
  )
  const asked = fund.map((faucetOutput) => faucetScript(engine, faucetOutput))
  engine.mine({ script: scripts[0]!, faucetOutputs: [...faucetOutputs, ...asked] })
}

/** Returns the script that the blocks of an identity pay. */
export function minerScript({ state }: Engine, identity: number): string {
  const { pubkey, keys } = state.wallets[identity]!
  return pubkeyScript(pubkey ?? keys.root!.value.publicKey)
}

function payeeScript(engine: Engine, to: string): string {
  const script = scriptOf({ engine }, to) ?? (isHex(to) ? to.toLowerCase() : undefined)
  if (script === undefined)
    throw new TypeError(`${to}: neither an address of this chain nor a script in hex`)
  return script
}

/**
 * @throws {TypeError} for what is neither an address of the chain nor a script
 * @throws {RangeError} for a negative amount, and for more than the chain allows
 */
export function faucetScript(engine: Engine, { to, value }: FaucetOutput): FaucetScript {
  requireBigint(value, 'value')
  const { maxMoney } = engine.rules.network
  if (value >= 0n && value <= maxMoney) return { script: payeeScript(engine, to), value }
  throw new RangeError(`value: ${value} satoshis, but a chain has 0 to ${maxMoney}`)
}
