import { base64FromHex, hexFromBase64 } from '../primitives/base64.ts'
import { bytesFromHex, hexFromBytes } from '../primitives/hex.ts'
import type { PublicKeys } from './public-keys.ts'

// node:crypto is ten to twenty times faster than JavaScript arithmetic. It is loaded only for conditions with such keys.
const crypto = () => process.getBuiltinModule('node:crypto')

// RFC 8410, section 7: the PKCS #8 prefix of an Ed25519 private key of 32 bytes.
const ed25519Envelope = '302e020100300506032b657004220420'

/** The draft's exponent, 65537. */
const rsaExponent = 'AQAB'
const rsaSaltBytes = 32

export const publicKeys: PublicKeys = {
  ed25519Verifies(publicKey, signature, message) {
    const { createPublicKey, verify } = crypto()
    const x = base64FromHex(publicKey, 'url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, message, key, bytesFromHex(signature))
  },

  rsaVerifies(modulus, signature, message) {
    const { constants, createPublicKey, verify } = crypto()
    const n = base64FromHex(modulus, 'url')
    const key = createPublicKey({ key: { kty: 'RSA', n, e: rsaExponent }, format: 'jwk' })
    const padding = constants.RSA_PKCS1_PSS_PADDING
    return verify(
      'sha256',
      message,
      { key, padding, saltLength: rsaSaltBytes },
      bytesFromHex(signature),
    )
  },

  ed25519Signer(seed) {
    const { createPrivateKey, createPublicKey, sign } = crypto()
    const key = createPrivateKey({
      key: Buffer.concat([bytesFromHex(ed25519Envelope), seed]),
      format: 'der',
      type: 'pkcs8',
    })
    const { x } = createPublicKey(key).export({ format: 'jwk' })
    return {
      publicKey: hexFromBase64(x ?? '') ?? '',
      sign: (message) => hexFromBytes(sign(null, message, key)),
    }
  },
}
