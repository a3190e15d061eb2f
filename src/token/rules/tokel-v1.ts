// Tokeld's tokens v1: eval code f2 and komodod's conditions, with payloads that komodod does not
// read. A non-fungible token's data add no eval code to its conditions here.

import { moduleOfEvalCode, tokensEvalCode } from '../../chain/modules.ts'
import { networks } from '../../chain/network.ts'
import { oncePerObject } from '../../primitives/once-per-object.ts'
import { pushOf } from '../../script/push.ts'
import { decodeConditionScripts } from '../../script/read-condition-script.ts'
import type { Transaction, TransactionOutput } from '../../transaction/types.ts'
import type { TokenPayload, TransferPayload } from '../payload/payload.ts'
import { conditionPart, paysToCondition } from './condition-script.ts'
import { asKomodo, komodoRules, tokenSlots } from './komodo.ts'
import { fungible, type ProofRule, type Seen, type TokenRules } from './rules.ts'
import { conditionKey, type Slot, slotScript, slotScripts, tokenEvalCodes } from './slot-script.ts'
import { tokelPayload } from './tokel-payload.ts'
import { markerScript, tokenScript } from './token-script.ts'

/**
 * The rules that tokeld applies to its tokens v1.
 *
 * @see tokel src/cc/CCtokens.cpp, TokensV1::CheckTokensvout
 */
export const rulesTokelV1: TokenRules = {
  ...komodoRules,
  layout: 'tokel-v1',
  issuanceScript: (owner) => tokenScript(owner),
  placesOf: () => komodoRules.placesOf(fungible),
  assumedCreation: () => fungible,
  payloadOf: (outputs) => tokelPayload(outputs.at(-1)?.script ?? '', 'tokel-v1'),
  tokenOf: (seen, vout) => tokenNamed(seen, payloadsOfOutputsV1(seen)[vout]),
  ruleAgainst(seen, vout, tokenid): ProofRule | undefined {
    const output = seen.transaction.outputs[vout]
    if (output === undefined) return 'no_such_output'
    if (!paysToCondition(output.script)) return 'not_a_condition'
    const named = tokenNamed(seen, payloadsOfOutputsV1(seen)[vout])
    if (named === undefined) return 'no_payload'
    if (named !== tokenid) return 'other_token'
    return output.value > 0n ? undefined : 'no_amount'
  },
  tokensMoved(seen) {
    if (!seen.transaction.outputs.some(({ script }) => script.includes(transferBytes))) return []
    const named = [seen.payload, ...payloadsOfOutputsV1(seen)].flatMap((it) =>
      it?.kind === 'transfer' ? [it.tokenid] : [],
    )
    return [...new Set(named)]
  },
  transferred(seen, tokenid, inputKeys) {
    const amounts = new Map<number, bigint>()
    const slots = new Map<TokenPayload, ReadonlySet<string>>()
    const payloads = payloadsOfOutputsV1(seen)
    for (const [at, { value, script }] of seen.transaction.outputs.entries()) {
      const payload = payloads[at]
      if (value <= 0n || payload?.kind !== 'transfer' || payload.tokenid !== tokenid) continue
      const scripts = slots.get(payload) ?? scriptsOf(payload, inputKeys)
      slots.set(payload, scripts)
      if (scripts.has(conditionPart(script)!)) amounts.set(at, value)
    }
    return { amounts }
  },
  issued(outputs) {
    const amounts = new Map<number, bigint>()
    const payload = tokelPayload(outputs.at(-1)?.script ?? '', 'tokel-v1')
    const owner = payload?.kind === 'create' ? conditionKey(payload.owner) : undefined
    if (owner === undefined) return { amounts, required: 0n }
    const own = slotScript([owner], [tokensEvalCode])
    const payloads = payloadsOfOutputsV1({ transaction: { outputs }, payload })
    let required = 0n
    for (const [at, { value, script }] of outputs.entries()) {
      if (value <= 0n || conditionPart(script) !== own || own === markerScript) continue
      required += value
      if (payloads[at]?.kind === 'create') amounts.set(at, value)
    }
    return { amounts, required }
  },
}

/** The eval code and `T`, which occur wherever a transfer is named. */
const transferBytes = 'f254'

function tokenNamed({ txid }: Seen, payload: TokenPayload | undefined): string | undefined {
  return payload?.kind === 'create' ? txid : payload?.tokenid
}

/**
 * The payload that an output drops, or `last` for that of the transaction; `undefined` for an output
 * that names no token. Transactions may share their outputs, as a signed copy does, and each has its
 * own payload.
 */
type Naming = { readonly dropped: TokenPayload | undefined } | 'last' | undefined

/**
 * Returns the payload that names each output's token: the one that the output drops after its
 * condition, or else the payload of the transaction's last output.
 *
 * @see tokel src/cc/CCutils.cpp, GetCCDropAsOpret
 */
export function payloadsOfOutputsV1({
  transaction,
  payload,
}: {
  readonly transaction: Pick<Transaction, 'outputs'>
  readonly payload: TokenPayload | undefined
}): readonly (TokenPayload | undefined)[] {
  return namingsOf(transaction.outputs).map((it) => (it === 'last' ? payload : it?.dropped))
}

const namingsOf = oncePerObject((outputs: readonly TransactionOutput[]): readonly Naming[] => {
  const scripts = outputs.map(({ script }) => (paysToCondition(script) ? script : ''))
  return decodeConditionScripts(scripts, networks.tokel).map((it): Naming => {
    if (it === undefined) return undefined
    const own = it.params?.data[0]
    return own === undefined ? 'last' : { dropped: tokelPayload(`6a${pushOf(own)}`, 'tokel-v1') }
  })
})

/**
 * Returns the scripts that hold tokens: komodod's, and those of a key together with a module's key.
 */
function scriptsOf(payload: TransferPayload, inputKeys: readonly string[]): ReadonlySet<string> {
  const scripts = new Set(tokenSlots(asKomodo(payload), undefined, inputKeys).keys())
  const extra = payload.extras[0]?.data ?? ''
  const code = extra === '' ? tokensEvalCode : Number.parseInt(extra.slice(0, 2), 16)
  const module = moduleOfEvalCode(code)?.key?.publicKey
  if (module === undefined) return scripts
  const evalCodes = tokenEvalCodes(code)
  const shared = payload.pubkeys.flatMap((bytes): Slot[] => {
    const key = conditionKey(bytes)
    return key === undefined ? [] : [{ pubkeys: [key, module], evalCodes }]
  })
  for (const script of slotScripts(shared)) scripts.add(script)
  return scripts
}
