import { useEffect, useState } from 'react'
import { followPayment, followWallet } from './follow.js'

/**
 * Opens a wallet, and follows its balance until the component is gone.
 *
 * @param open - a stable function that resolves with a wallet: wrap it in `useCallback`
 * @returns `wallet`, `balance` and `error`, each `undefined` until it is there; `problem` while the
 *   server does not answer
 */
export function useWallet(open) {
  const [state, setState] = useState({})
  useEffect(() => {
    const left = new AbortController()
    const { signal } = left
    const show = (changes) => signal.aborted || setState((last) => ({ ...last, ...changes }))
    followWallet(open, show, { signal }).catch((error) => show({ error }))
    return () => left.abort()
  }, [open])
  return state
}

/**
 * Pays, and follows the payment into a block.
 *
 * @returns the payment's `request`, `status`, `txid`, `confirmations` or `error`, and the function
 *   that pays
 */
export function usePayment(wallet) {
  const [payment, setPayment] = useState({ status: 'none' })
  const pay = async (request) => {
    // A payment that is followed already shows nothing after another one has begun.
    const mine = {}
    setPayment({ mine, request })
    const show = (changes) =>
      setPayment((last) => (last.mine === mine ? { ...last, ...changes } : last))
    await followPayment(wallet, request, show)
  }
  return { payment, pay }
}
