// Ed25519 (RFC 8032) and RSASSA-PSS (RFC 8017) with SHA-256, which conditions use besides secp256k1.
// One implementation uses node:crypto, the other runs everywhere; both give the same answers.

/** Keys and signatures are hex of any length. None of these functions throws for them. */
export interface PublicKeys {
  /**
   * Uses the equation without a cofactor and compares bytes, as OpenSSL and the daemon's library do.
   * A signature whose second half is not below the group order is refused.
   */
  ed25519Verifies(publicKey: string, signature: string, message: Uint8Array): boolean
  /** Uses the exponent 65537 and 32 bytes of salt. source: draft-thomas-crypto-conditions */
  rsaVerifies(modulus: string, signature: string, message: Uint8Array): boolean
  /** Derives the Ed25519 key pair of a 32-byte seed. */
  ed25519Signer(seed: Uint8Array): Ed25519Signer
}

export interface Ed25519Signer {
  readonly publicKey: string
  sign(message: Uint8Array): string
}
