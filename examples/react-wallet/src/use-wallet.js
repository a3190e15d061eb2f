import { useEffect, useState } from 'react'

/**
 * Opens a wallet, and follows its balance until the component is gone.
 *
 * @param open - a stable function that resolves with a wallet: wrap it in `useCallback`
 * @returns `wallet`, `balance` and `error`, each `undefined` until it is there
 */
export function useWallet(open) {
  const [state, setState] = useState({})
  useEffect(() => {
    const left = new AbortController()
    const { signal } = left
    const follow = async () => {
      const wallet = await open()
      setState({ wallet, balance: await wallet.balance({ signal }) })
      // Payments that were begun before the page was closed are settled first.
      await wallet.resume({ signal })
      for await (const event of wallet.events({ signal, pollMs: 2000 })) {
        if (event.type === 'balance') setState({ wallet, balance: event.balance })
      }
    }
    follow().catch((error) => signal.aborted || setState((last) => ({ ...last, error })))
    return () => left.abort()
  }, [open])
  return state
}

/**
 * Pays, and follows the payment into a block.
 *
 * @returns the payment's `status`, `txid`, `confirmations` or `error`, and the function that pays
 */
export function usePayment(wallet) {
  const [payment, setPayment] = useState({ status: 'none' })
  const pay = async (request) => {
    setPayment({ status: 'sending' })
    try {
      const sent = await wallet.pay(request)
      const { status, txid, held, repeated } = sent
      setPayment({ status, txid, held, repeated })
      if (txid === undefined) return
      const { confirmations } = await sent.confirmed({ pollMs: 1000 })
      setPayment({ status: 'confirmed', txid, repeated, confirmations })
    } catch (error) {
      setPayment({ status: 'failed', error })
    }
  }
  return { payment, pay }
}
