// Talking to a hardware wallet, as the framework does it inside a task.

import type { VirtualClock } from './clock.ts'
import type { MmError } from './errors.ts'
import type { DeviceScript, UnplugMoment } from './script.ts'
import type { Step, UserAction } from './tasks.ts'

/** A device of the script, and whether it is plugged in now. */
export interface Device {
  readonly script: DeviceScript
  isPlugged(): boolean
  plug(): void
  unplug(): void
}

export function createDevice(script: DeviceScript, clock: VirtualClock): Device {
  let plugged = script.plugged ?? true
  return {
    script,
    isPlugged: () => plugged && clock.now() >= (script.pluggedAfterMs ?? 0),
    plug: () => {
      plugged = true
    },
    unplug: () => {
      plugged = false
    },
  }
}

/** @see komodo-defi-framework crypto/src/hw_error.rs HwRpcError */
const faultWords = {
  NoTrezorDeviceAvailable: 'No Trezor device available',
  FoundMultipleDevices: 'Found multiple devices. Please unplug unused devices',
  FoundUnexpectedDevice: 'Found unexpected device. Please re-initialize Hardware wallet',
  InvalidPin: 'Pin is invalid',
  NotInitialized: 'Not initialized',
  UserCancelled: 'User cancelled action',
} as const

export type DeviceFault = keyof typeof faultWords

/** A conversation, as the task that leads it sees it. */
interface Conversation {
  readonly devices: readonly Device[]
  /** One of the names that the task's family uses. */
  readonly connected: string
  readonly connectionFailed: string
  readonly pinLimitMs: number
  /** The device that was made known before; another one is refused. */
  readonly expected?: Device | undefined
  readonly fault: (fault: DeviceFault, words: string) => MmError
  readonly timedOut: (ms: number) => MmError
  readonly unexpectedAction: (expected: UserAction['action_type']) => MmError
}

const connectLimitMs = 300_000
const lookEveryMs = 1_000

/** Finds the one device, unlocks it and has its user confirm; answers the device. */
export function* talk(conversation: Conversation): Generator<Step, Device, UserAction | undefined> {
  const fail = (fault: DeviceFault): MmError => conversation.fault(fault, faultWords[fault])
  const device = yield* connect(conversation, fail)
  const { script } = device
  const check = (moment: UnplugMoment): void => {
    if (script.unplugsAt === moment) device.unplug()
    if (!device.isPlugged()) throw fail('NoTrezorDeviceAvailable')
  }
  check('connect')
  if (script.initialized === false) throw fail('NotInitialized')
  if (script.pin !== undefined) {
    const pin = yield* ask(conversation, 'EnterTrezorPin', 'TrezorPin')
    check('pin')
    if (pin !== script.pin) throw fail('InvalidPin')
  }
  if (script.passphrase !== undefined) {
    const passphrase = yield* ask(conversation, 'EnterTrezorPassphrase', 'TrezorPassphrase')
    check('passphrase')
    // Every passphrase opens a wallet, but the script knows the balances of one.
    if (passphrase !== script.passphrase) throw fail('FoundUnexpectedDevice')
  }
  yield { progress: 'FollowHwDeviceInstructions' }
  yield { waitMs: script.confirmMs ?? 1_000 }
  check('confirm')
  if (script.declines === true) throw fail('UserCancelled')
  const { expected } = conversation
  if (expected !== undefined && expected !== device) throw fail('FoundUnexpectedDevice')
  yield { progress: conversation.connected }
  return device
}

/** @see komodo-defi-framework crypto/src/hw_client.rs */
function* connect(
  conversation: Conversation,
  fail: (fault: DeviceFault) => MmError,
): Generator<Step, Device, UserAction | undefined> {
  yield { progress: 'WaitingForTrezorToConnect' }
  for (let waitedMs = 0; waitedMs < connectLimitMs; ) {
    const [device, second] = conversation.devices.filter((one) => one.isPlugged())
    if (second !== undefined) {
      yield { progress: conversation.connectionFailed }
      throw fail('FoundMultipleDevices')
    }
    const ms = device === undefined ? lookEveryMs : (device.script.connectMs ?? 500)
    yield { waitMs: Math.min(ms, connectLimitMs - waitedMs) }
    waitedMs += ms
    if (device === undefined || waitedMs >= connectLimitMs) continue
    yield { progress: conversation.connected }
    return device
  }
  yield { progress: conversation.connectionFailed }
  throw conversation.timedOut(connectLimitMs)
}

function* ask(
  { pinLimitMs, timedOut, unexpectedAction }: Conversation,
  asks: string,
  wanted: UserAction['action_type'],
): Generator<Step, string, UserAction | undefined> {
  const action = yield { asks, limitMs: pinLimitMs, late: () => timedOut(pinLimitMs) }
  if (action?.action_type !== wanted) throw unexpectedAction(wanted)
  return action.text
}
