// Transactions as the daemon's methods show them.

import { formatCoins } from '../../primitives/amount.ts'
import { decodeRawTransaction } from '../../transaction/daemon-json.ts'
import { type DecodedOutput, describeTransaction } from '../../transaction/describe.ts'
import type { Outpoint } from '../../transaction/types.ts'
import type { StoredTransaction } from '../state/stored-transaction.ts'
import { blockAt, outputAt, positionOf, spendingOf } from '../state/view.ts'
import { type Answer, coins, json } from './answer.ts'
import type { Context } from './context.ts'

/** The result of decoderawtransaction. */
export function decodedJson({ engine }: Context, hex: string): Answer {
  return json(decodeRawTransaction(hex, { network: engine.rules.network }))
}

/** A script as `scriptPubKey`. */
export function scriptJson({
  asm,
  hex,
  reqSigs,
  type,
  addresses,
  condition,
}: DecodedOutput['scriptPubKey']): Answer {
  return {
    asm,
    hex,
    reqSigs,
    type,
    addresses,
    condition: condition as Answer | undefined,
  }
}

/**
 * The result of a verbose getrawtransaction.
 *
 * @see komodo src/rpc/rawtransaction.cpp, TxToJSONExpanded
 */
export function expandedJson(context: Context, { hex, txid }: StoredTransaction): Answer {
  const described = describeTransaction(hex, { network: context.rules.network })
  const { chain } = context.state
  const position = positionOf(context.state, txid)
  const block = position && blockAt(context, position.height)!
  const confirmations = block === undefined ? 0 : chain.tip.height - block.height + 1
  const whole = JSON.parse(decodeRawTransaction(hex, { network: context.rules.network }))
  return {
    hex,
    txid,
    overwintered: described.overwintered,
    version: described.version,
    last_notarized_height: 0,
    versiongroupid: described.versiongroupid,
    locktime: described.locktime,
    expiryheight: described.expiryheight,
    vin: described.vin
      .map((input) => {
        if ('coinbase' in input) return { coinbase: input.coinbase, sequence: input.sequence }
        return { ...input, ...spentMembers(context, input), sequence: input.sequence }
      })
      .map(inWireOrder),
    vout: described.vout.map((output) => ({
      value: coins(output.value),
      valueSat: output.value,
      n: output.n,
      scriptPubKey: scriptJson(output.scriptPubKey),
      ...spendingMembers(context, txid, output.n),
    })),
    vjoinsplit: whole.vjoinsplit,
    valueBalance:
      described.valueBalance === undefined ? undefined : json(formatCoins(described.valueBalance)),
    vShieldedSpend: whole.vShieldedSpend,
    vShieldedOutput: whole.vShieldedOutput,
    ...(block && {
      blockhash: block.hash,
      height: block.height,
      confirmations,
      rawconfirmations: confirmations,
      time: block.time,
      blocktime: block.time,
    }),
  }
}

/** The known facts about the output that an input spends. */
function spentMembers(context: Context, input: Outpoint) {
  const output = outputAt(context, input)
  if (output === undefined) return {}
  const { addresses } = context.rules.scripts.describe(output.script)
  return {
    address: addresses?.length === 1 ? addresses[0] : undefined,
    value: coins(output.value),
    valueSat: output.value,
  }
}

/** The address comes before the script, the value after it. */
function inWireOrder(input: { readonly [member: string]: unknown }): Answer {
  const { txid, vout, address, scriptSig, value, valueSat, coinbase, sequence } = input
  return { coinbase, txid, vout, address, scriptSig, value, valueSat, sequence } as Answer
}

function spendingMembers(context: Context, txid: string, index: number) {
  const spending = spendingOf(context.state, txid, index)
  if (spending === undefined) return {}
  return { spentTxId: spending.txid, spentIndex: spending.index, spentHeight: spending.height }
}
