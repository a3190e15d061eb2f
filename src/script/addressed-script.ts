// Scripts that addresses stand for. What only reads a server loads this, and no engine.

/** Returns the script that pays to the hash of a key. */
export function keyHashScript(hash: string): string {
  return `76a914${hash}88ac`
}

/** Returns the script that pays to the hash of a script. */
export function scriptHashScript(hash: string): string {
  return `a914${hash}87`
}

/** A script that an address stands for, with what it pays. */
type AddressedScript =
  | { readonly type: 'pubkeyhash'; readonly hash: string }
  | { readonly type: 'scripthash'; readonly hash: string }
  /** `key` has 33 or 65 bytes, and need not be a point. */
  | { readonly type: 'pubkey'; readonly key: string }

const addressed =
  /^(?:76a914([0-9a-f]{40})88ac|a914([0-9a-f]{40})87|(?:21([0-9a-f]{66})|41([0-9a-f]{130}))ac)$/

/**
 * Reads a script that pays a key, its hash, or the hash of a script; `undefined` for every other.
 *
 * @param script - lower-case hex
 */
export function addressedScript(script: string): AddressedScript | undefined {
  const [, keyHash, scriptHash, compressed, key = compressed] = addressed.exec(script) ?? []
  if (keyHash !== undefined) return { type: 'pubkeyhash', hash: keyHash }
  if (scriptHash !== undefined) return { type: 'scripthash', hash: scriptHash }
  return key === undefined ? undefined : { type: 'pubkey', key }
}
