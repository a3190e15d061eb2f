// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

/** Position of the first input word and answer word, after the outcome. */
export const resultBase = 4
/** Outcome: the answer is kept until the scratch has the number of words that follows. */
export const needsWords = 0xffffffff
/** Outcome: the caller passed a wrong argument; the number that follows says which error. */
export const argumentError = 0xfffffffe
/** Flag in a header's version. */
export const overwinteredFlag = 0x80000000
/** Flag in a script's digits: the script is a scriptSig, and only its asm is wanted. */
export const scriptSigFlag = 0x80000000
/** Flag in a node's type: only the condition of the node is known. */
export const bareFlag = 0x80000000
/** Length of a node's part that is absent; also a number of elements that is absent. */
export const absentLength = 0xffffffff
/** Form of a script that pays no condition. */
export const formNone = 0
/** Form of a tree that is written as its condition. */
export const formCondition = 1
/** Form of a tree that is written as its fulfillment. */
export const formPlain = 2
/** Form of a tree that Tokel's scripts hold after an 'N'. */
export const formMixed = 3
/** Form of a tree that Tokel's scripts hold after an 'M': the first threshold inside is written as its condition. */
export const formMixedHidden = 4
/** Form of an answer: the txid of the line's transaction. */
export const linesTxid = 0
/** Form of an answer: the members of the line's transaction. */
export const linesFields = 1
/** No more lines are read once the text has this many characters: longer strings cost V8 new pages of memory, each time. */
export const linesTextEnough = 0x10000
/** Hash type of a verdict whose signatures have none, or different ones. */
export const noHashType = 0x100
/** Limit that nothing exceeds. */
export const unlimited = 0xffffffff
/** Detail of a transfer that failed at a token coin; 1 stands for a native coin. */
export const errorsInTokens = 0
/** Longer sources are refused unread. */
export const sourceBytesMax = 4000000
/** Fewer words could not hold the outcome and the fixed words of every call. */
export const scratchWordsMin = 64

// Sizes of the records, in words.
export const outcomeWords = 4
export const headerWords = 16
export const inputWords = 4
export const outputWords = 4
export const joinSplitWords = 6
export const leadingWords = 1
export const blockReadingWords = 4
export const blockHeadersWords = 2
export const blockHeaderWords = 6
export const countedTransactionsWords = 1
export const splitTransactionWords = 1
export const linesWords = 1
export const answeredLinesWords = 4
export const leftLineWords = 4
export const scriptsWords = 4
export const scriptTextWords = 1
export const scriptWords = 4
export const conditionScriptsWords = 2
export const conditionScriptWords = 10
export const scriptSigsWords = 1
export const scriptSigWords = 4
export const stepsWords = 1
export const stepWords = 4
export const signingWords = 6
export const prevoutWords = 4
export const verdictWords = 6
export const signatureWords = 2
export const recoveryWords = 1
export const findingWords = 1
export const publicKeyWords = 1
export const readingWords = 1
export const fulfillmentWords = 2
export const conditionWords = 6
export const treesWords = 2
export const treeWords = 2
export const encodedWords = 1
export const nodeWords = 12
export const termsWords = 22
export const selectionWords = 6
export const wayWords = 10
export const transferWords = 14
export const planStepWords = 8
export const sizesWords = 1
export const holdingWords = 4

// Positions of the fields that are read most; see transaction-lists.ts and tree-lists.ts.
export const headerVersionWord = 0
export const headerGroupIdWord = 1
export const headerLockTimeWord = 2
export const headerExpiryHeightWord = 3
export const headerValueBalanceWord = 4
export const headerInputsWord = 6
export const headerOutputsWord = 7
export const headerJoinSplitsWord = 8
export const headerSpendsWord = 9
export const headerSpendsOffsetWord = 10
export const headerShieldedOutputsWord = 11
export const headerShieldedOutputsOffsetWord = 12
export const headerJoinSplitKeyOffsetWord = 13
export const headerBindingSigOffsetWord = 14
export const inputPrevIndexWord = 0
export const inputSequenceWord = 1
export const inputScriptOffsetWord = 2
export const inputScriptLengthWord = 3
export const outputValueWord = 0
export const outputScriptOffsetWord = 2
export const outputScriptLengthWord = 3
export const nodeNumberWord = 0
export const nodeTypeWord = 2
export const nodeThresholdWord = 3
export const nodeMembersWord = 4
export const nodeSubtypesWord = 5
export const nodeValueOffsetWord = 6
export const nodeValueLengthWord = 7
export const nodeKeyHashOffsetWord = 8
export const nodeKeyHashLengthWord = 9
export const nodeSecondOffsetWord = 10
export const nodeSecondLengthWord = 11

/** Messages of TypeErrors, by the numbers that the engine reports. */
export const argumentErrors: readonly string[] = [
  'expected hex or a Uint8Array',
  'expected hex',
  'expected a Uint8Array',
  'expected a BigInt64Array',
  'expected a Uint32Array',
  'expected an index of coins',
  'expected a verification',
  'memory shared between threads is not accepted',
  "the array's memory is detached",
  "the array's memory is not aligned to its elements",
  'the scratch is too small for the words of the call',
  'the words do not describe the text',
  'the words hold no condition tree',
  'unknown form of a condition tree',
  'unknown condition support',
  'more coins than 32 bits can number',
  'expected one size for each value',
  'expected 32 bytes',
  'private keys do not enter WebAssembly',
  'unknown parameters of Equihash',
  'unknown form of answers to lines',
  'expected a number from 0 to 3',
  'no answer was kept',
]

/** Numbers of argument errors, by name. */
export const argumentErrorNumbers = {
  expectedSource: 0,
  expectedHex: 1,
  expectedBytes: 2,
  expectedValues: 3,
  expectedNumbers: 4,
  expectedIndex: 5,
  expectedJob: 6,
  memoryShared: 7,
  memoryDetached: 8,
  memoryMisaligned: 9,
  wordsBeyondScratch: 10,
  wordsBeyondText: 11,
  unknownConditionType: 12,
  unknownConditionForm: 13,
  unknownConditionSupport: 14,
  coinsBeyond32Bits: 15,
  sizesUnlikeValues: 16,
  expected32Bytes: 17,
  keysStayOutside: 18,
  unknownEquihash: 19,
  unknownLines: 20,
  unknownRecovery: 21,
  nothingKept: 22,
} as const
