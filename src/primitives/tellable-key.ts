/**
 * What may be told of a text that should have been a public key or an address: nothing, if it may
 * be a private key.
 */
export function tellableKey(text: string): string {
  const isSecret = /^[0-9a-f]{64}$/i.test(text) || /^[1-9a-z]{51,52}$/i.test(text)
  return isSecret ? 'what may be a private key' : text.slice(0, 140)
}
