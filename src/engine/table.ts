// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

export type InputKind = 'source' | 'hex' | 'bytes' | 'values' | 'numbers' | 'index' | 'job'
export type AnswerKind = 'text' | 'index' | 'job'

/** Every function, at its number, for builds whose functions are called by number. */
export const seamFunctions: readonly {
  readonly name: string
  readonly inputs: readonly InputKind[]
  readonly answer: AnswerKind
}[] = [
  { name: 'addCoins', inputs: ['index', 'values', 'numbers'], answer: 'text' },
  { name: 'answerLines', inputs: ['bytes'], answer: 'text' },
  { name: 'createCoinIndex', inputs: ['values', 'numbers'], answer: 'index' },
  { name: 'decodeCondition', inputs: ['source'], answer: 'text' },
  { name: 'decodeFulfillment', inputs: ['source'], answer: 'text' },
  { name: 'decodeTransaction', inputs: ['source'], answer: 'text' },
  { name: 'decodeWithTxid', inputs: ['source'], answer: 'text' },
  { name: 'derivePublicKey', inputs: ['bytes', 'bytes'], answer: 'text' },
  { name: 'describeScripts', inputs: ['hex'], answer: 'text' },
  { name: 'encodeAddresses', inputs: ['hex'], answer: 'text' },
  { name: 'encodeTransaction', inputs: ['hex'], answer: 'text' },
  { name: 'encodeTrees', inputs: ['hex'], answer: 'text' },
  { name: 'engineFeatures', inputs: [], answer: 'text' },
  { name: 'freeCoinIndex', inputs: ['index'], answer: 'text' },
  { name: 'hash160', inputs: ['source'], answer: 'text' },
  { name: 'leadingTransactionBytes', inputs: ['source'], answer: 'text' },
  { name: 'readBlockHeaders', inputs: ['source'], answer: 'text' },
  { name: 'readConditionScripts', inputs: ['hex'], answer: 'text' },
  { name: 'readFulfillments', inputs: ['hex'], answer: 'text' },
  { name: 'readPublicKeys', inputs: ['hex'], answer: 'text' },
  { name: 'recoverPublicKey', inputs: ['hex'], answer: 'text' },
  { name: 'removeCoins', inputs: ['index', 'numbers'], answer: 'text' },
  { name: 'selectCoins', inputs: ['values', 'numbers', 'bytes'], answer: 'text' },
  { name: 'selectIndexed', inputs: ['index', 'bytes'], answer: 'text' },
  {
    name: 'selectTransfer',
    inputs: ['values', 'numbers', 'values', 'numbers', 'bytes'],
    answer: 'text',
  },
  { name: 'signHash', inputs: ['hex', 'bytes', 'bytes'], answer: 'text' },
  { name: 'signatureHash', inputs: ['source', 'hex'], answer: 'text' },
  { name: 'signatureHashes', inputs: ['source', 'hex'], answer: 'text' },
  { name: 'signaturePreimage', inputs: ['source', 'hex'], answer: 'text' },
  { name: 'splitScript', inputs: ['hex'], answer: 'text' },
  { name: 'splitTransactions', inputs: ['bytes'], answer: 'text' },
  { name: 'startVerification', inputs: ['source', 'hex'], answer: 'job' },
  { name: 'takeVerification', inputs: ['job'], answer: 'text' },
  { name: 'transactionId', inputs: ['source'], answer: 'text' },
  { name: 'verifyInputs', inputs: ['source', 'hex'], answer: 'text' },
  { name: 'verifySignature', inputs: ['hex'], answer: 'text' },
]
