import { values, words } from './call.ts'
import { headerInputs, headerOutputs } from './records.ts'
import * as at from './words.ts'

// By hand beside the generated readers, because a decode is mostly this: with the memory and the
// positions in variables of its own it takes 3 to 5 % less. Of this module, because V8 folds no
// constant that is imported.
const {
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
} = at

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

/** The inputs of the transaction that was decoded; `txids` are those that they spend from. */
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

/** The outputs of the transaction that was decoded. */
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
