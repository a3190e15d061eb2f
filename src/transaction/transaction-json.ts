import type { Transaction, TransactionInput, TransactionOutput } from './types.ts'

/**
 * Writes a transaction as JSON text, with members in the order of `Transaction` and amounts as decimal
 * strings.
 *
 * It is hand-written, because `JSON.stringify` calls a replacer for each bigint and then takes longer
 * than the decode. Nothing in a transaction needs an escape.
 */
export function transactionJson(tx: Transaction): string {
  return (
    `{"txid":"${tx.txid}","version":${tx.version},"overwintered":${tx.overwintered}` +
    `,"versionGroupId":${tx.versionGroupId},"inputs":${listJson(tx.inputs, inputJson)}` +
    `,"outputs":${listJson(tx.outputs, outputJson)},"lockTime":${tx.lockTime}` +
    `,"expiryHeight":${tx.expiryHeight},"valueBalance":"${tx.valueBalance}"${shieldedJson(tx)}}`
  )
}

function inputJson({ txid, vout, scriptSig, sequence }: TransactionInput): string {
  return `{"txid":"${txid}","vout":${vout},"scriptSig":"${scriptSig}","sequence":${sequence}}`
}

function outputJson({ value, script }: TransactionOutput): string {
  return `{"value":"${value}","script":"${script}"}`
}

/** The members that most transactions have empty. */
function shieldedJson(tx: Transaction): string {
  const { shieldedSpends, shieldedOutputs, joinSplits } = tx
  if (shieldedSpends.length + shieldedOutputs.length + joinSplits.length === 0) {
    return ',"shieldedSpends":[],"shieldedOutputs":[],"joinSplits":[]'
  }
  const { joinSplitPubKey, joinSplitSig, bindingSig } = tx
  const members = {
    shieldedSpends,
    shieldedOutputs,
    joinSplits: joinSplits.map(({ vpubOld, vpubNew, ...rest }) => ({
      vpubOld: vpubOld.toString(),
      vpubNew: vpubNew.toString(),
      ...rest,
    })),
    joinSplitPubKey,
    joinSplitSig,
    bindingSig,
  }
  return `,${JSON.stringify(members).slice(1, -1)}`
}

/** Appends in a loop, because `map` and `join` would allocate an array for each list. */
function listJson<Item>(items: readonly Item[], itemJson: (item: Item) => string): string {
  let text = '['
  for (let index = 0; index < items.length; index += 1) {
    text += index === 0 ? itemJson(items[index]!) : `,${itemJson(items[index]!)}`
  }
  return `${text}]`
}
