import { hexFromBytes } from '../primitives/hex.ts'
import { lossyUtf8Bytes } from '../primitives/utf8.ts'

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

/** Returns sources of regular expressions that find a secret's characters in every spelling. */
export function spelledForms(secret: string): string[] {
  const characters = [...secret]
  const parts: string[] = []
  for (let at = 0; at < characters.length; at += partCharactersMax) {
    const part = characters.slice(at, at + partCharactersMax)
    parts.push(part.map(formsOfCharacter).join(''))
  }
  return parts
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
}

function formsOfCharacter(character: string): string {
  const point = character.codePointAt(0)!
  const bytes = [...lossyUtf8Bytes(character)]
  const literal = escapedForPattern(character)
  const isWord = /[A-Za-z0-9]/.test(character)
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  const short = shortEscapes[character]
  const forms = [
    literal,
    units.map((unit) => `${backslashes}u${anyCase(unit.toString(16).padStart(4, '0'))}`).join(''),
    bytes.map((byte) => percent + anyCase(hexOfByte(byte))).join(''),
    `${ampersand}#0{0,6}${point};?`,
    `${ampersand}#[xX]0{0,6}${anyCase(point.toString(16))};?`,
    ...(isWord ? [] : [`${ampersand}[a-zA-Z]{2,8};`]),
    ...(character === ' ' ? ['\\+'] : []),
    ...(short === undefined ? [] : [`${backslashes}${short}`]),
    ...(point > 0x7f ? [escapedForPattern(String.fromCharCode(...bytes)), '\\ufffd{1,4}'] : []),
    ...(point > 0x7f && point <= 0xff ? [percent + anyCase(hexOfByte(point))] : []),
  ]
  // A character that JSON escapes can have several spellings after its backslash.
  const escaping = isWord ? '' : `${backslash}{0,8}`
  return `${escaping}(?:${forms.join('|')})`
}

/** Returns sources of expressions that find a secret's bytes in hex and base64, within any text. */
export function encodedForms(secret: string): string[] {
  const texts = [secret, JSON.stringify(secret).slice(1, -1)]
  return [...new Set(texts)].flatMap((text) => {
    const latin = [...text].every((it) => it.charCodeAt(0) <= 0xff && it.length === 1)
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

function hexOfByte(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

function anyCase(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

export function escapedForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
