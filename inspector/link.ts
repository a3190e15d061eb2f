// The pasted text as a part of the page's address that browsers send to no server.

import type { networks } from '../src/index.ts'

export type NetworkName = keyof typeof networks

export interface Linked {
  readonly text: string
  readonly network: NetworkName
}

/** Characters that a link may hold, packed and unpacked. */
const packedMax = 2_000_000
const textMax = 20_000_000

/**
 * @returns the fragment, without its `#`
 * @throws {RangeError} for what no link holds
 */
export async function packLink({ text, network }: Linked): Promise<string> {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  const text64 = base64Url(packed)
  if (text64.length > packedMax) throw new RangeError('this is too long for an address')
  return `network=${network}&z=${text64}`
}

/**
 * Reads a fragment.
 *
 * @returns undefined where it holds nothing
 * @throws {RangeError} if it unpacks to more than a page should read
 * @throws {TypeError} if it is no link of ours
 */
export async function unpackLink(
  fragment: string,
  names: readonly string[],
): Promise<Linked | undefined> {
  const members = new URLSearchParams(fragment.replace(/^#/, ''))
  const packed = members.get('z')
  const plain = members.get('hex')
  const network = members.get('network') ?? 'assetChain'
  if (packed === null && plain === null) return undefined
  if (!names.includes(network)) throw new TypeError('the link names an unknown network')
  if (packed === null) return { text: plain!, network: network as NetworkName }
  if (packed.length > packedMax) throw new RangeError('the link is too long')
  const bytes = await through(fromBase64Url(packed), new DecompressionStream('deflate-raw'))
  return {
    text: new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    network: network as NetworkName,
  }
}

/**
 * Copies a link.
 *
 * @param clipboard - undefined in a page that came without TLS
 * @returns false if the page may not write to the clipboard
 */
export async function copyLink(
  link: string,
  clipboard: { writeText(text: string): Promise<void> } | undefined,
): Promise<boolean> {
  try {
    await clipboard!.writeText(link)
    return true
  } catch {
    return false
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > textMax) {
      await reader.cancel()
      throw new RangeError(`the link unpacks to more than ${textMax} bytes`)
    }
    chunks.push(value)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

function base64Url(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  }
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  let binary: string
  try {
    binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  } catch {
    throw new TypeError('the link is damaged')
  }
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
