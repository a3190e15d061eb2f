import { isSignable, templateOf } from './template.ts'

/**
 * Returns how many different keys must sign for a coin of a script; `undefined` if the script does
 * not list them. One key that a script lists twice may sign twice.
 *
 * @see komodo src/script/interpreter.cpp, EvalScript, OP_CHECKMULTISIG
 */
export function keysNeeded(script: string): number | undefined {
  const template = templateOf(script)
  if (!isSignable(template)) return undefined
  if (template.type === 'pubkeyhash') return 1
  const times = new Map<string, number>()
  for (const key of template.keys) times.set(key, (times.get(key) ?? 0) + 1)
  let signatures = 0
  let keys = 0
  for (const count of [...times.values()].toSorted((one, other) => other - one)) {
    if (signatures >= template.required) break
    signatures += count
    keys += 1
  }
  return keys
}
