// The state of a development framework at one moment, and the parts that change it.

import type { VirtualClock } from './clock.ts'
import type { CoinsFile } from './coins-file.ts'
import type { Device } from './devices.ts'
import { notScriptedError } from './errors.ts'
import type { FrameworkPreset } from './presets.ts'
import type { CoinScript, FrameworkScript } from './script.ts'
import type { TaskFamily, TaskTable } from './tasks.ts'

export interface FrameworkState {
  readonly preset: FrameworkPreset
  readonly coins: CoinsFile
  readonly script: FrameworkScript
  readonly clock: VirtualClock
  readonly devices: readonly Device[]
  /** Activated coins and tokens, in order. */
  readonly active: Map<string, CoinScript>
  readonly tableOf: (family: TaskFamily) => TaskTable
  /** The device that `task::init_trezor` made known. */
  hardware: Device | undefined
  /** True while a device is being made known. */
  isInitializing: boolean
}

/** The scenario's entry for a coin; this server invents no balances. */
export function scriptedCoin(state: FrameworkState, ticker: string): CoinScript {
  const coin = Object.hasOwn(state.script.coins ?? {}, ticker)
    ? state.script.coins?.[ticker]
    : undefined
  if (coin === undefined) {
    throw notScriptedError(`the coin ${ticker}`, 'give its address and balance as script.coins')
  }
  return coin
}

/** How long a stretch of an activation takes. */
export function latencyOf({ latencyMs = 1_000 }: CoinScript): number {
  return latencyMs
}
