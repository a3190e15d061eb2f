// A framework server for tests: real transport, real errors, real tasks; the world behind it is a
// script.

import { requireObject } from '../../primitives/arguments.ts'
import { memberNames, requireKnownMembers } from '../../primitives/known-members.ts'
import { notify } from '../../primitives/observers.ts'
import { openHttpServer, type RequestHead } from '../../server/http-server.ts'
import { createClock } from './clock.ts'
import { coinsFile } from './coins-file.ts'
import type { DevFramework, DevFrameworkOptions } from './dev-framework-types.ts'
import { createDevice, type Device } from './devices.ts'
import { type CallRecord, createDispatch } from './dispatch.ts'
import { createEventStreams, isEventStream } from './events.ts'
import { type FrameworkPresetName, frameworkPresetNames, frameworkPresets } from './presets.ts'
import { documentedCoins, documentedScript } from './samples.ts'
import { readCoins, readScript } from './script.ts'
import type { FrameworkState } from './state.ts'
import { createTaskTables } from './tasks.ts'

const optionNames = memberNames<DevFrameworkOptions>({
  host: true,
  port: true,
  exposeToNetwork: true,
  allowedHosts: true,
  allowedOrigins: true,
  coins: true,
  script: true,
  preset: true,
  onCall: true,
})

export async function openFramework(options: DevFrameworkOptions): Promise<DevFramework> {
  requireObject(options, 'options')
  requireKnownMembers(options, optionNames, 'options')
  const onCall = (record: CallRecord): void => notify(options.onCall, record)
  const preset = presetOf(options.preset)
  const isDocumented = options.preset === 'docs'
  const script = readScript(options.script ?? (isDocumented ? documentedScript : {}))
  const coins = readCoins(options.coins ?? (isDocumented ? documentedCoins : []))
  const { userpass = 'userpass', clock: kind = 'look' } = script
  const clock = createClock(kind)
  const events = createEventStreams()
  const state: FrameworkState = {
    preset,
    coins: coinsFile(coins, preset),
    script,
    clock,
    devices: (script.devices ?? []).map((device) => createDevice(device, clock)),
    active: new Map(),
    tableOf: createTaskTables({
      clock,
      preset,
      onStatus: (_family, id, clientId, status) => events.send(clientId, `TASK:${id}`, status),
    }),
    hardware: undefined,
    isInitializing: false,
  }
  const dispatch = createDispatch(state, userpass, onCall)
  const admit = ({ method, path }: RequestHead) => {
    if (isEventStream(path)) return events.open(path)
    if (method === 'OPTIONS') return { status: 200, body: '' }
    if (method === 'POST') return undefined
    return { status: 500, body: '{"error":"rpc:0] Only POST requests are supported!"}' }
  }
  const server = await openHttpServer(
    { admit, handle: ({ body, remoteAddress }) => dispatch(body, remoteAddress) },
    {
      ...options,
      onRefusal: ({ method, status, reason }) => onCall({ method, status, reason }),
    },
  )
  const deviceOf = (name: string): Device => {
    const device = state.devices.find((one) => one.script.name === name)
    if (device === undefined) throw new TypeError(`device: the script has none called ${name}`)
    return device
  }
  const close = async (): Promise<void> => {
    clock.stop()
    await server.close()
  }
  return {
    url: server.url,
    userpass,
    request: (body) => dispatch(body, '127.0.0.1'),
    now: clock.now,
    advance: clock.advance,
    plug: (name) => deviceOf(name).plug(),
    unplug: (name) => deviceOf(name).unplug(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function presetOf(name: FrameworkPresetName = '3.0.0') {
  if (!Object.hasOwn(frameworkPresets, name)) {
    throw new TypeError(`preset: expected one of ${frameworkPresetNames.join(', ')}`)
  }
  return frameworkPresets[name]
}
