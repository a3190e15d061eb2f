// Reads the inputs and outputs of a decoded transaction from the engine's words.

import { values, words } from './call.ts'
import { headerInputs, headerOutputs } from './records.ts'
import {
  headerExpiryHeightWord,
  headerGroupIdWord,
  headerInputsWord,
  headerJoinSplitsWord,
  headerLockTimeWord,
  headerOutputsWord,
  headerShieldedOutputsWord,
  headerSpendsWord,
  headerValueBalanceWord,
  headerVersionWord,
  headerWords,
  inputPrevIndexWord,
  inputScriptLengthWord,
  inputScriptOffsetWord,
  inputSequenceWord,
  inputWords,
  outputScriptLengthWord,
  outputScriptOffsetWord,
  outputWords,
  resultBase,
} from './words.ts'

// Hand-written beside the generated records, because decoding and encoding spend most of their time
// here: with the memory and the positions in local variables they take 3 to 10 % less. The build
// writes the numbers of the words in place of their names, as long as no module imports them as a
// namespace.
interface Input {
  readonly txid: string
  readonly vout: number
  readonly scriptSig: string
  readonly sequence: number
}

interface Output {
  readonly value: bigint
  readonly script: string
}

/** Reads the inputs of the decoded transaction; `txids` has the txids that they spend from. */
export function readInputs(txids: string, hex: string): Input[] {
  const memory = words
  const count = headerInputs()
  const inputs = new Array<Input>(count)
  let word = resultBase + headerWords
  let txid = 0
  for (let index = 0; index < count; index += 1) {
    const script = 2 * memory[word + inputScriptOffsetWord]!
    inputs[index] = {
      txid: txids.slice(txid, txid + 64),
      vout: memory[word + inputPrevIndexWord]!,
      scriptSig: hex.slice(script, script + 2 * memory[word + inputScriptLengthWord]!),
      sequence: memory[word + inputSequenceWord]!,
    }
    word += inputWords
    txid += 64
  }
  return inputs
}

/** Reads the outputs of the decoded transaction. */
export function readOutputs(hex: string): Output[] {
  const memory = words
  const amounts = values
  const count = headerOutputs()
  const outputs = new Array<Output>(count)
  let word = resultBase + headerWords + inputWords * headerInputs()
  for (let index = 0; index < count; index += 1) {
    const script = 2 * memory[word + outputScriptOffsetWord]!
    outputs[index] = {
      value: amounts[word >> 1]!,
      script: hex.slice(script, script + 2 * memory[word + outputScriptLengthWord]!),
    }
    word += outputWords
  }
  return outputs
}

/**
 * Where an encode writes its lists: the engine's memory, or separate memory that is copied there at
 * once.
 */
export interface Memory {
  readonly numbers: Uint32Array
  readonly amounts: BigInt64Array
}

let shared: Memory = { numbers: words, amounts: values }

export function sharedMemory(): Memory {
  if (shared.numbers !== words) shared = { numbers: words, amounts: values }
  return shared
}

/** Allocates separate memory for `count` words after `resultBase`. */
export function ownMemory(count: number): Memory {
  const buffer = new ArrayBuffer(8 * Math.ceil((resultBase + count) / 2))
  return { numbers: new Uint32Array(buffer), amounts: new BigInt64Array(buffer) }
}

/** Copies separate memory into the words that the engine has reserved. */
export function share({ numbers }: Memory): void {
  words.set(numbers)
}

/** The first words of a header; `version` with its flag. */
export function writeHeader(
  { numbers, amounts }: Memory,
  version: number,
  groupId: number,
  lockTime: number,
  expiryHeight: number,
  valueBalance: bigint,
): void {
  numbers[resultBase + headerVersionWord] = version
  numbers[resultBase + headerGroupIdWord] = groupId
  numbers[resultBase + headerLockTimeWord] = lockTime
  numbers[resultBase + headerExpiryHeightWord] = expiryHeight
  amounts[(resultBase + headerValueBalanceWord) >> 1] = valueBalance
}

export function writeCounts(
  numbers: Uint32Array,
  inputs: number,
  outputs: number,
  joinSplits: number,
  spends: number,
  shieldedOutputs: number,
): void {
  numbers[resultBase + headerInputsWord] = inputs
  numbers[resultBase + headerOutputsWord] = outputs
  numbers[resultBase + headerJoinSplitsWord] = joinSplits
  numbers[resultBase + headerSpendsWord] = spends
  numbers[resultBase + headerShieldedOutputsWord] = shieldedOutputs
}

export function writeInput(
  numbers: Uint32Array,
  word: number,
  vout: number,
  sequence: number,
  scriptLength: number,
): void {
  numbers[word + inputPrevIndexWord] = vout
  numbers[word + inputSequenceWord] = sequence
  numbers[word + inputScriptLengthWord] = scriptLength
}

export function writeScriptLength(numbers: Uint32Array, word: number, scriptLength: number): void {
  numbers[word + outputScriptLengthWord] = scriptLength
}

/** Writes `value` at the start of a record; returns whether it fits into signed 64 bits. */
export function writesValue(amounts: BigInt64Array, word: number, value: bigint): boolean {
  amounts[word >> 1] = value
  return amounts[word >> 1] === value
}
