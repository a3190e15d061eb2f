import { unlessMalformed } from '../../errors/malformed.ts'
import { decodeTokenPayload } from '../payload/decode.ts'
import type { TokenLayout, TokenPayload } from '../payload/payload.ts'

/**
 * Returns a payload of this layout if tokeld accepts it: unlike komodod, it allows no bytes left
 * over.
 */
export function tokelPayload(
  script: string,
  layout: Exclude<TokenLayout, 'komodo-v1'>,
): TokenPayload | undefined {
  const payload = unlessMalformed(() => decodeTokenPayload(script))
  return payload?.layout === layout && payload.rest === '' ? payload : undefined
}
