import type { SendResult } from '../../wallet/send-result.ts'

type Word = NonNullable<SendResult['held']> | SendResult['status']

/** Words of a result: the status of a payment, and why nothing was sent. */
export const heldPayments: Readonly<Record<Exclude<Word, 'rejected'>, string>> = {
  accepted: `The server took the transaction. Only a block settles the payment.
    A wallet send whose answer has a txid.
    Wait for blocks, for example with antara-tx wallet history.`,
  uncertain: `The transaction may have been sent: the answer of the server was lost. With "unverified" in the report, this call verified no transaction, and "broadcast": "no" does not mean that none was sent.
    A connection that broke during the broadcast.
    Repeat the same call, with the same id and journal: it pays once. Without a journal, do not. If the answer has "unrecorded", see antara-tx explain unrecorded-spends.`,
  held: `This call sent nothing. The member "held" has the reason; the command line prints it after NOT sent. What an earlier call may have sent is in "unsettled".
    A payment that a person declined.
    Run antara-tx explain with that reason, such as antara-tx explain needs-merge.`,
  'dry-run': `The call did everything but the broadcast, as requested.
    A wallet send with --dry-run.
    Repeat the call without the dry run if the report is what you want.`,
  declined: `The confirm callback, or the person who was asked, did not agree.
    n at the question of antara-tx wallet send.
    Nothing to do: repeat the call if you want to pay after all.`,
  unsettled: `The call only settles recorded attempts, and the server took none of them.
    A call with resumeOnly while the server refuses the recorded bytes.
    Repeat the payment itself, which may make another transaction.`,
  'under-way': `Another call that may make the same payment has not ended yet.
    A confirm callback that pays the same again.
    Wait until the other call ends.`,
  'unrecorded-spends': `The chain shows spends of your coins that the journal does not have. It may be an old copy, or a new journal in the place of a lost one.
    A journal that was restored from a backup. A second device with the same keys.
    Look up the txids. If one of them made this payment, repeat the call with it as paidBy, or in --paid-by, and with the id of the payment: the journal then has it. For a call through a guard, its operator starts the guard with --paid-by TXID=NAME. The answer may name such txids in "paidBy". If they are other payments, pass them as acknowledged, or in --acknowledge.`,
  'different-inputs': `An earlier transaction may be the same payment. It could be mined beside this one, or a block has it: both would pay.
    A payment that is repeated with an id. A server that builds with other coins after an answer was lost.
    Look up the txids in "unsettled". If one is this payment, do not repeat the call: later, it can pay again. If both are due, settle the first by antara-tx attempts resume, and repeat the call ten minutes after its record. If none of them can be mined, because they have expired or a block has other spends of their coins: antara-tx attempts forget.`,
  'reserved-inputs': `The transaction spends coins of another payment that is not settled, or the journal has it under another id.
    Two payments from one wallet at once. A paidBy that names the transaction of another payment.
    If you named the transaction in paidBy, it made the payment of the other id, and not this one. If you did not, send the other payment unless it was sent, and wait for its block. If nobody will send it: antara-tx attempts forget.`,
  'too-many-attempts': `The journal keeps no more unsettled attempts: 16 of one payment, or 32 million hex digits of all payments.
    A server that built sixteen transactions for one payment. Many payments with thousands of outputs, which nobody looked for after they were sent.
    Run antara-tx attempts resume, or antara-tx wallet resume. A payment that a block has takes no room after that. Wait until a block has the others.`,
  warned: `The report has a warning that could cost money, and nobody was asked about it.
    A payment to the published key of a chain module, or a daemon that withholds an ancestor.
    Remove the cause. To send it anyway, name the code of the finding in allow, or in --allow.`,
  'needs-merge': `The payment needs more inputs than a transaction should have.
    A wallet with thousands of small coins.
    Run antara-tx wallet merge --all, then pay again.`,
}
