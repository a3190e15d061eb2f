// The event stream: it reports the progress of tasks to its readers.

import { stringifyJson } from '../../primitives/json.ts'
import type { Answer } from '../../server/http-server.ts'

interface EventStreams {
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
  const listeners = new Map<number, (text: string) => void>()
  return {
    open: (requested) => {
      const [, id = '0'] = /[?&]id=(\d{1,15})(?:&|$)/.exec(requested) ?? []
      const clientId = Number(id)
      if (listeners.has(clientId)) return { status: 500, body: 'ID already in use' }
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }
      return {
        status: 200,
        headers,
        open: (write) => {
          listeners.set(clientId, write)
          return () => listeners.delete(clientId)
        },
      }
    },
    send: (clientId, type, message) => {
      listeners.get(clientId)?.(`data: ${stringifyJson({ _type: type, message })} \n\n`)
    },
  }
}
