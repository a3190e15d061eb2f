// The rules of relaying: policy, not consensus.

import { dustOfScript, pushBytesMax, sigopsMax } from '../../chain/limits.ts'
import type { Network } from '../../chain/network.ts'
import { type ScriptStep, splitScript } from '../../script/push.ts'
import { sigopsOf } from '../../script/sigops.ts'
import { hasUnreadLock, whyNonstandard } from '../../script/standard.ts'
import type { DecodedScript } from '../../script/types.ts'
import type { Transaction } from '../../transaction/types.ts'
import type { ScriptIndex } from '../state/script-index.ts'
import type { Coin } from '../state/tables.ts'
import type { Setting } from '../state/view.ts'
import { type Refused, rejected, unverifiable } from './verdict.ts'

/** komodo src/main.cpp, IsStandardTx: 15 signatures of P2SH fit */
const scriptSigBytesMax = 1650
/** komodo src/script/standard.h, MAX_P2SH_SIGOPS */
const redeemSigopsMax = 15
const lastPushOpcode = 0x60

/** @see komodo src/main.cpp, IsStandardTx */
export function checkStandard(
  { version, inputs, outputs }: Transaction,
  { scripts, network }: Pick<Setting, 'scripts' | 'network'>,
): Refused | undefined {
  if (version !== 4) return rejected('nonstandard', 'sapling-version')
  for (const { scriptSig } of inputs) {
    if (scriptSig.length > 2 * scriptSigBytesMax) return rejected('nonstandard', 'scriptsig-size')
    if (pushesOf(scriptSig) === undefined) {
      return rejected('nonstandard', 'scriptsig-not-pushonly')
    }
  }
  let nulldata = 0
  for (const { value, script } of outputs) {
    const described = scripts.describe(script)
    const keys = described.addresses?.length ?? 0
    if (whyNonstandard({ type: described.type, keys }, script, network) !== undefined) {
      return rejected('nonstandard', 'scriptpubkey')
    }
    if (described.type === 'nulldata') nulldata += 1
    else if (described.type !== 'cryptocondition' && value < dustOfScript(script)) {
      return rejected('nonstandard', 'dust')
    }
  }
  return nulldata > 1 ? rejected('nonstandard', 'multi-op-return') : undefined
}

/** The steps of a script that only pushes; undefined for any other. */
function pushesOf(script: string): ScriptStep[] | undefined {
  try {
    const steps = splitScript(script)
    return steps.every(({ opcode }) => opcode <= lastPushOpcode) ? steps : undefined
  } catch {
    return undefined
  }
}

/** The words of each daemon. */
const nonstandardInput: { readonly [Kind in Network['conditions']]: string } = {
  none: '',
  komodo: '',
  tokel: 'AcceptToMemoryPool: reject nonstandard transaction input',
}

/** Tells whether each scriptSig fits its output. @see komodo src/main.cpp, AreInputsStandard */
export function checkInputsStandard(
  { inputs }: Transaction,
  coins: readonly Coin[],
  { scripts, network }: Pick<Setting, 'scripts' | 'network'>,
): Refused | undefined {
  const isStandard = inputs.every(({ scriptSig }, at) => {
    const pushes = pushesOf(scriptSig)
    if (pushes === undefined) return false
    if (pushes.some(({ data }) => data.length > 2 * pushBytesMax)) return false
    const { script } = coins[at]!
    if (hasUnreadLock(script, network.conditions)) return false
    const described = scripts.describe(script)
    const expected = pushesExpected(described)
    if (expected === undefined) return false
    if (described.type !== 'scripthash') return pushes.length === expected
    const redeemScript = pushes.at(-1)?.data
    if (redeemScript === undefined) return false
    const redeemed = scripts.describe(redeemScript)
    if (redeemed.type === 'scripthash') return false
    if (redeemed.type === 'nonstandard') return sigopsOf(redeemScript, true) <= redeemSigopsMax
    const inside = pushesExpected(redeemed)
    return inside !== undefined && pushes.length === expected + inside
  })
  return isStandard ? undefined : unverifiable(nonstandardInput[network.conditions])
}

const fixedPushes: { readonly [Type in DecodedScript['type']]?: number } = {
  pubkey: 1,
  scripthash: 1,
  cryptocondition: 1,
  pubkeyhash: 2,
}

/** @see komodo src/script/standard.cpp, ScriptSigArgsExpected */
function pushesExpected({ type, reqSigs = 0 }: DecodedScript): number | undefined {
  return type === 'multisig' ? reqSigs + 1 : fixedPushes[type]
}

export function checkSigops(
  transaction: Transaction,
  coins: readonly Coin[],
  scripts: ScriptIndex,
): Refused | undefined {
  const sigops = sigopsIn(transaction, coins, scripts)
  return sigops > sigopsMax ? rejected('nonstandard', 'bad-txns-too-many-sigops') : undefined
}

/**
 * Returns the number of signature checks of a transaction, as a block counts them. Pass no coins for a
 * coinbase.
 *
 * @see komodo src/main.cpp, GetLegacySigOpCount and GetP2SHSigOpCount
 */
export function sigopsIn(
  { inputs, outputs }: Transaction,
  coins: readonly Coin[],
  scripts: ScriptIndex,
): number {
  let sigops = 0
  for (const { scriptSig } of inputs) sigops += sigopsOf(scriptSig, false)
  for (const { script } of outputs) sigops += sigopsOf(script, false)
  for (const [at, { script }] of coins.entries()) {
    if (scripts.describe(script).type !== 'scripthash') continue
    sigops += sigopsOf(pushesOf(inputs[at]!.scriptSig)?.at(-1)?.data ?? '', true)
  }
  return sigops
}
