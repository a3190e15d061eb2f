// The event stream: what becomes of tasks, told to whoever asked.

import { stringifyJson } from '../../primitives/json.ts'
import type { Answer } from '../http/door.ts'

export interface EventStreams {
  /** The answer to `GET /event-stream?id=…`. */
  open(path: string): Answer
  send(clientId: number, type: string, message: unknown): void
}

const path = '/event-stream'

export function isEventStream(requested: string): boolean {
  return requested === path || requested.startsWith(`${path}?`)
}

/** @see komodo-defi-framework mm2_net/src/event_streaming/sse_handler.rs */
export function createEventStreams(): EventStreams {
  const listeners = new Map<number, Set<(text: string) => void>>()
  return {
    open: (requested) => {
      const id = new URL(requested, 'http://localhost').searchParams.get('id') ?? '0'
      if (!/^\d{1,20}$/.test(id)) return { status: 500, body: 'Invalid id query parameter' }
      const clientId = Number(id)
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }
      return {
        status: 200,
        headers,
        open: (write) => {
          const others = listeners.get(clientId) ?? new Set()
          listeners.set(clientId, others.add(write))
          return () => {
            others.delete(write)
            if (others.size === 0) listeners.delete(clientId)
          }
        },
      }
    },
    send: (clientId, type, message) => {
      const text = `data: ${stringifyJson({ _type: type, message })}\n\n`
      for (const write of listeners.get(clientId) ?? []) write(text)
    },
  }
}
