// The methods for miners: templates of blocks, blocks, and the order of transactions.

import { flag as anyFlag } from '../fields.ts'
import { measure, signedSatoshis } from './coin-parameter.ts'
import type * as params from './mining-parameters.ts'
import * as results from './mining-results.ts'
import { bytes, hash, json, optional } from './parameter.ts'
import { type Rows, row } from './row.ts'
import { heightText } from './text-parameter.ts'

export interface MiningMethods {
  /** A block to solve. Its amounts are satoshis. */
  getblocktemplate: { params: params.GetBlockTemplateParams; result: results.BlockTemplate }
  /** Submits a block. Returns `null` if the daemon accepts it, otherwise a word for the reason. */
  submitblock: { params: params.SubmitBlockParams; result: string | null }
  /** Makes the daemon treat a transaction as if it paid a higher or a lower fee. */
  prioritisetransaction: { params: params.PrioritiseTransactionParams; result: boolean }
  /** Counts the blocks of each notary and of all others, in the 2,000 blocks up to a height. */
  minerids: { params: params.MinerIdsParams; result: results.MinerIds }
}

export const miningMethods: Rows<MiningMethods> = {
  getblocktemplate: row('read', 'list', results.blockTemplate, {
    jsonrequestobject: optional(json),
  }),
  submitblock: row('other', 'scalar', results.blockRefusal, {
    hexdata: bytes,
    jsonparametersobject: optional(json),
  }),
  prioritisetransaction: row('other', 'scalar', anyFlag, {
    txid: hash,
    priority_delta: measure,
    fee_delta: signedSatoshis,
  }),
  minerids: row('read', 'object', results.minerIds, { height: heightText }),
}
