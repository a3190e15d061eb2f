import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const child = spawn(
  process.execPath,
  [fileURLToPath(new URL('../lib/rpc-server.mjs', import.meta.url))],
  { stdio: ['pipe', 'pipe', 'inherit'] },
)

/** Port of a server in a process of its own, so that its work is on nobody's account. */
export const port = await new Promise((resolve, reject) => {
  child.once('error', reject)
  child.stdout.once('data', (text) => resolve(Number(text)))
})
for (const handle of [child, child.stdin, child.stdout]) handle.unref()

export const credentials = { user: 'user', password: 'password' }

/**
 * What every peer has to deliver: txid and exact satoshis of each output.
 *
 * @param {{ txid: string, vout: { value: number | string }[] }} decoded amounts as a peer gives them
 */
export const roundedAnswer = ({ txid, vout }) => ({
  txid,
  sats: vout.map(({ value }) => BigInt(Math.round(Number(value) * 1e8))),
})
