// A wallet and its payments, followed for as long as the page is open. A page sleeps, and its network
// comes and goes. If the server does not answer, no payment has failed, and both are followed further.

/** Milliseconds before the next attempt to reach the server. */
const againMs = 5000

/**
 * Opens a wallet, settles the payments that the journal has, and shows every new balance.
 *
 * @param open - resolves with a wallet
 * @param show - gets `wallet` and `balance`; `problem` while the server does not answer
 * @param options - `signal` ends it
 */
export async function followWallet(open, show, { signal, pollMs = 2000 }) {
  const wallet = await open()
  const showBalance = async () => {
    show({ wallet, balance: await wallet.balance({ signal }), problem: undefined })
  }
  // Events go on after an interruption. The problem is shown until the server answers again.
  const onInterruption = (problem) => {
    show({ problem })
    untilAnswered(showBalance, { signal, onFailure: () => undefined }).catch(() => undefined)
  }
  const look = async () => {
    await showBalance()
    // Payments that were begun before the page was closed are settled first.
    await wallet.resume({ signal })
    for await (const event of wallet.events({ signal, pollMs, onInterruption })) {
      if (event.type === 'balance') show({ balance: event.balance })
    }
  }
  await untilAnswered(look, { signal, onFailure: (problem) => show({ problem }) })
}

/**
 * Pays, and follows the payment into a block.
 *
 * @param show - gets the members of the payment that have changed. `status` is `confirmed` once a
 *   block has it, or the reason of a `NotMined`. After any status, repeat it with the same `id` only:
 *   another one may pay twice.
 */
export async function followPayment(wallet, request, show, { signal, pollMs = 1000 } = {}) {
  show({ status: 'sending' })
  let sent
  try {
    sent = await wallet.pay(request)
  } catch (error) {
    return show({ status: 'failed', error })
  }
  const { status, txid, held, repeated, unrecorded, paidBy } = sent
  show({ status, txid, held, repeated, unrecorded, paidBy })
  if (txid === undefined) return
  const wait = async () => {
    const { confirmations } = await sent.confirmed({ signal, pollMs })
    show({ status: 'confirmed', confirmations, problem: undefined })
  }
  try {
    await untilAnswered(wait, { signal, onFailure: (problem) => show({ problem }) })
  } catch (error) {
    // The payment was sent, so it has not failed.
    if (!signal?.aborted)
      show({ error, ...(error.name === 'NotMined' && { status: error.reason }) })
  }
}

/** Does the work again for as long as the server fails to answer. */
async function untilAnswered(work, { signal, onFailure }) {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal?.aborted || error.name !== 'RpcError') throw error
      onFailure(error)
      await new Promise((resolve) => setTimeout(resolve, againMs))
      signal?.throwIfAborted()
    }
  }
}
