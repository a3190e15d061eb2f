import cryptoconditions from '@tokel/cryptoconditions-js'

export const {
  js_read_fulfillment_binary: readFulfillment,
  js_cc_fulfillment_binary: writeFulfillment,
  js_cc_condition_binary: writeCondition,
} = cryptoconditions

/** @param {string} hex */
export const bytesOf = (hex) => Uint8ClampedArray.from(Buffer.from(hex, 'hex'))

/** @param {Uint8ClampedArray} bytes */
export const hexOf = (bytes) => Buffer.from(bytes).toString('hex')

const recoded = (
  /** @type {string} */ text,
  /** @type {BufferEncoding} */ from,
  /** @type {BufferEncoding} */ to,
) => Buffer.from(text, from).toString(to)

/** The tree as its JSON has it, everything fulfilled. @param {import('../lib/conditions.mjs').Tree} tree */
export function jsonOf({ type, ...members }) {
  if (type === 'threshold-sha-256') {
    return {
      type,
      threshold: members.threshold,
      subfulfillments: members.subconditions.map(jsonOf),
    }
  }
  if (type === 'eval-sha-256') return { type, code: recoded(members.code, 'hex', 'base64') }
  if (type === 'preimage-sha-256') {
    return { type, preimage: recoded(members.preimage, 'hex', 'base64') }
  }
  return { type, ...members }
}

/** @param {any} json @returns {import('../lib/conditions.mjs').Tree} */
export function treeOfJson({ type, ...members }) {
  if (type === 'threshold-sha-256') {
    return {
      type,
      // A string in what it reads.
      threshold: Number(members.threshold),
      subconditions: members.subfulfillments.map(treeOfJson),
    }
  }
  if (type === 'eval-sha-256') return { type, code: recoded(members.code, 'base64', 'hex') }
  return { type, ...members }
}

const tokenTypes = new Set(['threshold-sha-256', 'secp256k1-sha-256', 'eval-sha-256'])

/** @param {import('../lib/conditions.mjs').Tree} tree @returns {boolean} */
const isOfTokens = ({ type, subconditions = [] }) =>
  tokenTypes.has(type) && subconditions.every(isOfTokens)

/** For `cannot`. @param {import('../lib/conditions.mjs').Specimen} specimen */
export const tokensOnly = ({ tree }) =>
  isOfTokens(tree) ? undefined : 'drops preimages, knows neither prefixes nor Ed25519'
