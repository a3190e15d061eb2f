// The server of a connection, as it introduces itself.

import type { JsonValue } from '../primitives/json.ts'
import { printable } from '../primitives/printable.ts'
import { RpcError } from '../rpc/errors.ts'
import { readValue } from '../rpc/fields.ts'
import { electrumMethods } from './methods.ts'
import type { MessageStream, ServerAddress, ServerTrust } from './stream.ts'

/** The server in use, and how its identity was checked. */
export interface ConnectedServer {
  readonly url: string
  readonly trust: ServerTrust
  /** SHA-256 of its certificate, hex. */
  readonly certificate?: string
  /** Its software and the version of the protocol, as it reports them. */
  readonly software: string
  readonly protocol: string
}

/** Versions of the protocol that the client speaks. */
const protocols = ['1.4', '1.6'] as const

/** Parameters of `server.version`, which a connection begins with. */
export const introduction: readonly unknown[] = ['antara-tx', protocols]

/** @throws {RpcError} of kind `shape` for a protocol that the client does not speak */
export function serverOf(
  { url }: ServerAddress,
  { trust, certificate }: MessageStream,
  reply: JsonValue,
): ConnectedServer {
  const [software, protocol] = readValue(electrumMethods['server.version'].result, reply)
  const [least, most] = protocols.map(versionOf) as [number, number]
  const version = versionOf(protocol)
  if (!(version >= least && version < most + 1)) {
    const received = printable(protocol.slice(0, 40))
    const message = `${url} speaks protocol ${received}; expected ${protocols.join(' to ')}`
    throw new RpcError('shape', message, { reason: 'unexpected_value', received })
  }
  return {
    url,
    trust,
    ...(certificate !== undefined && { certificate }),
    software: printable(software.slice(0, 200)),
    protocol,
  }
}

/** `1.4.2` as 1004. */
function versionOf(text: string): number {
  const match = /^(\d{1,2})\.(\d{1,2})(?:\.\d{1,4})*$/.exec(text)
  return match === null ? Number.NaN : 1000 * Number(match[1]) + Number(match[2])
}
