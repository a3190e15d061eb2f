import { randomUUID } from 'node:crypto'
import type { GuardedPayment } from '../decision.ts'
import { askCommand } from './confirm-command.ts'
import { askWebhook } from './confirm-webhook.ts'
import { questionText } from './question.ts'
import type { Confirmation } from './rules.ts'

/** Questions that may be open. A further one is answered no at once. */
const openMax = 64
let open = 0

/**
 * Asks for a confirmation. Everything but a timely yes is a no: a late answer, a failure, an answer
 * of another form, and a client that left.
 */
export async function confirm(
  { command, webhook, seconds }: Confirmation,
  payment: GuardedPayment,
  rule: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (open >= openMax || signal.aborted) return false
  open += 1
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), seconds * 1000)
  try {
    const either = AbortSignal.any([signal, late.signal])
    const id = randomUUID()
    const question = questionText(payment, rule, id)
    const isYes =
      command === undefined
        ? await askWebhook(webhook!, question, id, either)
        : await askCommand(command, question, either)
    return isYes && !either.aborted
  } finally {
    clearTimeout(timer)
    open -= 1
  }
}
