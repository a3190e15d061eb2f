// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

import { values, words } from './call.ts'

// `at` is the first word of a record, where there may be several records.

// A transaction; its inputs, outputs and JoinSplits follow.
export const headerVersion = (): number => words[4]!
export const headerGroupId = (): number => words[5]!
export const headerLockTime = (): number => words[6]!
export const headerExpiryHeight = (): number => words[7]!
export const headerValueBalance = (): bigint => ((words[8]! | words[9]!) === 0 ? 0n : values[4]!)
export const headerInputs = (): number => words[10]!
export const headerOutputs = (): number => words[11]!
export const headerJoinSplits = (): number => words[12]!
export const headerSpends = (): number => words[13]!
export const headerSpendsOffset = (): number => words[14]!
export const headerShieldedOutputs = (): number => words[15]!
export const headerShieldedOutputsOffset = (): number => words[16]!
export const headerJoinSplitKeyOffset = (): number => words[17]!
export const headerBindingSigOffset = (): number => words[18]!

// A JoinSplit of a transaction; the rest is all bytes after the two amounts.
export const joinSplitVpubOld = (at: number): bigint => values[at >> 1]!
export const joinSplitVpubNew = (at: number): bigint => values[(at + 2) >> 1]!
export const joinSplitRestOffset = (at: number): number => words[at + 4]!
export const joinSplitRestLength = (at: number): number => words[at + 5]!

// The length of the transaction that a source starts with, in bytes.
export const leadingBytes = (): number => words[4]!

/** How many headers to read, 0 for all, and how their proof of work is checked, n 0 for not at all. */
export interface BlockReading {
  readonly countMax: number
  readonly n: number
  readonly k: number
  readonly leaves: number
}

export function writeBlockReading(fields: BlockReading): void {
  words[4] = fields.countMax
  words[5] = fields.n
  words[6] = fields.k
  words[7] = fields.leaves
}

// Headers that were read, and the bytes they have together; each header follows.
export const blockHeadersCount = (): number => words[4]!
export const blockHeadersBytes = (): number => words[5]!

// The header of a block. Its text is the hash, the previous hash, the two roots and the nonce, in display order, and the solution.
export const blockHeaderVersion = (at: number): number => words[at]!
export const blockHeaderTime = (at: number): number => words[at + 1]!
export const blockHeaderBits = (at: number): number => words[at + 2]!
export const blockHeaderLength = (at: number): number => words[at + 3]!
export const blockHeaderSolutionLength = (at: number): number => words[at + 4]!
export const blockHeaderEquihash = (at: number): number => words[at + 5]!

/** The number of transactions that follow each other. */
export interface CountedTransactions {
  readonly count: number
}

export function writeCountedTransactions(fields: CountedTransactions): void {
  words[4] = fields.count
}

// The length of one transaction, in bytes.
export const splitTransactionBytes = (at: number): number => words[at]!

/** The form of the answers to lines, one of those below. */
export interface Lines {
  readonly form: number
}

export function writeLines(fields: Lines): void {
  words[4] = fields.form
}

// The bytes that were read, whole lines, and the number of lines without an answer; each of these follows.
export const answeredLinesBytes = (): number => words[4]!
export const answeredLinesCount = (): number => words[5]!
export const answeredLinesLeft = (): number => words[6]!

// A line without an answer: its place in the bytes, and the place in the text where its answer belongs.
export const leftLineStart = (at: number): number => words[at]!
export const leftLineLength = (at: number): number => words[at + 1]!
export const leftLinePosition = (at: number): number => words[at + 2]!

/** Scripts to describe; the digits of each follow, a word each. */
export interface Scripts {
  readonly count: number
  readonly support: number
  readonly showsHashTypes: number
}

export function writeScripts(fields: Scripts): void {
  words[4] = fields.count
  words[5] = fields.support
  words[6] = fields.showsHashTypes
}

/** One script among many in one text. */
export interface ScriptText {
  readonly digits: number
}

export function writeScriptText(at: number, fields: ScriptText): void {
  words[at] = fields.digits
}

// The description of one script; its text is the asm, then the hashes it pays.
export const scriptType = (at: number): number => words[at]!
export const scriptRequiredSignatures = (at: number): number => words[at + 1]!
export const scriptDestinations = (at: number): number => words[at + 2]!
export const scriptAsmLength = (at: number): number => words[at + 3]!

/** Scripts to read; the digits of each follow, a word each. */
export interface ConditionScripts {
  readonly count: number
  readonly support: number
}

export function writeConditionScripts(fields: ConditionScripts): void {
  words[4] = fields.count
  words[5] = fields.support
}

