import { burnPublicKeys } from '../chain/modules.ts'
import { isPoint } from '../primitives/curve-point.ts'
import { isCompressedPoint } from './public-key.ts'

/** The keys that burn, of all networks. */
export const burnKeys: readonly string[] = Object.values(burnPublicKeys)

export function isBurnKey(key: string): boolean {
  return burnKeys.includes(key)
}

/**
 * Returns whether nodes relay signatures of a key: it is a point in one of the two usual forms, and
 * not burned.
 */
export function isUsableKey(key: string): boolean {
  if (isBurnKey(key)) return false
  return isCompressedPoint(key) || (key.startsWith('04') && isPoint(key))
}

/**
 * Returns whether blocks may contain signatures of a key. They also allow the hybrid forms 06 and
 * 07.
 */
export function canKeySign(key: string): boolean {
  return isUsableKey(key) || (/^0[67]/.test(key) && isPoint(`04${key.slice(2)}`))
}
