/** Building, signing and verifying over a library that signs and verifies hashes. */
import { signedWith } from '../lib/spends.mjs'
import { wireHex } from '../lib/wire.mjs'
import { toVerify, verifierOver } from './payments.mjs'

/**
 * @param {import('../lib/spends.mjs').Signer} signer
 * @param {Parameters<typeof verifierOver>[0]} verify
 */
export const senderOver = (signer, verify) => {
  const verified = verifierOver(verify)
  /** @param {import('../lib/sendings.mjs').Sending} sending */
  return ({ fields, prevouts, key }) => {
    const keys = prevouts.map(() => key)
    const signed = signedWith({ fields, prevouts }, keys, signer)
    const isSigned = verified(toVerify({ fields: signed, prevouts })).every((it) => it)
    if (!isSigned) throw new Error('a signature is wrong')
    return wireHex(signed)
  }
}

/** Ours. @param {any} library */
export const ourSender =
  ({ buildPayment, signCase }) =>
  ({ request, key }) => {
    const { hex, ok } = signCase(buildPayment(request), [key])
    if (!ok) throw new Error('the payment was not verified')
    return hex
  }
