/** The byte that begins a script with data, which nobody can spend. source: komodo src/script/script.h, OP_RETURN */
export const opReturn = '6a'

/** Returns whether a script begins as one with data. @param script - lower-case hex */
export function isNulldata(script: string): boolean {
  return script.startsWith(opReturn)
}
