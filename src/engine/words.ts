// Word positions in the scratch. native/core/tx/flat.h and native/addon/instance.h name the same.

/** Outcome words: an error code or `needsWords`, its number, and one word a function may use. */
export const outcomeCode = 0
export const outcomeNumber = 1
export const outcomeDetail = 2

/** Where results start. */
export const resultBase = 4

/** Outcome code: the scratch is too small, and the number says how many words would do. */
export const needsWords = 0xffffffff

export const overwinteredFlag = 0x80000000

// A transaction's header, relative to its start.
export const headerVersion = 0
export const headerGroupId = 1
export const headerLockTime = 2
export const headerExpiryHeight = 3
export const headerValueBalance = 4
export const headerInputs = 6
export const headerOutputs = 7
export const headerJoinSplits = 8
export const headerSpends = 9
export const headerSpendsOffset = 10
export const headerShieldedOutputs = 11
export const headerShieldedOutputsOffset = 12
export const headerJoinSplitKeyOffset = 13
export const headerBindingSigOffset = 14
export const headerWords = 16

// Each input.
export const inputPrevIndex = 0
export const inputSequence = 1
export const inputScriptOffset = 2
export const inputScriptLength = 3
export const inputWords = 4

// Each output; its value takes words 0 and 1.
export const outputScriptOffset = 2
export const outputScriptLength = 3
export const outputWords = 4

// Each JoinSplit; vpub_old takes words 0 and 1, vpub_new 2 and 3.
export const joinSplitRestOffset = 4
export const joinSplitRestLength = 5
export const joinSplitWords = 6

// describeScripts: what goes in, one word a script, and what comes out.
export const scriptSigFlag = 0x80000000
export const scriptType = 0
export const scriptRequiredSignatures = 1
export const scriptDestinations = 2
export const scriptAsmLength = 3
export const scriptWords = 4

// What goes in with a transaction that is signed or verified. Each previous output follows; its
// value takes words 0 and 1.
export const signingHashType = 0
export const signingBranchId = 1
export const signingHasBranchId = 2
export const signingSelector = 3
export const signingPrevouts = 4
export const prevoutScriptLength = 2
export const prevoutWords = 4

// Each verdict on an input.
export const verdictCode = 0
export const verdictScriptType = 1
export const verdictHashType = 2
export const verdictKeys = 3
export const verdictFulfillmentOffset = 4
export const verdictFulfillmentLength = 5
export const verdictWords = 6
export const noHashType = 0x100

// A condition that came out of decodeCondition; its cost takes words 0 and 1.
export const conditionType = 2
export const conditionSubtypes = 3
export const conditionCanonical = 4

// A tree of conditions, in and out: how many nodes, then from `treeNodes` on each of them.
export const treeNodes = 2
export const nodeNumber = 0
export const nodeType = 2
export const nodeThreshold = 3
export const nodeMembers = 4
export const nodeSubtypes = 5
export const nodeValue = 6
export const nodeKeyHash = 8
export const nodeSecond = 10
export const nodeWords = 12

/** Set in a node's type where only its condition is known. */
export const bareFlag = 0x80000000

/** The length of a node's part that is not there. */
export const absentLength = 0xffffffff

// splitScript: how many steps, then from `scriptSteps` on each of them.
export const scriptSteps = 2
export const stepOpcode = 0
export const stepOffset = 1
export const stepLength = 2
export const stepWords = 3

// matchConditionScript.
export const matchFound = 0
export const matchPushedOffset = 1
export const matchPushedLength = 2
export const matchPaymentLength = 3

// readFulfillmentPush.
export const fulfillmentFound = 0
export const fulfillmentOffset = 1
export const fulfillmentLength = 2
export const fulfillmentHashType = 3

// The terms of a selection, in. Those without Word are 64-bit: positions in `values`.
export const termsTarget = 2
export const termsFeeRate = 3
export const termsLongTermRate = 4
export const termsFixedFee = 5
export const termsChangeSpend = 6
export const termsChangeMin = 7
export const termsBaseBytesWord = 16
export const termsChangeBytesWord = 17
export const termsFeeIsFixedWord = 18
export const termsInputsMaxWord = 19
export const termsBytesMaxWord = 20
export const termsTokenChangeBytesWord = 21
export const termsTokenInputsMaxWord = 22
export const termsSweepWord = 23

/** Where there is no limit. */
export const unlimited = 0xffffffff

// A selection, out. What failed is in `outcomeDetail`, as an error number.
export const selectionPickedWord = 3
export const selectionAvailable = 2
export const selectionWaysWord = 6
export const selectionWaysBase = 8
export const wayWords = 10
export const wayMethodWord = 0
export const wayInputsWord = 1
export const wayBytes = 1
export const wayFee = 2
export const wayChange = 3
export const wayWaste = 4

// createCoinIndex, addCoins, removeCoins: what the index then holds.
export const indexSizeWord = 2
export const indexTotal = 2

// A transfer's selection, out. `outcomeDetail` of an error tells whose coins it is about.
export const errorInTokens = 0
export const transferCoinsWord = 6
export const transferStepsWord = 7
export const transferTokenChange = 4
export const transferChange = 5
export const transferFee = 6
export const transferBytes = 7
export const transferStepsBase = 16
export const planStepWords = 8
export const planStepTokensWord = 0
export const planStepStepsWord = 1
export const planStepAmount = 1
export const planStepBytes = 2
export const planStepFee = 3
