import conditions from 'five-bells-condition'

export const fromBinary = conditions.fromFulfillmentBinary

const hexOf = (/** @type {Buffer} */ bytes) => bytes.toString('hex')

/** @param {any} fulfillment one of its objects, everything fulfilled @returns {import('../lib/conditions.mjs').Tree} */
export function treeOf(fulfillment) {
  const type = fulfillment.getTypeName()
  switch (type) {
    case 'preimage-sha-256':
      return { type, preimage: hexOf(fulfillment.preimage) }
    case 'prefix-sha-256':
      return {
        type,
        prefix: hexOf(fulfillment.prefix),
        maxMessageLength: fulfillment.maxMessageLength,
        subcondition: treeOf(fulfillment.subcondition),
      }
    case 'threshold-sha-256':
      return {
        type,
        threshold: fulfillment.threshold,
        subconditions: fulfillment.subconditions.map((/** @type {any} */ { body }) => treeOf(body)),
      }
    default:
      return {
        type,
        publicKey: hexOf(fulfillment.publicKey),
        signature: hexOf(fulfillment.signature),
      }
  }
}

/** @param {import('../lib/conditions.mjs').Tree} tree @returns {boolean} */
const isKomodos = ({ type, subcondition, subconditions = [] }) =>
  type === 'eval-sha-256' ||
  type === 'secp256k1-sha-256' ||
  [...(subcondition ? [subcondition] : []), ...subconditions].some(isKomodos)

/** For `cannot`. @param {import('../lib/conditions.mjs').Specimen} specimen */
export const draftOnly = ({ tree }) =>
  isKomodos(tree) ? 'knows neither eval nor secp256k1' : undefined

/** @param {import('../lib/conditions.mjs').Specimen} specimen */
export const read = ({ fulfillment }) => fromBinary(Buffer.from(fulfillment, 'hex'))
