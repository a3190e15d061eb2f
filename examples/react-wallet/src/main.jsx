import { createDaemonClient } from 'antara-tx/rpc'
import { createWallet, daemonChain, privateKeySigner } from 'antara-tx/wallet'
import { useCallback, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { indexedDbJournal } from './indexed-db-journal.js'
import { usePayment, useWallet } from './use-wallet.js'

/** The key stays in this page: the server of the chain sees addresses and signed transactions. */
async function openWallet(wif) {
  const signer = privateKeySigner(wif)
  // The proxy replaces this login with the daemon's own.
  const access = { user: 'page', password: 'page' }
  const client = createDaemonClient({ url: `${location.origin}/rpc`, ...access })
  return createWallet({
    signers: [signer],
    chain: daemonChain(client),
    journal: await indexedDbJournal(`payments of ${signer.publicKey}`),
  })
}

function Wallet({ wif }) {
  const { wallet, balance, error, problem } = useWallet(useCallback(() => openWallet(wif), [wif]))
  const { payment, pay } = usePayment(wallet)
  const submit = (event) => {
    event.preventDefault()
    const { to, satoshis, id } = Object.fromEntries(new FormData(event.currentTarget))
    pay({ to, amount: BigInt(satoshis), id })
  }
  const payUnlikeThose = () => pay({ ...payment.request, acknowledged: payment.unrecorded })
  if (error !== undefined) return <p id="error">{textOf(error)}</p>
  const waiting = problem && <p id="problem">The server does not answer: {textOf(problem)}</p>
  if (balance === undefined) return waiting ?? <p>Reading the chain …</p>
  return (
    <>
      <p>
        <output id="address">{wallet.addresses()[0].address}</output> has{' '}
        <output id="balance">{`${balance.total}`}</output> satoshis.
      </p>
      <form id="payment" onSubmit={submit}>
        <input name="to" placeholder="address" required />
        <input name="satoshis" inputMode="numeric" pattern="[0-9]+" required />
        <input name="id" placeholder="what for, such as invoice-17" required />
        <button type="submit">Pay</button>
      </form>
      <p id="status">{payment.status}</p>
      {payment.repeated && <p id="repeated">This payment was made before.</p>}
      {payment.held && <p id="held">{payment.held}</p>}
      {payment.paidBy?.map((txid) => (
        <p className="paid-by" key={txid}>
          The chain has this payment already: {txid}. If it was made with the id of this one, record
          it here. If it was made with another id, pay with that id first.{' '}
          <button type="button" onClick={() => pay({ ...payment.request, paidBy: txid })}>
            It is this payment: record
          </button>
        </p>
      ))}
      {payment.unrecorded && !payment.paidBy && (
        <p id="unrecorded">
          This page does not know these payments of yours: {payment.unrecorded.join(', ')}. Look
          whether one of them is this payment.{' '}
          <button type="button" onClick={payUnlikeThose}>
            None is: pay
          </button>
        </p>
      )}
      {payment.error && <p id="failure">{textOf(payment.error)}</p>}
      {payment.error && <p>To try again, pay with the same id, and with no other one.</p>}
      <p id="txid">{payment.txid}</p>
    </>
  )
}

const textOf = (error) => error?.message ?? String(error)

function App() {
  const [wif, setWif] = useState()
  const unlock = (event) => {
    event.preventDefault()
    setWif(new FormData(event.currentTarget).get('wif'))
  }
  if (wif !== undefined) return <Wallet wif={wif} />
  return (
    <form id="unlock" onSubmit={unlock}>
      <input name="wif" type="password" autoComplete="off" placeholder="private key" required />
      <button type="submit">Open</button>
    </form>
  )
}

createRoot(document.querySelector('#root')).render(<App />)
