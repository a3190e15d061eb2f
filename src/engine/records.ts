// Made by scripts/generate-seam.mjs from native/seam/seam.def. Do not edit.

import { values, words } from './call.ts'

// `at` is the first word of a record, where there may be several records.

// A transaction; its inputs, outputs and JoinSplits follow.
export function headerVersion(): number {
  return words[4]!
}
export function headerGroupId(): number {
  return words[5]!
}
export function headerLockTime(): number {
  return words[6]!
}
export function headerExpiryHeight(): number {
  return words[7]!
}
export function headerValueBalance(): bigint {
  return (words[8]! | words[9]!) === 0 ? 0n : values[4]!
}
export function headerInputs(): number {
  return words[10]!
}
export function headerOutputs(): number {
  return words[11]!
}
export function headerJoinSplits(): number {
  return words[12]!
}
export function headerSpends(): number {
  return words[13]!
}
export function headerSpendsOffset(): number {
  return words[14]!
}
export function headerShieldedOutputs(): number {
  return words[15]!
}
export function headerShieldedOutputsOffset(): number {
  return words[16]!
}
export function headerJoinSplitKeyOffset(): number {
  return words[17]!
}
export function headerBindingSigOffset(): number {
  return words[18]!
}

// An input of a transaction.
export function inputPrevIndex(at: number): number {
  return words[at]!
}
export function inputSequence(at: number): number {
  return words[at + 1]!
}
export function inputScriptOffset(at: number): number {
  return words[at + 2]!
}
export function inputScriptLength(at: number): number {
  return words[at + 3]!
}

// An output of a transaction.
export function outputValue(at: number): bigint {
  return values[at >> 1]!
}
export function outputScriptOffset(at: number): number {
  return words[at + 2]!
}
export function outputScriptLength(at: number): number {
  return words[at + 3]!
}

// A JoinSplit of a transaction; the rest is all bytes after the two amounts.
export function joinSplitVpubOld(at: number): bigint {
  return values[at >> 1]!
}
export function joinSplitVpubNew(at: number): bigint {
  return values[(at + 2) >> 1]!
}
export function joinSplitRestOffset(at: number): number {
  return words[at + 4]!
}
export function joinSplitRestLength(at: number): number {
  return words[at + 5]!
}

// The length of the transaction that a source starts with, in bytes.
export function leadingBytes(): number {
  return words[4]!
}

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
export function blockHeadersCount(): number {
  return words[4]!
}
export function blockHeadersBytes(): number {
  return words[5]!
}

// The header of a block. Its text is the hash, the previous hash, the two roots and the nonce, in display order, and the solution.
export function blockHeaderVersion(at: number): number {
  return words[at]!
}
export function blockHeaderTime(at: number): number {
  return words[at + 1]!
}
export function blockHeaderBits(at: number): number {
  return words[at + 2]!
}
export function blockHeaderLength(at: number): number {
  return words[at + 3]!
}
export function blockHeaderSolutionLength(at: number): number {
  return words[at + 4]!
}
export function blockHeaderEquihash(at: number): number {
  return words[at + 5]!
}

/** The number of transactions that follow each other. */
export interface CountedTransactions {
  readonly count: number
}

export function writeCountedTransactions(fields: CountedTransactions): void {
  words[4] = fields.count
}

// The length of one transaction, in bytes.
export function splitTransactionBytes(at: number): number {
  return words[at]!
}

/** The form of the answers to lines, one of those below. */
export interface Lines {
  readonly form: number
}

export function writeLines(fields: Lines): void {
  words[4] = fields.form
}

// The bytes that were read, whole lines, and the number of lines without an answer; each of these follows.
export function answeredLinesBytes(): number {
  return words[4]!
}
export function answeredLinesCount(): number {
  return words[5]!
}
export function answeredLinesLeft(): number {
  return words[6]!
}

// A line without an answer: its place in the bytes, and the place in the text where its answer belongs.
export function leftLineStart(at: number): number {
  return words[at]!
}
export function leftLineLength(at: number): number {
  return words[at + 1]!
}
export function leftLinePosition(at: number): number {
  return words[at + 2]!
}

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
export function scriptType(at: number): number {
  return words[at]!
}
export function scriptRequiredSignatures(at: number): number {
  return words[at + 1]!
}
export function scriptDestinations(at: number): number {
  return words[at + 2]!
}
export function scriptAsmLength(at: number): number {
  return words[at + 3]!
}

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
export function conditionScriptCost(at: number): bigint {
  return BigInt.asUintN(64, values[at >> 1]!)
}
export function conditionScriptForm(at: number): number {
  return words[at + 2]!
}
export function conditionScriptType(at: number): number {
  return words[at + 3]!
}
export function conditionScriptSubtypes(at: number): number {
  return words[at + 4]!
}
export function conditionScriptCanonical(at: number): number {
  return words[at + 5]!
}
export function conditionScriptNodes(at: number): number {
  return words[at + 6]!
}
export function conditionScriptDropped(at: number): number {
  return words[at + 7]!
}
export function conditionScriptElements(at: number): number {
  return words[at + 8]!
}

/** scriptSigs to read; the digits of each follow, a word each. */
export interface ScriptSigs {
  readonly count: number
}

export function writeScriptSigs(fields: ScriptSigs): void {
  words[4] = fields.count
}

