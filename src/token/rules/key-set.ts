/** Keys that hold tokens together: `required` of them must sign. */
export interface KeySet {
  /** The number of keys that must sign. */
  readonly required: number
  /** Compressed, hex, in the order in which the output names them: 1 to 15. */
  readonly pubkeys: readonly string[]
}

/** Returns a set with its keys in lower case. */
export function lowerCased({ required, pubkeys }: KeySet): KeySet {
  return { required, pubkeys: pubkeys.map((it) => it.toLowerCase()) }
}
