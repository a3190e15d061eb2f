// The spellings in which a server may send a secret back, escaped or encoded.

import { hexFromBytes } from '../primitives/hex.ts'
import { lossyUtf8Bytes } from '../primitives/utf8.ts'
import { byteHex } from '../primitives/wire.ts'

// The forms in which a server can write a secret that it received. Each character may be plain,
// escaped for JSON (once or twice), for a URL or for HTML, or be bytes read in another encoding.
// The whole may be in hex or base64, alone or within a longer text.

/** A backslash, escaped again or written for a URL. Bounded, so that a long run costs little. */
const backslash = '(?:\\\\|%(?:25){0,3}5[cC])'
const backslashes = `${backslash}{1,8}`
/** A percent sign that was encoded again. */
const percent = '%(?:25){0,3}'
const ampersand = '(?:&|%26)(?:amp;){0,3}'

/** Longer texts are neither passwords nor keys; they are searched for in parts. */
const partCharactersMax = 256

/**
 * Returns sources of regular expressions that find a secret's characters in every spelling.
 *
 * No text can be read as the same characters in two ways. Otherwise a server could write one on
 * which a search would try them all, for years.
 */
export function spelledForms(secret: string): string[] {
  const characters = [...secret]
  const parts: string[] = []
  for (let at = 0; at < characters.length; at += partCharactersMax) {
    parts.push(formsOfPart(characters.slice(at, at + partCharactersMax).join('')))
  }
  return parts
}

/** A reader of ASCII shows other characters alike, and so does JSON with its backslashes. */
const alike = /\\+|[\u0080-\u{10ffff}]+|./gsu

function formsOfPart(part: string): string {
  let isEscaped = false
  const forms = (part.match(alike) ?? []).map((run) => {
    const isFirstEscaped = isEscaped
    isEscaped = run.startsWith('\\')
    if (isEscaped) return formsOfBackslashes(run.length)
    const characters = [...run]
    const each = characters.map((it, at) => formsOfCharacter(it, isFirstEscaped && at === 0))
    const spelled = each.join('')
    // U+FFFD itself has this form already.
    if (/^(?:[^\u0080-\u{10ffff}]|\ufffd+)$/u.test(run)) return spelled
    return `(?:\\ufffd{1,${4 * characters.length}}|${spelled})`
  })
  return forms.join('')
}

/** The backslashes of a secret, and those that escape them or what follows. */
function formsOfBackslashes(count: number): string {
  const reference = `${ampersand}(?:#0{0,6}92;?|#[xX]0{0,6}5[cC];?|bsol;)`
  return `(?:${backslash}(?:u005[cC])?|${reference}){${count},${9 * count + 8}}`
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
}

/** @param isEscaped - backslashes were read before it, and those of its escape with them */
function formsOfCharacter(character: string, isEscaped: boolean): string {
  const point = character.codePointAt(0)!
  const bytes = [...lossyUtf8Bytes(character)]
  const isWord = /[A-Za-z0-9]/.test(character)
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  const hexUnits = units.map((unit) => `u${anyCase(unit.toString(16).padStart(4, '0'))}`)
  const short = shortEscapes[character]
  const escaped = [hexUnits.join(backslashes), ...(short === undefined ? [] : [short])]
  // Some are the same for ASCII, and a search would try each of them.
  const forms = new Set([
    escapedForPattern(character),
    escapedForPattern(String.fromCharCode(...bytes)),
    bytes.map((byte) => percent + anyCase(byteHex(byte))).join(''),
    ...(point <= 0xff ? [percent + anyCase(byteHex(point))] : []),
    `${ampersand}#0{0,6}${point};?`,
    `${ampersand}#[xX]0{0,6}${anyCase(point.toString(16))};?`,
    ...(isWord ? [] : [`${ampersand}(?!bsol;)[a-zA-Z]{2,8};`]),
    ...(character === ' ' ? ['\\+'] : []),
  ])
  if (isEscaped) return `(?:${[...forms, ...escaped].join('|')})`
  // An encoded backslash before a percent sign is one that the secret may have after it.
  const needless = character === '%' ? '\\\\{0,8}' : `${backslash}{0,8}`
  const plain = `${isWord ? '' : needless}(?:${[...forms].join('|')})`
  return `(?:${plain}|${backslashes}(?:${escaped.join('|')}))`
}

/** Returns sources of expressions that find a secret's bytes in hex and base64, within any text. */
export function encodedForms(secret: string): string[] {
  const texts = [secret, JSON.stringify(secret).slice(1, -1)]
  return [...new Set(texts)].flatMap((text) => {
    const latin = [...text].every((it) => it.charCodeAt(0) <= 0xff)
    const codings = [
      lossyUtf8Bytes(text),
      ...(latin ? [Uint8Array.from(text, (it) => it.charCodeAt(0))] : []),
    ]
    return codings.flatMap((bytes) => [hexForm(bytes), ...base64Forms(bytes)])
  })
}

/** A shorter encoding may occur anywhere by chance. */
const encodedCharactersMin = 8

function hexForm(bytes: Uint8Array): string {
  const digits = hexFromBytes(bytes)
  if (digits.length < encodedCharactersMin) return ''
  const pairs = digits.match(/../g) ?? []
  return pairs.map(anyCase).join('(?:\\\\{1,2}x|0x|[ :,-])?')
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Returns, for each of three offsets in a group of bytes, the digits that depend on the secret
 * alone.
 */
function base64Forms(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((before) => {
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor(((before + bytes.length) * 8) / 6)
    let digits = ''
    for (let at = first; at < last; at += 1) digits += alphabet[sextet(bytes, at * 6 - before * 8)]!
    if (digits.length < encodedCharactersMin) return []
    return [[...digits].map(formsOfDigit).join('')]
  })
}

/** Returns the six bits from bit `start`. */
function sextet(bytes: Uint8Array, start: number): number {
  const at = start >> 3
  const pair = (bytes[at]! << 8) | (bytes[at + 1] ?? 0)
  return (pair >> (10 - (start & 7))) & 0x3f
}

/** Returns a pattern for a digit of either alphabet, also escaped for JSON or a URL. */
function formsOfDigit(digit: string): string {
  if (digit === '+') return `(?:\\+|-|${percent}2[bB])`
  if (digit === '/') return `(?:\\\\{0,8}\\/|_|${percent}2[fF])`
  return digit
}

function anyCase(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

export function escapedForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