// The fulfillment that a scriptSig pushes, and its place; its nodes follow, none if there is no fulfillment.
export function scriptSigNodes(at: number): number {
  return words[at]!
}
export function scriptSigOffset(at: number): number {
  return words[at + 1]!
}
export function scriptSigLength(at: number): number {
  return words[at + 2]!
}
export function scriptSigHashType(at: number): number {
  return words[at + 3]!
}

// A script; its steps follow.
export function stepsCount(): number {
  return words[4]!
}

// An opcode and the data that it pushes.
export function stepOpcode(at: number): number {
  return words[at]!
}
export function stepOffset(at: number): number {
  return words[at + 1]!
}
export function stepLength(at: number): number {
  return words[at + 2]!
}

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
export function verdictCode(at: number): number {
  return words[at]!
}
export function verdictScriptType(at: number): number {
  return words[at + 1]!
}
export function verdictHashType(at: number): number {
  return words[at + 2]!
}
export function verdictKeys(at: number): number {
  return words[at + 3]!
}
export function verdictFulfillmentOffset(at: number): number {
  return words[at + 4]!
}
export function verdictFulfillmentLength(at: number): number {
  return words[at + 5]!
}

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
export function findingCode(): number {
  return words[4]!
}

// The number of the error that a key has, or 0.
export function publicKeyCode(at: number): number {
  return words[at]!
}

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
export function conditionCost(): bigint {
  return BigInt.asUintN(64, values[2]!)
}
export function conditionType(): number {
  return words[6]!
}
export function conditionSubtypes(): number {
  return words[7]!
}
export function conditionCanonical(): number {
  return words[8]!
}

/** Trees to encode; each of them follows. */
export interface Trees {
  readonly count: number
}

export function writeTrees(fields: Trees): void {
  words[4] = fields.count
}

// A tree of conditions; its nodes follow, each before its members.
export function treeNodes(at: number): number {
  return words[at]!
}
export function treeForm(at: number): number {
  return words[at + 1]!
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
export function encodedDigits(at: number): number {
  return words[at]!
}

// A condition of a tree; tree-lists.ts writes the same for a tree to encode. Second is a signature, or the parameter of an eval.
export function nodeNumber(at: number): bigint {
  return BigInt.asUintN(64, values[at >> 1]!)
}
export function nodeType(at: number): number {
  return words[at + 2]!
}
export function nodeThreshold(at: number): number {
  return words[at + 3]!
}
export function nodeMembers(at: number): number {
  return words[at + 4]!
}
export function nodeSubtypes(at: number): number {
  return words[at + 5]!
}
export function nodeValueOffset(at: number): number {
  return words[at + 6]!
}
export function nodeValueLength(at: number): number {
  return words[at + 7]!
}
export function nodeKeyHashOffset(at: number): number {
  return words[at + 8]!
}
export function nodeKeyHashLength(at: number): number {
  return words[at + 9]!
}
export function nodeSecondOffset(at: number): number {
  return words[at + 10]!
}
export function nodeSecondLength(at: number): number {
  return words[at + 11]!
}

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
export function selectionFailure(): number {
  return words[4]!
}
export function selectionPicked(): number {
  return words[5]!
}
export function selectionAvailable(): bigint {
  return (words[6]! | words[7]!) === 0 ? 0n : values[3]!
}
export function selectionWays(): number {
  return words[8]!
}

// One way to pay that was compared.
export function wayMethod(at: number): number {
  return words[at]!
}
export function wayInputs(at: number): number {
  return words[at + 1]!
}
export function wayBytes(at: number): bigint {
  return values[(at + 2) >> 1]!
}
export function wayFee(at: number): bigint {
  return values[(at + 4) >> 1]!
}
export function wayChange(at: number): bigint {
  return values[(at + 6) >> 1]!
}
export function wayWaste(at: number): bigint {
  return values[(at + 8) >> 1]!
}

// The outcome of choosing tokens and coins; steps follow, then the picked tokens, the picked coins, and the tokens of each step.
export function transferFailure(): number {
  return words[4]!
}
export function transferTokens(): number {
  return words[5]!
}
export function transferAvailable(): bigint {
  return (words[6]! | words[7]!) === 0 ? 0n : values[3]!
}
export function transferCoins(): number {
  return words[8]!
}
export function transferSteps(): number {
  return words[9]!
}
export function transferTokenChange(): bigint {
  return (words[10]! | words[11]!) === 0 ? 0n : values[5]!
}
export function transferChange(): bigint {
  return (words[12]! | words[13]!) === 0 ? 0n : values[6]!
}
export function transferFee(): bigint {
  return (words[14]! | words[15]!) === 0 ? 0n : values[7]!
}
export function transferBytes(): bigint {
  return (words[16]! | words[17]!) === 0 ? 0n : values[8]!
}

// A transaction that merges tokens first.
export function planStepTokens(at: number): number {
  return words[at]!
}
export function planStepSteps(at: number): number {
  return words[at + 1]!
}
export function planStepAmount(at: number): bigint {
  return values[(at + 2) >> 1]!
}
export function planStepBytes(at: number): bigint {
  return values[(at + 4) >> 1]!
}
export function planStepFee(at: number): bigint {
  return values[(at + 6) >> 1]!
}

/** The size of coins without sizes of their own. */
export interface Sizes {
  readonly inputBytes: number
}

export function writeSizes(fields: Sizes): void {
  words[4] = fields.inputBytes
}

// The contents of an index of coins.
export function holdingSize(): number {
  return words[4]!
}
export function holdingFirstId(): number {
  return words[5]!
}
export function holdingTotal(): bigint {
  return (words[6]! | words[7]!) === 0 ? 0n : values[3]!
}
