export const credentials = { user: 'user', password: 'password' }

/**
 * Returns the answer that every peer has to give: the txid and the exact satoshis of each output.
 *
 * @param {{ txid: string, vout: { value: number | string }[] }} decoded amounts as a peer gives them
 */
export const roundedAnswer = ({ txid, vout }) => ({
  txid,
  sats: vout.map(({ value }) => BigInt(Math.round(Number(value) * 1e8))),
})
