// The engine checks the signatures. This file turns its findings into the daemon's words.

import type { Network } from '../../chain/network.ts'
import type { ErrorCode } from '../../errors/codes.ts'
import type { InputVerdict } from '../../signing/verdict.ts'
import { verifyInputs } from '../../signing/verify.ts'
import type { StoredTransaction } from '../state/stored-transaction.ts'
import type { Coin } from '../state/tables.ts'
import { type Refused, rejected } from './verdict.ts'

/** Words of komodo src/script/script_error.cpp. */
export const falseOnTop =
  'Script evaluated without error but finished with a false/empty top stack element'

interface ScriptWords {
  readonly words: string
  /** True if the daemon's consensus flags alone would let it pass. */
  readonly isPolicy?: true
}

const notDer: ScriptWords = { words: 'Non-canonical DER signature' }
const badKey: ScriptWords = { words: 'Public key is neither compressed or uncompressed' }
const badPayload: ScriptWords = { words: 'Crypto-Condition payload is invalid' }

const wordsOfKey: { readonly [Code in ErrorCode]?: ScriptWords } = {
  signature_length: notDer,
  signature_tag: notDer,
  signature_integer_empty: notDer,
  signature_integer_negative: notDer,
  signature_integer_padded: notDer,
  malformed_public_key: badKey,
  signature_high_s: {
    words: 'Non-canonical signature: S value is unnecessarily high',
    isPolicy: true,
  },
  undefined_hash_type: {
    words: 'Signature hash type missing or not understood',
    isPolicy: true,
  },
  public_key_hash_mismatch: { words: 'Script failed an OP_EQUALVERIFY operation' },
  script_sig_form: { words: 'Data push larger than necessary', isPolicy: true },
}

/** Faults of a fulfillment itself; any other fault leaves false on the stack. */
const isMalformed = (code: ErrorCode) =>
  code === 'truncated' || /^(der|condition|fulfillment)_/.test(code)

/** @see komodo src/main.cpp, ContextualCheckInputs with STANDARD_SCRIPT_VERIFY_FLAGS */
export function checkSignatures(
  { hex }: StoredTransaction,
  coins: readonly Coin[],
  network: Network,
): Refused | undefined {
  const verdict = verifyInputs(hex, coins, network).find(({ ok }) => !ok)
  return verdict && refusalOf(verdict)
}

function refusalOf({ type, code }: InputVerdict): Refused {
  if (code === 'unsupported_script') {
    const reason = 'this node runs no redeem scripts but those of keys'
    return rejected('nonstandard', `non-mandatory-script-verify-flag (${reason})`, reason)
  }
  const { words, isPolicy } = scriptWords(type === 'cryptocondition', code!)
  return isPolicy
    ? rejected('nonstandard', `non-mandatory-script-verify-flag (${words})`)
    : mandatory(words, code)
}

function scriptWords(isCondition: boolean, code: ErrorCode): ScriptWords {
  if (!isCondition) return wordsOfKey[code] ?? { words: falseOnTop }
  return isMalformed(code) && code !== 'condition_mismatch' ? badPayload : { words: falseOnTop }
}

export function mandatory(words: string, reason?: string): Refused {
  return rejected('invalid', `mandatory-script-verify-flag-failed (${words})`, reason)
}

/** The daemon's words for what is wrong with an input, as signrawtransaction lists it. */
export function wordsOfScriptFault(isCondition: boolean, code: ErrorCode): string {
  if (code === 'signature_missing' || code === 'script_sig_form') {
    return 'Operation not valid with the current stack size'
  }
  return scriptWords(isCondition, code).words
}
