// Checks requests for transfers before any transaction is read.

import { isCompressedKey } from '../primitives/hex-forms.ts'
import { holderOf } from '../request/holders.ts'
import { requireIntent } from '../request/members.ts'
import { problemFindings } from '../request/problem.ts'
import { checkTerms, type ReadyTerms } from '../request/terms.ts'
import { recipientsOf, type TransferIntent, transferForms } from '../request/transfer.ts'
import { transferProblems } from '../request/transfer-problems.ts'
import { learnPublicKeys } from '../script/public-key.ts'
import { lowerCased } from '../token/rules/key-set.ts'
import type { Holder } from '../token/rules/rules.ts'
import type { Checked } from './check-intent.ts'

/** A requested transfer, normalized: keys in lower case, and every default filled in. */
export interface ReadyTransfer {
  readonly tokenid: string
  readonly recipients: readonly ReadyRecipient[]
  readonly from: string
  /** The owner of the inputs, who also gets the change. */
  readonly owner: Holder
  /** Where outputs name their token themselves: all of them. */
  readonly tokenids?: readonly string[] | undefined
  readonly terms: ReadyTerms
}

interface ReadyRecipient {
  readonly holder: Holder
  readonly amount: bigint
}

/** @throws {TypeError} for members of the wrong type; wrong values are findings */
export function checkTransferIntent(given: TransferIntent): Checked<ReadyTransfer> {
  requireIntent(given, transferForms)
  const { terms, problems } = checkTerms(given)
  const { network } = terms
  const tokenid = given.tokenid.toLowerCase()
  const from = given.from.toLowerCase()
  const recipients = recipientsOf(given)
  const fromKeys = given.fromKeys && lowerCased(given.fromKeys)
  const destinationKeys = given.destinationKeys && lowerCased(given.destinationKeys)
  learnPublicKeys([
    from,
    ...recipients.map(({ pubkey }) => pubkey.toLowerCase()),
    ...[fromKeys, destinationKeys].flatMap((it) => it?.pubkeys ?? []),
  ])
  const tokenids = given.tokenids?.map((it) => it.toLowerCase())
  const holders = recipients.map(({ pubkey, amount: units }) => ({
    holder: holderOf(pubkey, network),
    amount: units,
  }))
  return {
    intent: {
      tokenid,
      from,
      owner: fromKeys ?? from,
      recipients:
        destinationKeys === undefined
          ? holders
          : [{ holder: destinationKeys, amount: given.amount }],
      tokenids,
      terms,
    },
    findings: problemFindings([
      ...problems,
      ...transferProblems(given, { recipients, fromKeys, destinationKeys }, network),
    ]),
  }
}

/** Returns true if it pays a recipient that only tokens v2 can pay. */
export function needsV2({ recipients, owner, tokenids }: ReadyTransfer): boolean {
  const isKey = (holder: Holder) => isCompressedKey(holder)
  return tokenids !== undefined || !isKey(owner) || recipients.some(({ holder }) => !isKey(holder))
}
