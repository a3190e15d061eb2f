// The header of a module's nulldata output: its eval code and function.

import { moduleOfEvalCode } from '../../chain/modules.ts'
import { unlessMalformed } from '../../errors/malformed.ts'
import { bytesFromHex } from '../../primitives/hex.ts'
import { cursorOver, readHex, readVector, remaining } from '../../primitives/wire.ts'
import { isNulldata } from '../../script/nulldata.ts'
import { decodeTokenPayload } from '../../token/payload/decode.ts'
import { readPush } from '../../token/payload/push.ts'
import type { Answer } from './answer.ts'
import { type Methods, method, methodsIn } from './context.ts'
import { lenientHex, text } from './params.ts'

export const opretMethods: Methods = methodsIn('Util', [
  method('decodeccopret scriptPubKey', [1, 1], (_, [script]) => spoken(lenientHex(text(script)))),
])

/** @see komodo src/rpc/misc.cpp, decodeccopret */
function spoken(script: string): Answer {
  const outer = unlessMalformed(() => pushedData(script)) ?? ''
  const extra = unlessMalformed(() => firstExtra(script))
  if (extra === undefined) return saying([], outer)
  const inner = unlessMalformed(() => wholeVector(extra))
  // the daemon's `return (0)`, where an object was meant
  return inner === undefined ? 0 : saying([namesOf(outer)], inner)
}

function saying(before: readonly Answer[], data: string): Answer {
  if (data.length <= 2) return { result: 'error', error: 'invalid or no CC opret data' }
  return { result: 'success', OpRets: [...before, namesOf(data)] }
}

/** The first two bytes: a module by its eval code, and a function by its letter. */
function namesOf(data: string): { eval_code: string; function: string } {
  const [evalCode = 0, letter = 0] = bytesFromHex(data.slice(0, 4))
  const known = evalCode < 0x80 ? undefined : moduleOfEvalCode(evalCode)
  return {
    eval_code: known?.daemon === 'komodo' ? `EVAL_${known.name}` : `0x${evalCode.toString(16)}`,
    // The daemon writes a byte that is not UTF-8, and readers of JSON see U+FFFD.
    function: letter === 0 ? '' : letter < 0x80 ? String.fromCharCode(letter) : '\ufffd',
  }
}

/** @see komodo src/script/cc.cpp, GetOpReturnData */
function pushedData(script: string): string | undefined {
  const cursor = cursorOver(script)
  if (!isNulldata(script)) return undefined
  cursor.offset = 1
  const push = readPush(cursor)
  return push && readHex(cursor, push.length, 'push')
}

function firstExtra(script: string): string | undefined {
  const payload = decodeTokenPayload(script)
  return payload?.layout === 'komodo-v1' ? payload.extras[0]?.data : undefined
}

/** @see komodo src/cc/eval.h, E_UNMARSHAL, of a vector of bytes */
function wholeVector(data: string): string | undefined {
  const cursor = cursorOver(data)
  const inner = readVector(cursor, 'extra')
  return remaining(cursor) === 0 ? inner : undefined
}
