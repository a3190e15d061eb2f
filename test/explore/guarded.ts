// A payment as a guard makes it: with limits and a record on the disk of the world.

import type { GuardedEffects } from '../../src/guard/decision.ts'
import type { Ending } from '../../src/guard/ending.ts'
import { undertake } from '../../src/guard/payments.ts'
import { Limits } from '../../src/guard/policy/limits.ts'
import { FilePolicy } from '../../src/guard/policy/policy.ts'
import { FileRecord } from '../../src/guard/record/record-file.ts'
import type { Disk } from '../../src/journal/disk.ts'
import { fileJournal } from '../../src/journal/file.ts'
import type { Payment } from '../../src/rpc/safe-flow/flow.ts'

/** Files that have a payment before its first byte leaves. */
export const guardFiles: readonly string[] = ['/state/limits', '/state/record.ndjson']

const fee = 10n
const effects: GuardedEffects = {
  outflows: [{ asset: 'coins', amount: 70n, script: '51', keyHashes: [] }],
  fee,
}
/** Enough for one payment and its fee: a payment that is counted twice is stuck. */
const policyText = JSON.stringify({
  recipients: 'any',
  coins: { perDay: '0.0000008' },
  tokens: {},
})

/** Makes the payment through the guard of a process, which opens its files first. */
export async function payThroughGuard(
  payment: Payment,
  disk: Disk,
): Promise<Pick<Ending, 'txid' | 'held'>> {
  const limits = await Limits.open(fileJournal(guardFiles[0]!, { disk }), { elapsed: () => 0 })
  try {
    const record = await FileRecord.open(guardFiles[1]!, { disk })
    try {
      return await undertaken(payment, new FilePolicy(policyText, limits), record)
    } finally {
      await record.close()
    }
  } finally {
    await limits.close()
  }
}

function undertaken(payment: Payment, policy: FilePolicy, record: FileRecord) {
  const { journal, id, trustServer = false } = payment.options
  const request = payment.request()
  const requested = {
    key: () => payment.key,
    request: () => request,
    intentFindings: [],
    payment: (options: Payment['options']) => ({ ...payment, options }),
    effects: () => effects,
  }
  return undertake(
    {
      journal: journal!,
      policy,
      record,
      requireChain: async () => undefined,
      flow: { trustServer },
      onDecision: () => undefined,
      requestedBy: async () => requested,
    },
    {
      user: '',
      method: 'sendtoaddress',
      methodClass: 'build-and-send',
      signal: new AbortController().signal,
      isForbidden: false,
      line: { isWritten: false },
      ...(id !== undefined && { key: id }),
    },
    {
      requested,
      isSent: true,
      newTransaction: () => payment.newTransaction(),
      send: (attempt) => payment.send(attempt),
    },
  )
}
