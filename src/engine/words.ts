// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

/** Where words in and out begin, after the outcome. */
export const resultBase = 4
/** Outcome: the answer is kept until there are as many words as the number says. */
export const needsWords = 0xffffffff
/** Outcome: the caller's mistake that the number says. */
export const misused = 0xfffffffe
/** Of a header's version. */
export const overwinteredFlag = 0x80000000
/** Of a script's digits: it is a scriptSig, of which only the asm is asked. */
export const scriptSigFlag = 0x80000000
/** Of a node's type: only its condition is known. */
export const bareFlag = 0x80000000
/** The length of a node's part that is not there; also no number of elements. */
export const absentLength = 0xffffffff
/** Of a script that pays no condition. */
export const formNone = 0
/** How a tree is written: as its condition. */
export const formCondition = 1
/** As what fulfills it. */
export const formPlain = 2
/** As Tokel's scripts hold it, after an 'N'. */
export const formMixed = 3
/** The same after an 'M': the first threshold inside is its condition. */
export const formMixedHidden = 4
/** Of a verdict: no signature has one, or they differ. */
export const noHashType = 0x100
/** Where there is no limit. */
export const unlimited = 0xffffffff
/** Detail of a transfer that failed at a token coin; 1 at a native one. */
export const errorsInTokens = 0
/** A longer source is refused unread. */
export const sourceBytesMax = 4000000
/** Fewer could not hold the outcome and the words of any call that have a fixed number. */
export const scratchWordsMin = 64

// How many words a record takes.
export const outcomeWords = 4
export const headerWords = 16
export const inputWords = 4
export const outputWords = 4
export const joinSplitWords = 6
export const leadingWords = 1
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

// Where fields are in what is read most; see transaction-lists.ts and tree-lists.ts.
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

/** Messages of argument errors, by the numbers that the engine reports. */
export const misuses: readonly string[] = [
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
  'the scratch does not hold what the call takes',
  'the words do not describe the text',
  'the words hold no condition tree',
  'there is no such form of a condition tree',
  'unknown condition support',
  'there are more coins than 32 bits can number',
  'there are not as many sizes as values',
  'there is no answer to take',
]

/** The numbers by their names. */
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
  nothingKept: 17,
} as const
