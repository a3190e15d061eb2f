// The payments of the soak. Each has an amount of its own, so the chain shows whether one was made
// twice.

const txidForm = /^[0-9a-f]{64}$/

export function createPayments({ payee, tokenid, tokenPayee }) {
  const made = []
  const open = []
  const transfers = []
  let count = 0

  return {
    made,
    open,
    transfers,
    /** Returns the next payment in coins: 0.0001 and as many satoshis as there were before it. */
    newPayment() {
      count += 1
      return { key: `payment-${count}`, params: [payee, `0.0001${String(count).padStart(4, '0')}`] }
    },
    newTransfer() {
      count += 1
      return { key: `transfer-${count}`, params: [tokenid, tokenPayee, '1'] }
    },
    /** Takes the answer to a payment. Returns false for one that must not be. */
    settle(payment, { result, error }, wasFaulty) {
      if (typeof result === 'string' && txidForm.test(result)) {
        if (payment.txid !== undefined) return payment.txid === result
        payment.txid = result
        made.push(payment)
        return true
      }
      payment.last = error?.message
      if (payment.txid === undefined && !open.includes(payment)) open.push(payment)
      const isHeld =
        /uncertain|no connection|does not answer|held|failed|HTTP status|Missing inputs/
      return wasFaulty || isHeld.test(error?.message ?? '')
    },
  }
}
