// The parameters that are secrets. No error of a call repeats them, even if the server does.

/**
 * Positions of secrets among the parameters of the daemon's methods.
 *
 * @see komodo src/wallet/rpcdump.cpp, src/wallet/rpcwallet.cpp, src/rpc/rawtransaction.cpp,
 *   src/rpc/misc.cpp, src/komodo_nSPV_superlite.h, src/cc/channels.cpp
 */
const daemonSecrets: Readonly<Record<string, readonly number[]>> = {
  channelspayment: [2],
  convertpassphrase: [0],
  encryptwallet: [0],
  importprivkey: [0],
  kvupdate: [3],
  nspv_login: [0],
  signrawtransaction: [2],
  walletpassphrase: [0],
  walletpassphrasechange: [0, 1],
  z_importkey: [0],
  z_importviewingkey: [0],
}

/** A private key in wallet import format, in any position. */
const wif = /^[1-9A-HJ-NP-Za-km-z]{51,52}$/

/** Names of framework parameters that are secrets in any method. */
const secretMember =
  /pass(?:word|phrase)|^pin$|mnemonic(?!_name)|seed(?!node)|priv(?:ate)?_?key(?!_policy)|secret|^wif$/i

export function isSecretParameter(method: string, index: number): boolean {
  return Object.hasOwn(daemonSecrets, method) && daemonSecrets[method]!.includes(index)
}

export function isSecretMember(name: string): boolean {
  return secretMember.test(name)
}

export function secretsOfParameters(method: string, params: readonly unknown[]): string[] {
  return params.flatMap((value, index) => textsIn(value, isSecretParameter(method, index)))
}

export function secretsOfMembers(params: unknown): string[] {
  return textsIn(params, false)
}

function textsIn(value: unknown, isSecret: boolean): string[] {
  if (typeof value === 'string') return value !== '' && (isSecret || wif.test(value)) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, isSecret))
  return Object.entries(value).flatMap(([name, item]) =>
    textsIn(item, isSecret || isSecretMember(name)),
  )
}
