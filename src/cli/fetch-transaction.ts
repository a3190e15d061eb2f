import { isHex32 } from '../primitives/hex-forms.ts'
import { createDaemonClient } from '../rpc/daemon/client.ts'
import { RpcError } from '../rpc/errors.ts'
import { transactionId } from '../transaction/decode.ts'
import { type ParsedArguments, type Terminal, UsageError } from './command.ts'
import { argumentErrorAsUsage, daemonOptions } from './connection.ts'
import { interruptible } from './interrupt.ts'

/** Fetches the raw transaction of a txid from the daemon of the options, and checks its hash. */
export async function fetchTransaction(
  given: string | undefined,
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<string> {
  const txid = given?.toLowerCase() ?? ''
  if (!isHex32(txid)) throw new UsageError('--daemon: expected a txid, 64 hex digits')
  const options = await daemonOptions(parsed, terminal)
  const client = await argumentErrorAsUsage(async () => createDaemonClient(options))
  const hex = await interruptible((limits) =>
    client.getrawtransaction({ txid, verbose: 0 }, limits),
  )
  const answered = transactionId(hex)
  if (answered === txid) return hex
  throw new RpcError('shape', `getrawtransaction: the answer is transaction ${answered}`, {
    method: 'getrawtransaction',
    reason: 'wrong_txid',
    expected: txid,
    received: answered,
  })
}
