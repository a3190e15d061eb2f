import { isAntaraError } from '../../errors/antara-error.ts'
import { decodeTokenPayload } from '../payload/decode.ts'
import type { TokenLayout, TokenPayload } from '../payload/payload.ts'

/** A payload of this layout as tokeld reads it: it takes none with anything left over. */
export function tokelPayload(
  script: string,
  layout: Exclude<TokenLayout, 'komodo-v1'>,
): TokenPayload | undefined {
  try {
    const payload = decodeTokenPayload(script)
    return payload?.layout === layout && payload.rest === '' ? payload : undefined
  } catch (error) {
    if (isAntaraError(error)) return undefined
    throw error
  }
}