// The condition that a script pays; its fingerprint is next in the text. Its nodes follow, then the data that the script pushes and drops, then the elements that the first of these data pushes.
export const conditionScriptCost = (at: number): bigint => BigInt.asUintN(64, values[at >> 1]!)
export const conditionScriptForm = (at: number): number => words[at + 2]!
export const conditionScriptType = (at: number): number => words[at + 3]!
export const conditionScriptSubtypes = (at: number): number => words[at + 4]!
export const conditionScriptCanonical = (at: number): number => words[at + 5]!
export const conditionScriptNodes = (at: number): number => words[at + 6]!
export const conditionScriptDropped = (at: number): number => words[at + 7]!
export const conditionScriptElements = (at: number): number => words[at + 8]!

/** scriptSigs to read; the digits of each follow, a word each. */
export interface ScriptSigs {
  readonly count: number
}

export function writeScriptSigs(fields: ScriptSigs): void {
  words[4] = fields.count
}

// The fulfillment that a scriptSig pushes, and its place; its nodes follow, none if there is no fulfillment.
export const scriptSigNodes = (at: number): number => words[at]!
export const scriptSigOffset = (at: number): number => words[at + 1]!
export const scriptSigLength = (at: number): number => words[at + 2]!
export const scriptSigHashType = (at: number): number => words[at + 3]!

// A script; its steps follow.
export const stepsCount = (): number => words[4]!

// An opcode and the data that it pushes.
export const stepOpcode = (at: number): number => words[at]!
export const stepOffset = (at: number): number => words[at + 1]!
export const stepLength = (at: number): number => words[at + 2]!

/** The terms under which a transaction is signed or verified; previous outputs follow. */
export interface Signing {
  readonly hashType: number
  readonly branchId: number
  readonly hasBranchId: number
  readonly selector: number
  readonly prevouts: number
}

export function writeSigning(fields: Signing): void {
  words[4] = fields.hashType
  words[5] = fields.branchId
  words[6] = fields.hasBranchId
  words[7] = fields.selector
  words[8] = fields.prevouts
}

/** An output that is spent; its script is next in the scripts' text. */
export interface Prevout {
  readonly value: bigint
  readonly scriptDigits: number
}

export function writePrevout(at: number, fields: Prevout): void {
  values[at >> 1] = fields.value
  words[at + 2] = fields.scriptDigits
}

// The verdict on one input; the keys that signed it are next in the text.
export const verdictCode = (at: number): number => words[at]!
export const verdictScriptType = (at: number): number => words[at + 1]!
export const verdictHashType = (at: number): number => words[at + 2]!
export const verdictKeys = (at: number): number => words[at + 3]!
export const verdictFulfillmentOffset = (at: number): number => words[at + 4]!
export const verdictFulfillmentLength = (at: number): number => words[at + 5]!

/** The layout of hash, key and signature in one text. */
export interface Signature {
  readonly keyBytes: number
  readonly isDer: number
}

export function writeSignature(fields: Signature): void {
  words[4] = fields.keyBytes
  words[5] = fields.isDer
}

/** The number of the key among up to four with which a signature verifies: 0 to 3. */
export interface Recovery {
  readonly number: number
}

export function writeRecovery(fields: Recovery): void {
  words[4] = fields.number
}

// The number of the error that a signature has, or 0.
export const findingCode = (): number => words[4]!

// The number of the error that a key has, or 0.
export const publicKeyCode = (at: number): number => words[at]!

/** The rules by which a condition is read. */
export interface Reading {
  readonly asDaemon: number
}

export function writeReading(fields: Reading): void {
  words[4] = fields.asDaemon
}

/** The form in which a fulfillment is read, and how strictly. */
export interface Fulfillment {
  readonly isMixed: number
  readonly checksKeys: number
}

export function writeFulfillment(fields: Fulfillment): void {
  words[4] = fields.isMixed
  words[5] = fields.checksKeys
}

// The contents of a condition.
export const conditionCost = (): bigint => BigInt.asUintN(64, values[2]!)
export const conditionType = (): number => words[6]!
export const conditionSubtypes = (): number => words[7]!
export const conditionCanonical = (): number => words[8]!

/** Trees to encode; each of them follows. */
export interface Trees {
  readonly count: number
}

export function writeTrees(fields: Trees): void {
  words[4] = fields.count
}

/** A tree of conditions; its nodes follow, each before its members. */
export interface Tree {
  readonly nodes: number
  readonly form: number
}

export function writeTree(at: number, fields: Tree): void {
  words[at] = fields.nodes
  words[at + 1] = fields.form
}

// One encoded tree among many in one text.
export const encodedDigits = (at: number): number => words[at]!

