import type { IncomingMessage } from 'node:http'

import type { HeldBytes } from './bounds.ts'

/** A request's body, counted as held until it is released. */
export interface Body {
  readonly fault?: 'too large' | 'no room' | 'broken off'
  /** Null if its bytes are not UTF-8, or with a fault. */
  readonly text: string | null
  release(): void
}

/** Reads a body of at most `bytesMax`. A larger one is read to its end and dropped. */
export async function readBody(
  request: IncomingMessage,
  bytesMax: number,
  held: HeldBytes,
): Promise<Body> {
  let bytes = 0
  const body = (outcome: Pick<Body, 'fault' | 'text'>): Body => ({
    ...outcome,
    release: () => {
      held.release(bytes)
      bytes = 0
    },
  })
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
    return body({ fault: 'too large', text: null })
  }
  // Admission may have taken its time, and the client may be gone.
  if (request.destroyed && !request.complete) return body({ fault: 'broken off', text: null })
  const chunks: Buffer[] = []
  const fault = await new Promise<Body['fault']>((resolve) => {
    let isOver = false
    const end = (why: Body['fault']): void => {
      isOver = true
      chunks.length = 0
      resolve(why)
    }
    request.on('data', (chunk: Buffer) => {
      // The rest is read and dropped; otherwise the client could not read the answer.
      if (isOver) return
      bytes += chunk.length
      const hasRoom = held.add(chunk.length)
      if (bytes > bytesMax) end('too large')
      else if (!hasRoom) end('no room')
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(undefined))
    request.on('close', () => {
      if (!request.complete) end('broken off')
    })
  })
  return body(
    fault === undefined ? { text: decoded(Buffer.concat(chunks)) } : { fault, text: null },
  )
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decoded(body: Buffer): string | null {
  try {
    return utf8.decode(body)
  } catch {
    return null
  }
}
