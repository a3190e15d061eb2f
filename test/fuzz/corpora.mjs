/**
 * The corpora of the core's fuzz targets as inputs of the seam. Each file has the form of the
 * functions that reach its target, with words in the layout of native/seam/seam.def. Selections are
 * in the seam's own corpus, because only their targets read numbers as bytes.
 *
 * @typedef {{ name: string, hex: string }} Input a function of the seam, and what engines.mjs reads
 */

const [asHex, asBytes, asText] = [0, 1, 2]
const hashAll = 1

/** @type {Record<string, (file: Buffer) => Input[]>} by the folder of native/fuzz/corpus */
export const corpora = {
  address: (file) => [
    inputOf('encodeAddresses', [[asHex, Buffer.concat([file, Buffer.alloc(21)]).subarray(0, 21)]]),
  ],
  block: (file) => [
    ...each([200, 48], (n) =>
      each([0, 1], (leaves) =>
        inputsOf('readBlockHeaders', file, [0, n, n === 200 ? 9 : 5, leaves]),
      ),
    ),
    ...each([0, 1, 2], (count) => [inputOf('splitTransactions', [[asBytes, file]], [count])]),
  ],
  condition: (file) => each([0, 1], (asDaemon) => inputsOf('decodeCondition', file, [asDaemon])),
  der_signature: (file) => [
    inputOf('verifySignature', [[asHex, Buffer.concat([hashAndKey, file])]], [33, 1]),
  ],
  fulfillment: (file) =>
    each([0, 1], (isMixed) =>
      each([0, 1], (checksKeys) => inputsOf('decodeFulfillment', file, [isMixed, checksKeys])),
    ),
  hex: (file) => [inputOf('hash160', [[asText, file]]), ...inputsOf('hash160', file)],
  script: (file) => {
    const digits = 2 * file.length
    const describing = each([0, 1, 2], (support) => [
      inputOf('describeScripts', [[asHex, file]], [1, support, support % 2, 0, digits]),
      inputOf('readConditionScripts', [[asHex, file]], [1, support, digits]),
    ])
    return [inputOf('splitScript', [[asHex, file]]), ...describing]
  },
  sighash: (file) => {
    const [hashType, branchId] = [word(file, 0), word(file, 4)]
    const length = file[8] ?? 0
    const [script, raw] = [file.subarray(9, 9 + length), file.subarray(9 + length)]
    const texts = both(raw, script)
    const words = (/** @type {number} */ index) => [
      ...[hashType, branchId, 1, index, 1, 0],
      ...[1, 0, 2 * script.length, 0],
    ]
    return each([0, 1], (index) =>
      each(['signatureHash', 'signaturePreimage'], (name) =>
        texts.map((inputs) => inputOf(name, inputs, words(index))),
      ),
    )
  },
  transaction: (file) =>
    each(
      ['decodeTransaction', 'decodeWithTxid', 'leadingTransactionBytes', 'transactionId'],
      (name) => inputsOf(name, file),
    ),
  verify_inputs: (file) => {
    const support = (file[0] ?? 0) % 3
    const value = [word(file, 1), word(file, 5)]
    const length = word(file, 9) & 0xffff
    const [script, raw] = [file.subarray(11, 11 + length), file.subarray(11 + length)]
    // As many as there may be inputs: all others are refused, on both.
    return each([1, 2, 3], (inputs) => {
      const prevouts = Array.from({ length: inputs }, () => [...value, 2 * script.length, 0])
      const scripts = Buffer.concat(prevouts.map(() => script))
      const words = [hashAll, 0, 0, support, inputs, 0, ...prevouts.flat()]
      return both(raw, scripts).map((texts) => inputOf('verifyInputs', texts, words))
    })
  },
}

/** 32 bytes of a hash, and the generator of secp256k1 (SEC 2, section 2.4.1). */
const hashAndKey = Buffer.concat([
  Buffer.alloc(32, 0x11),
  Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex'),
])

/** @template Item @param {readonly Item[]} items @param {(item: Item) => Input[]} make */
function each(items, make) {
  return items.flatMap(make)
}

/** Makes two seeds of a source, as hex and as bytes. @param {Buffer} file @param {readonly number[]} [words] */
function inputsOf(/** @type {string} */ name, file, words) {
  return [asHex, asBytes].map((passing) => inputOf(name, [[passing, file]], words))
}

/** A source in either way, and a text. @param {Buffer} source @param {Buffer} text */
function both(source, text) {
  return [asHex, asBytes].map(
    (passing) =>
      /** @type {[number, Buffer][]} */ ([
        [passing, source],
        [asHex, text],
      ]),
  )
}

/**
 * @param {string} name
 * @param {readonly (readonly [number, Buffer])[]} inputs how each is passed, and its bytes
 * @param {readonly number[]} [words]
 * @returns {Input}
 */
function inputOf(name, inputs, words = []) {
  const parts = inputs.flatMap(([passing, bytes]) => {
    const head = Buffer.alloc(3)
    head.writeUInt8(passing)
    head.writeUInt16LE(bytes.length, 1)
    return [head, bytes]
  })
  const tail = Buffer.alloc(4 * words.length)
  for (const [at, value] of words.entries()) tail.writeUInt32LE(value, 4 * at)
  return { name, hex: Buffer.concat([...parts, tail]).toString('hex') }
}

/** A word at `at`; behind the end zero. @param {Buffer} file @param {number} at */
function word(file, at) {
  const bytes = Buffer.alloc(4)
  file.copy(bytes, 0, at, at + 4)
  return bytes.readUInt32LE()
}
