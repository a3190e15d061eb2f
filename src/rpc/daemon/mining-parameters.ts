// Parameters of methods for miners, by the wire's names.

export interface GetBlockTemplateParams {
  readonly jsonrequestobject?: BlockTemplateRequest
}

export interface BlockTemplateRequest {
  /** `disablecb` puts the coinbase among the transactions; default `template`. */
  readonly mode?: 'template' | 'disablecb'
  readonly capabilities?: readonly string[]
  /** The `longpollid` of an earlier answer: the daemon answers when the template changes. */
  readonly longpollid?: string
}

export interface SubmitBlockParams {
  /** The whole block, hex. */
  readonly hexdata: string
  readonly jsonparametersobject?: { readonly workid?: string }
}

export interface PrioritiseTransactionParams {
  readonly txid: string
  /** Added to the priority. Current daemons have no priorities, and ignore it. */
  readonly priority_delta: number
  /** Satoshis that the daemon adds to the fee when it compares transactions; may be negative. */
  readonly fee_delta: bigint
}

export interface MinerIdsParams {
  /** The last of the blocks that are counted; 0 for the tip. */
  readonly height: number
}
