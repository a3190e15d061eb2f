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
   * As `value`, for the result of a task. Redacts a typed secret of few letters and digits only as a
   * whole word. A transaction or an address may contain a PIN by chance, and would be lost with it.
   * A number that equals a PIN is hidden, as in `value`; the decimals of a number are not.
   */
  result(value: unknown): unknown
  /** As `result`, for the JSON text of a reply, of which the rest stays as it is. */
  resultText(json: string): string
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
 *
 * @param own - the passwords of the client
 * @param typed - what a user typed for a task: a PIN or a passphrase
 */
export function redactor(own: readonly string[], typed: readonly string[] = []): Redactor {
  const secrets = [...own, ...typed]
  const text = replacer(secrets, findersOf)
  const word = replacer(secrets, (secret) =>
    mayBeChance.test(secret) && !own.includes(secret) ? wordFindersOf(secret) : findersOf(secret),
  )
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
  const ofResult = (value: unknown): unknown => ofData(value, word)
  const ofToken = (token: string): string => {
    const value: unknown = token.startsWith('"') ? JSON.parse(token) : token
    const shown = ofResult(value)
    return shown === value ? token : JSON.stringify(shown)
  }
  return {
    text,
    value: ofValue,
    result: ofResult,
    resultText: (json) => json.replaceAll(jsonToken, ofToken),
    error: ofError,
  }
}

/** A string or a number of JSON. */
const jsonToken = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

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
export function keptRedactor(): typeof redactor {
  let known: readonly (readonly string[])[] = [[], []]
  let redact = redactor([])
  return (own, typed = []) => {
    const isSame = [own, typed].every((texts, at) => areSameTexts(texts, known[at]!))
    if (!isSame) {
      known = [[...own], [...typed]]
      redact = redactor(own, typed)
    }
    return redact
  }
}

function areSameTexts(texts: readonly string[], others: readonly string[]): boolean {
  return texts.length === others.length && texts.every((text, at) => text === others[at])
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

/** A longer secret, or one with other characters, is no part of a transaction by chance. */
const mayBeChance = /^[A-Za-z0-9]{1,16}$/

/**
 * Returns expressions that find a secret as a whole word. Letters and digits alike make a word, as
 * in hex and in addresses, and so do the decimals of a number.
 */
function wordFindersOf(secret: string): RegExp[] {
  const forms = [
    ...spelledForms(secret),
    ...encodedForms(secret),
    escapedForPattern(base64(secret)),
  ]
  return expressions(forms.map(asWord))
}

function asWord(form: string): string {
  return form === '' ? '' : `(?<![A-Za-z0-9]|\\d\\.)(?:${form})(?![A-Za-z0-9]|\\.\\d)`
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

export function* causesOf(error: unknown): Generator<Error> {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) yield at
}
