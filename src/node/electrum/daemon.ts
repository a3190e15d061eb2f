// The reads of a daemon that an Electrum server needs.

import { type JsonValue, parsePlainJson } from '../../primitives/json.ts'
import { RpcFailure } from '../../server/json-rpc.ts'
import type { Context } from '../methods/context.ts'
import { callMethod } from '../methods/table.ts'
import { quoted } from './values.ts'

const daemonError = 2

/** @throws {RpcFailure} the daemon's error, as ElectrumX passes it on */
export function ofDaemon(daemon: Context, method: string, params: readonly JsonValue[]): unknown {
  try {
    return parsePlainJson(callMethod(daemon, method, params))
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    const { code, message } = error
    const text = `daemon error: DaemonError({'code': ${code}, 'message': ${quoted(message)}})`
    throw new RpcFailure(daemonError, text)
  }
}