// A condition of a tree; tree-lists.ts writes the same for a tree to encode. Second is a signature, or the parameter of an eval.
export const nodeNumber = (at: number): bigint => BigInt.asUintN(64, values[at >> 1]!)
export const nodeType = (at: number): number => words[at + 2]!
export const nodeThreshold = (at: number): number => words[at + 3]!
export const nodeMembers = (at: number): number => words[at + 4]!
export const nodeSubtypes = (at: number): number => words[at + 5]!
export const nodeValueOffset = (at: number): number => words[at + 6]!
export const nodeValueLength = (at: number): number => words[at + 7]!
export const nodeKeyHashOffset = (at: number): number => words[at + 8]!
export const nodeKeyHashLength = (at: number): number => words[at + 9]!
export const nodeSecondOffset = (at: number): number => words[at + 10]!
export const nodeSecondLength = (at: number): number => words[at + 11]!

/** The terms of a payment or a transfer. Input bytes apply to coins without sizes of their own. */
export interface Terms {
  readonly target: bigint
  readonly feeRate: bigint
  readonly longTermRate: bigint
  readonly fixedFee: bigint
  readonly changeSpend: bigint
  readonly changeMin: bigint
  readonly baseBytes: number
  readonly changeBytes: number
  readonly feeIsFixed: number
  readonly inputsMax: number
  readonly bytesMax: number
  readonly inputBytes: number
  readonly tokenInputBytes: number
  readonly tokenChangeBytes: number
  readonly tokenInputsMax: number
  readonly sweep: number
}

export function writeTerms(fields: Terms): void {
  values[2] = fields.target
  values[3] = fields.feeRate
  values[4] = fields.longTermRate
  values[5] = fields.fixedFee
  values[6] = fields.changeSpend
  values[7] = fields.changeMin
  words[16] = fields.baseBytes
  words[17] = fields.changeBytes
  words[18] = fields.feeIsFixed
  words[19] = fields.inputsMax
  words[20] = fields.bytesMax
  words[21] = fields.inputBytes
  words[22] = fields.tokenInputBytes
  words[23] = fields.tokenChangeBytes
  words[24] = fields.tokenInputsMax
  words[25] = fields.sweep
}

// The outcome of choosing coins; the ways that were compared follow, then the picked coins.
export const selectionFailure = (): number => words[4]!
export const selectionPicked = (): number => words[5]!
export const selectionAvailable = (): bigint => ((words[6]! | words[7]!) === 0 ? 0n : values[3]!)
export const selectionWays = (): number => words[8]!

// One way to pay that was compared.
export const wayMethod = (at: number): number => words[at]!
export const wayInputs = (at: number): number => words[at + 1]!
export const wayBytes = (at: number): bigint => values[(at + 2) >> 1]!
export const wayFee = (at: number): bigint => values[(at + 4) >> 1]!
export const wayChange = (at: number): bigint => values[(at + 6) >> 1]!
export const wayWaste = (at: number): bigint => values[(at + 8) >> 1]!

// The outcome of choosing tokens and coins; steps follow, then the picked tokens, the picked coins, and the tokens of each step.
export const transferFailure = (): number => words[4]!
export const transferTokens = (): number => words[5]!
export const transferAvailable = (): bigint => ((words[6]! | words[7]!) === 0 ? 0n : values[3]!)
export const transferCoins = (): number => words[8]!
export const transferSteps = (): number => words[9]!
export const transferTokenChange = (): bigint => ((words[10]! | words[11]!) === 0 ? 0n : values[5]!)
export const transferChange = (): bigint => ((words[12]! | words[13]!) === 0 ? 0n : values[6]!)
export const transferFee = (): bigint => ((words[14]! | words[15]!) === 0 ? 0n : values[7]!)
export const transferBytes = (): bigint => ((words[16]! | words[17]!) === 0 ? 0n : values[8]!)

// A transaction that merges tokens first.
export const planStepTokens = (at: number): number => words[at]!
export const planStepSteps = (at: number): number => words[at + 1]!
export const planStepAmount = (at: number): bigint => values[(at + 2) >> 1]!
export const planStepBytes = (at: number): bigint => values[(at + 4) >> 1]!
export const planStepFee = (at: number): bigint => values[(at + 6) >> 1]!

/** The size of coins without sizes of their own. */
export interface Sizes {
  readonly inputBytes: number
}

export function writeSizes(fields: Sizes): void {
  words[4] = fields.inputBytes
}

// The contents of an index of coins.
export const holdingSize = (): number => words[4]!
export const holdingFirstId = (): number => words[5]!
export const holdingTotal = (): bigint => ((words[6]! | words[7]!) === 0 ? 0n : values[3]!)
