// task::init_trezor: making a device known before coins are activated on it.

import { talk } from './devices.ts'
import { MmError } from './errors.ts'
import { type Read, struct, text, unsigned } from './read.ts'
import type { FrameworkState } from './state.ts'
import type { Plan, TaskFamily } from './tasks.ts'

interface TrezorRequest {
  readonly pubkey: string | undefined
  readonly clientId: number
}

export const trezorRequest: Read<TrezorRequest> = struct('InitHwRequest', ({ optional }) => ({
  pubkey: optional('device_pubkey', text, undefined),
  clientId: optional('client_id', unsigned('u64'), 0),
}))

/** Documentation of task::init_trezor, error_trace. */
export const trezorFamily: TaskFamily = {
  name: 'init_trezor',
  statusTrace: 'init_hw:184]',
  cancelTrace: 'init_hw:209]',
}

export function startTrezor(state: FrameworkState, request: TrezorRequest): number {
  return state
    .tableOf(trezorFamily)
    .start(initialization(state, request), 'Initializing', request.clientId)
}

const pinLimitMs = 600_000
const lines = 'init_hw:151] crypto_ctx:0]'

/** @see komodo-defi-framework mm2_main/src/lp_init/init_hw.rs */
function* initialization(state: FrameworkState, { pubkey }: TrezorRequest): Plan {
  if (state.isInitializing) {
    throw new MmError('Hardware Wallet context is initializing already', {
      status: 400,
      type: 'HwContextInitializingAlready',
      trace: 'init_hw:151] crypto_ctx:235]',
    })
  }
  state.isInitializing = true
  try {
    const device = yield* talk({
      devices: state.devices,
      connected: 'Initializing',
      connectionFailed: 'Initializing',
      pinLimitMs,
      fault: hardwareError,
      timedOut: (ms) =>
        new MmError(`RPC timed out ${ms / 1_000}s`, {
          status: 408,
          type: 'Timeout',
          data: { secs: ms / 1_000, nanos: 0 },
          trace: 'init_hw:151] crypto_ctx:248] crypto_ctx:354] hw_client:156]',
        }),
      unexpectedAction: (expected) =>
        new MmError(`RPC 'task' is awaiting '${expected}' user action`, {
          status: 400,
          type: 'UnexpectedUserAction',
          data: { expected },
          trace: lines,
        }),
    })
    const { script } = device
    if (pubkey !== undefined && pubkey !== script.device_pubkey) {
      const words = 'Found unexpected device. Please re-initialize Hardware wallet'
      throw hardwareError('FoundUnexpectedDevice', words)
    }
    state.hardware = device
    return {
      type: 'Trezor',
      model: script.model ?? 'One',
      device_name: script.name,
      device_id: script.device_id ?? '',
      device_pubkey: script.device_pubkey ?? '',
    }
  } finally {
    // Reached by a cancel as well, which puts the device's context back.
    state.isInitializing = false
  }
}

function hardwareError(fault: string, words: string): MmError {
  return new MmError(words, { status: 410, type: 'HwError', data: fault, trace: lines })
}
