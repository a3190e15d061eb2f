// Ed25519 (RFC 8032) and RSASSA-PSS (RFC 8017) with SHA-256: what conditions sign with besides
// secp256k1. One file does it by Node, one wherever there is no Node; both give the same answers.

/** Keys and signatures are hex, of any length; nothing of them throws. */
export interface PublicKeys {
  /**
   * By the equation without a cofactor, compared as bytes: what OpenSSL does, and the daemon's
   * library. A signature whose second half is not below the order of the group is refused.
   */
  ed25519Verifies(publicKey: string, signature: string, message: Uint8Array): boolean
  /** With the exponent 65537 and 32 bytes of salt, as the draft on crypto-conditions says. */
  rsaVerifies(modulus: string, signature: string, message: Uint8Array): boolean
  /** The Ed25519 key pair of a 32-byte seed. */
  ed25519Signer(seed: Uint8Array): Ed25519Signer
}

export interface Ed25519Signer {
  readonly publicKey: string
  sign(message: Uint8Array): string
}
