// The methods that make, fund and sign transactions, and send none.

import type * as params from './chain-parameters.ts'
import { keyCount, rawInputs, rawOutputs, spentOutputs } from './coin-parameter.ts'
import { bytes, optional, text, texts, uint32 } from './parameter.ts'
import * as results from './raw-results.ts'
import { type Rows, row } from './row.ts'
import { type ScriptReply, script } from './script-results.ts'
import { usableHex } from './transaction-results.ts'

export interface RawMethods {
  /** Hex of an unsigned transaction with these inputs and outputs. Verify it all the same. */
  createrawtransaction: { params: params.CreateRawTransactionParams; result: string }
  /**
   * Adds inputs and change of the wallet. The daemon reserves nothing: two calls may choose the same
   * coins.
   */
  fundrawtransaction: {
    params: params.FundRawTransactionParams
    result: results.FundedTransaction
  }
  /** Signs inputs by keys of the wallet, or by given ones. Prefer `payCoins` for a payment. */
  signrawtransaction: {
    params: params.SignRawTransactionParams
    result: results.SignedTransaction
  }
  decodescript: { params: params.DecodeScriptParams; result: ScriptReply }
  createmultisig: { params: params.CreateMultisigParams; result: results.MultisigReply }
  /** The answer that `sendrawtransaction` would give. The development node has it; komodod has not. */
  testmempoolaccept: {
    params: params.TestMempoolAcceptParams
    result: results.AcceptanceVerdict | readonly results.AcceptanceVerdict[]
  }
}

export const rawMethods: Rows<RawMethods> = {
  createrawtransaction: row('read', 'transaction', usableHex, {
    inputs: rawInputs,
    outputs: rawOutputs,
    locktime: optional(uint32, 0),
    expiryheight: optional(uint32),
  }),
  fundrawtransaction: row('read', 'transaction', results.fundedTransaction, { hex: bytes }),
  signrawtransaction: row('read', 'built', results.signedTransaction, {
    hex: bytes,
    prevtxs: optional(spentOutputs, null),
    privkeys: optional(texts, null),
    sighashtype: optional(text),
  }),
  decodescript: row('read', 'object', script, { hex: bytes }),
  createmultisig: row('read', 'scalar', results.multisig, {
    nrequired: keyCount,
    keys: texts,
  }),
  testmempoolaccept: row('read', 'object', results.acceptance, { rawtxs: texts }),
}
