import { RpcFailure } from '../../server/json-rpc.ts'

// komodo src/rpc/protocol.h
const codes = {
  misc: -1,
  type: -3,
  wallet: -4,
  addressOrKey: -5,
  insufficientFunds: -6,
  parameter: -8,
  deserialization: -22,
} as const

/** An error of the daemon's, to be thrown. */
export function failure(kind: keyof typeof codes | number, message: string): RpcFailure {
  return new RpcFailure(typeof kind === 'number' ? kind : codes[kind], message)
}
