import { AntaraError } from '../../errors/antara-error.ts'
import { isHex32 } from '../../primitives/hex-forms.ts'
import { memberOf, parseJson } from '../../primitives/json.ts'

/** Amounts by asset: `coins` or a tokenid. */
export type Amounts = ReadonlyMap<string, bigint>

/** Amounts of a payment that left the guard. */
export interface LimitEntry {
  /** Milliseconds since 1970, by the clock of limits. */
  readonly at: number
  readonly user: string
  readonly payment: string
  readonly txid: string
  readonly amounts: Amounts
}

export function writeEntry({ at, user, payment, txid, amounts }: LimitEntry): string {
  const texts = Object.fromEntries([...amounts].map(([asset, amount]) => [asset, `${amount}`]))
  return JSON.stringify({ at, user, payment, txid, amounts: texts })
}

/** @throws {AntaraError} `journal_malformed` */
export function readEntry(text: string, position: number): LimitEntry {
  const value = parseJson(text)
  const at = Number(String((memberOf(value, 'at') as { value?: string } | undefined)?.value))
  const [user, payment, txid] = ['user', 'payment', 'txid'].map((name) => memberOf(value, name))
  const amounts = Object.entries(memberOf(value, 'amounts') ?? {})
  const isWhole =
    Number.isSafeInteger(at) &&
    typeof user === 'string' &&
    typeof payment === 'string' &&
    isHex32(txid) &&
    amounts.every(([, amount]) => typeof amount === 'string' && /^[0-9]{1,20}$/.test(amount))
  if (!isWhole) {
    const path = `record ${position} of the limits`
    throw new AntaraError('journal_malformed', { path, expected: 'a consumed amount' })
  }
  return {
    at,
    user,
    payment,
    txid,
    amounts: new Map(amounts.map(([asset, amount]) => [asset, BigInt(amount as string)])),
  }
}
