// The bytes of a journal file: a line of text that names the format, then one frame per record.
//
//   length   u32le   bytes of the payload, at least 1
//   number   u32le   position of the record, from 1
//   checksum 32      SHA-256 of length, number and payload
//   payload          UTF-8
//
// A record is appended by one write and one fsync, so a power failure can tear only the last frame.
// It is then cut short, or has zeros where data never reached the disk. A file with any other
// damage is refused and left as it is.

import { createHash } from 'node:crypto'
import { textCharactersMax } from './arguments.ts'

const version = 1
const headerText = `antara-tx journal ${version}\n`
export const header: Uint8Array = new TextEncoder().encode(headerText)

const frameBytes = 40
/** UTF-8 needs at most three bytes for each UTF-16 unit. */
const payloadBytesMax = 3 * textCharactersMax
/** Bytes that a disk writes atomically. A torn write leaves whole blocks of zeros. */
const blockBytes = 512

interface Contents {
  readonly texts: readonly string[]
  /** Offset of the next frame. */
  readonly end: number
  /** Bytes of a torn frame after `end`; 0 if there is none. */
  readonly torn: number
}

/** A fault of a file, and its offset. */
export interface Damage {
  readonly problem: 'foreign' | 'version' | 'damaged'
  readonly offset: number
}

/** Reads a whole file. An empty file, or one with a torn header, has no texts and `end` 0. */
export function readFile(bytes: Uint8Array): Contents | Damage {
  if (isTornHeader(bytes)) return { texts: [], end: 0, torn: bytes.length }
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, header.length + 8))
  const [, number] = /^antara-tx journal (\d{1,9})\n/.exec(head) ?? []
  if (number === undefined) return { problem: 'foreign', offset: 0 }
  if (Number(number) !== version) return { problem: 'version', offset: headerText.indexOf('1') }
  return readFrames(bytes)
}

function readFrames(bytes: Uint8Array): Contents | Damage {
  const texts: string[] = []
  let end = header.length
  for (;;) {
    const payload = payloadAt(bytes, end, texts.length + 1)
    if (payload === undefined) return endOfFrames(bytes, texts, end)
    const text = decodeUtf8(payload)
    if (text === undefined) return { problem: 'damaged', offset: end }
    texts.push(text)
    end += frameBytes + payload.length
  }
}

/** Decides whether the bytes after the last whole frame, if there are any, are torn or damaged. */
function endOfFrames(bytes: Uint8Array, texts: readonly string[], end: number): Contents | Damage {
  const torn = bytes.length - end
  const isTorn =
    torn <= frameBytes + payloadBytesMax && !hasFrame(bytes, end) && isUnfinished(bytes, end)
  return isTorn ? { texts, end, torn } : { problem: 'damaged', offset: end }
}

/**
 * Returns whether a whole frame follows where one is missing. It was appended later, so the missing
 * one had been whole.
 */
function hasFrame(bytes: Uint8Array, start: number): boolean {
  const view = viewOf(bytes)
  // The last byte of a number is zero, and text has no zeros, so few places are looked at.
  for (let zero = bytes.indexOf(0, start + 7); zero >= 0; zero = bytes.indexOf(0, zero + 1)) {
    const number = view.getUint32(zero - 3, true)
    if (payloadAt(bytes, zero - 7, number) !== undefined) return true
  }
  return false
}

/** Returns whether a frame was cut short, or has zeros where its data never reached the disk. */
function isUnfinished(bytes: Uint8Array, start: number): boolean {
  if (bytes.length - start <= frameBytes) return true
  const length = viewOf(bytes).getUint32(start, true)
  if (length <= payloadBytesMax && start + frameBytes + length > bytes.length) return true
  if (bytes.at(-1) === 0) return true
  for (let at = start; at < bytes.length; at += blockBytes - (at % blockBytes)) {
    const block = bytes.subarray(at, at + blockBytes - (at % blockBytes))
    if (block.every((byte) => byte === 0)) return true
  }
  return false
}

function payloadAt(bytes: Uint8Array, start: number, number: number): Uint8Array | undefined {
  if (start + frameBytes > bytes.length) return undefined
  const view = viewOf(bytes)
  const length = view.getUint32(start, true)
  if (length === 0 || length > payloadBytesMax) return undefined
  if (view.getUint32(start + 4, true) !== number) return undefined
  const stop = start + frameBytes + length
  if (stop > bytes.length) return undefined
  const payload = bytes.subarray(start + frameBytes, stop)
  const stored = bytes.subarray(start + 8, start + frameBytes)
  const computed = checksum(bytes.subarray(start, start + 8), payload)
  return computed.every((byte, at) => byte === stored[at]) ? payload : undefined
}

function isTornHeader(bytes: Uint8Array): boolean {
  if (bytes.length > header.length) return false
  const isWhole = bytes.length === header.length && bytes.every((byte, at) => byte === header[at])
  return !isWhole && bytes.every((byte, at) => byte === header[at] || byte === 0)
}

/** Returns the bytes of one record. @param number - its position, from 1 */
export function frame(number: number, text: string): Uint8Array {
  const payload = new TextEncoder().encode(text)
  const bytes = new Uint8Array(frameBytes + payload.length)
  const view = viewOf(bytes)
  view.setUint32(0, payload.length, true)
  view.setUint32(4, number, true)
  bytes.set(payload, frameBytes)
  bytes.set(checksum(bytes.subarray(0, 8), payload), 8)
  return bytes
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

function checksum(head: Uint8Array, payload: Uint8Array): Uint8Array {
  return createHash('sha256').update(head).update(payload).digest()
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
