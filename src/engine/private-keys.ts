import { bytesFromHex, hexFromBytes } from '../primitives/hex.ts'
import { compressedKey } from '../primitives/hex-forms.ts'
import * as javascript from '../primitives/secp256k1.ts'
import { startEngine } from './call.ts'
import * as calls from './calls.ts'

// The one place that decides what computes with a private key: libsecp256k1 in the addon, whose time
// does not depend on the key, or @noble/secp256k1 where no addon loads. Both give the same bytes.
// Keys do not enter WebAssembly: docs/adr/0015-native-signer.md.

/** The compressed, then the uncompressed public key, as hex. */
type PublicKeyForms = readonly [string, string]

/** A private key in memory of its own. */
export interface HeldKey {
  readonly publicKeys: PublicKeyForms
  /** Signs a hash of 32 bytes: r and s as hex, low S, with the nonce of RFC 6979. */
  sign(hash: string): string
}

/** Returns whether private keys may enter the engine. It loads at the first call. */
export function engineTakesKeys(): boolean {
  const { engine, path } = startEngine()
  return path !== undefined && engine.takesKeys === true
}

const keyBytes = 32

/**
 * Allocates 32 bytes that the garbage collector does not copy. V8 keeps small arrays in its heap,
 * moves them, and leaves a copy behind when native code asks for them, unless their buffer came first.
 */
function unmovedBytes(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new ArrayBuffer(keyBytes))
}

const seed = unmovedBytes()

/** Runs `use` with random bytes that blind the arithmetic, and that no other use sees. */
function withSeed(use: (seed: Uint8Array) => string): string {
  try {
    return use(crypto.getRandomValues(seed))
  } finally {
    seed.fill(0)
  }
}

/**
 * Takes over the bytes of a private key: they move to memory of their own, and `secretKey` becomes
 * zeros.
 *
 * @param secretKey - 32 bytes, for which `isPrivateKey` is true
 */
export function holdKey(secretKey: Uint8Array): HeldKey {
  const held = heldBytes(secretKey)
  try {
    return { publicKeys: publicKeyForms(held), sign: (hash) => signHash(hash, held) }
  } catch (error) {
    held.fill(0)
    throw error
  }
}

/** Moves the bytes of a key to memory that is never moved. */
function heldBytes(secretKey: Uint8Array): Uint8Array {
  const held = unmovedBytes()
  held.set(secretKey)
  secretKey.fill(0)
  return held
}

/** Returns both forms of the public key of a private key, whose bytes become zeros. */
export function publicKeyFormsOf(secretKey: Uint8Array): PublicKeyForms {
  const held = heldBytes(secretKey)
  try {
    return publicKeyForms(held)
  } finally {
    held.fill(0)
  }
}

function publicKeyForms(held: Uint8Array): PublicKeyForms {
  if (!engineTakesKeys()) {
    const [compressed, uncompressed] = javascript.publicKeyFormsOf(held)
    return [hexFromBytes(compressed), hexFromBytes(uncompressed)]
  }
  const uncompressed = withSeed((fresh) => calls.derivePublicKey(held, fresh))
  return [compressedKey(uncompressed), uncompressed]
}

function signHash(hash: string, held: Uint8Array): string {
  if (!engineTakesKeys()) return hexFromBytes(javascript.signHash(bytesFromHex(hash), held))
  return withSeed((fresh) => calls.signHash(hash, held, fresh))
}
