import type { Network } from '../chain/network.ts'
import type { JsonValue } from '../primitives/json.ts'
import type { AskedFor } from '../request/case.ts'

/** Facts that a guard has besides the parameters. */
export interface RequestTerms {
  readonly network: Network
  /** The key of the daemon, which pays and gets the change. */
  readonly pubkey: string
  readonly allowsUnenforcedPrices: boolean
  readonly maxFee: bigint | undefined
}

/** A token method that a guard verifies. */
export interface TokenMethod {
  /** Numbers of parameters that the method takes. */
  readonly counts: readonly [min: number, max: number]
  /** True for methods of tokeld whose answer has no member `result`. */
  readonly isBare?: true
  /** @throws {RpcFailure} for parameters that the guard does not read */
  request(params: readonly JsonValue[], terms: RequestTerms): AskedFor
}

/** Returns the members that the requests of all token methods share. */
export function commonTerms({
  network,
  maxFee,
}: RequestTerms): Pick<RequestTerms, 'network'> & { readonly maxFee?: bigint } {
  return { network, ...(maxFee !== undefined && { maxFee }) }
}
