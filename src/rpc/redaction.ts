// Removes secrets from text and errors that passed through a server.

import { base64OfBytes } from '../primitives/base64.ts'
import { isLosslessNumber } from '../primitives/json.ts'
import { lossyUtf8Bytes } from '../primitives/utf8.ts'
import { encodedForms, escapedForPattern, spelledForms } from './secret-forms.ts'

/** Replaces secrets by `[redacted]` in everything that may have passed through a peer. */
export interface Redactor {
  text(value: string): string
  /**
   * Redacts the strings of plain data. Redacts a number, or a string of digits, only if it equals a
   * secret: a PIN consists of digits, and amounts that contain them must stay.
   */
  value(value: unknown): unknown
  /**
   * As `value`, for the result of a call: redacts a secret only as a whole word. A transaction or an
   * address may contain the digits of a PIN by chance, and would be lost with them.
   */
  result(value: unknown): unknown
  /**
   * Reduces a foreign error to its name, code, message and causes, because the original may hold
   * the request with its headers.
   */
  error(value: unknown): unknown
}

/**
 * Builds a redactor for the secrets of one call.
 *
 * Each secret is found in every form in which a server can write it. It may be escaped for JSON,
 * once or twice, for a URL or HTML, or be in hex, or in base64 within any surrounding text.
 */
export function redactor(secrets: readonly string[]): Redactor {
  const text = replacer(secrets, findersOf)
  const word = replacer(secrets, wordFindersOf)
  const ofData = (value: unknown, hide: (text: string) => string): unknown => {
    const number = numberText(value)
    if (number !== undefined) return secrets.includes(number) ? redacted : value
    if (typeof value === 'string') return hide(value)
    if (Array.isArray(value)) return value.map((item) => ofData(item, hide))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([member, item]) => [hide(member), ofData(item, hide)]),
    )
  }
  const ofValue = (value: unknown): unknown => ofData(value, text)
  const ofError = (value: unknown, depth = 0): unknown => {
    if (!(value instanceof Error)) return ofValue(value)
    const { cause } = value
    const copy = new Error(
      text(value.message),
      cause === undefined || depth >= 4 ? undefined : { cause: ofError(cause, depth + 1) },
    )
    copy.name = text(value.name)
    const code = codeOf(value)
    return code === undefined ? copy : Object.assign(copy, { code: text(code) })
  }
  return { text, value: ofValue, result: (value) => ofData(value, word), error: ofError }
}

/** Builds the expressions on first use, because most calls succeed. */
function replacer(
  secrets: readonly string[],
  findersOfOne: (secret: string) => RegExp[],
): (value: string) => string {
  let forms: readonly RegExp[] | undefined
  return (value) => {
    forms ??= longestFirst(secrets).flatMap(findersOfOne)
    return forms.reduce((rest, form) => rest.replaceAll(form, redacted), value)
  }
}

/**
 * Returns a function that makes a redactor, and reuses the last one if the secrets are the same.
 */
export function keptRedactor(): (secrets: readonly string[]) => Redactor {
  let known: readonly string[] = []
  let redact = redactor(known)
  return (secrets) => {
    const isSame =
      secrets.length === known.length && secrets.every((secret, at) => secret === known[at])
    if (!isSame) {
      known = [...secrets]
      redact = redactor(known)
    }
    return redact
  }
}

const redacted = '[redacted]'

/** Returns the digits of a number, in any form in which a reply can have it. */
function numberText(value: unknown): string | undefined {
  if (isLosslessNumber(value)) return value.value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? value : undefined
}

/** Sorts texts by length, so that a short secret inside a longer one does not break its match. */
function longestFirst(texts: readonly string[]): string[] {
  return [...new Set(texts)]
    .filter((text) => text.length > 0)
    .sort((one, other) => other.length - one.length)
}

/** A shorter secret may be part of a word by chance. */
const distinctiveCharactersMin = 8

/**
 * Returns expressions for all forms of a secret. They match a short secret only as a whole word.
 */
function findersOf(secret: string): RegExp[] {
  const isShort = secret.length < distinctiveCharactersMin
  const [before, after] = isShort ? [edge(secret[0]!, '<'), edge(secret.at(-1)!, '')] : ['', '']
  const spelled = spelledForms(secret).map((form) => `${before}${form}${after}`)
  const whole = isShort ? [escapedForPattern(base64(secret))] : []
  return expressions([...spelled, ...encodedForms(secret), ...whole])
}

/** A longer secret is no part of a transaction or an address by chance. */
const chanceCharactersMax = 64

/**
 * Returns expressions that find a secret as a whole word, and a long one anywhere. Letters and
 * digits alike make a word, as in hex and in addresses.
 */
function wordFindersOf(secret: string): RegExp[] {
  if (secret.length > chanceCharactersMax) return findersOf(secret)
  const forms = [
    ...spelledForms(secret),
    ...encodedForms(secret),
    escapedForPattern(base64(secret)),
  ]
  return expressions(forms.map(asWord))
}

function asWord(form: string): string {
  return form === '' ? '' : `(?<![A-Za-z0-9])(?:${form})(?![A-Za-z0-9])`
}

function expressions(forms: readonly string[]): RegExp[] {
  return forms.filter((form) => form !== '').map((form) => new RegExp(form, 'g'))
}

/** Returns a lookaround that forbids a further letter or digit of the same kind at an edge. */
function edge(character: string, side: '<' | ''): string {
  const kind = ['A-Za-z', '0-9'].find((range) => new RegExp(`[${range}]`).test(character))
  return kind === undefined ? '' : `(?${side}![${kind}])`
}

/** Encodes the text's UTF-8 bytes in base64, as in a Basic authorization header. */
export function base64(text: string): string {
  return base64OfBytes(lossyUtf8Bytes(text))
}

/** Returns the code of a socket error, from the error or one of its causes. */
export function codeOf(error: unknown): string | undefined {
  for (const it of causesOf(error)) {
    const code: unknown = (it as { code?: unknown }).code
    if (typeof code === 'string') return code
  }
  return undefined
}

/** Yields an error and its chain of causes. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) yield at
}
