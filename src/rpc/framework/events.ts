import { isUint8Array } from '../../primitives/arguments.ts'
import { whenAborted } from '../clock.ts'
import { discardBody, type Fetch, type FetchResponse, send } from '../transport.ts'

/** A connection to the server's event stream. It is a hint, never a source of results. */
export interface EventStream {
  /** Number under which this client requested events. */
  readonly clientId: number
  /** Calls `wake` at each event of the task. Returns a function that stops it. */
  listen(taskId: number, wake: () => void): () => void
  close(): void
}

// A longer line is not an event of the server.
const lineCharactersMax = 1024 * 1024
const connectMsMax = 2_000

/**
 * Opens `GET /event-stream` before the task begins, so that no event is missed.
 *
 * If there is none, because it has to be configured at the server, or if it breaks, the client
 * still polls: events only make it poll sooner.
 *
 * @param signal - ends the opening; an open stream stays until it is closed
 */
export async function openEventStream(
  url: string,
  fetch: Fetch | undefined,
  clientId: number,
  signal?: AbortSignal,
): Promise<EventStream> {
  const halt = new AbortController()
  const wakes = new Map<string, () => void>()
  const address = new URL('/event-stream', url)
  address.searchParams.set('id', String(clientId))
  const giveUp = setTimeout(() => halt.abort(), connectMsMax)
  const leave = signal && whenAborted(signal, () => halt.abort())
  const response = await send(fetch, address.href, {
    method: 'GET',
    headers: { accept: 'text/event-stream' },
    signal: halt.signal,
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
  }).catch(() => undefined)
  clearTimeout(giveUp)
  leave?.()
  if (response !== undefined) {
    if (response.status === 200) void readLines(response, halt.signal, wakes)
    else discardBody(response)
  }
  return {
    clientId,
    listen: (taskId, wake) => {
      const marker = `"TASK:${taskId}"`
      wakes.set(marker, wake)
      return () => wakes.delete(marker)
    },
    close: () => halt.abort(),
  }
}

async function readLines(
  response: FetchResponse,
  signal: AbortSignal,
  wakes: ReadonlyMap<string, () => void>,
): Promise<void> {
  const reader = response.body?.getReader()
  const onAbort = (): void => void reader?.cancel().catch(() => undefined)
  signal.addEventListener('abort', onAbort, { once: true })
  const decoder = new TextDecoder()
  let rest = ''
  try {
    while (reader !== undefined) {
      const { done, value } = await reader.read()
      if (done || !isUint8Array(value)) break
      // Only what is new is searched, because a line may come in very many pieces.
      const [end = '', ...more] = decoder.decode(value, { stream: true }).split(/\r\n|\r|\n/)
      rest += end
      const next = more.pop()
      if (next !== undefined) {
        for (const line of [rest, ...more]) announce(line, wakes)
        rest = next
      }
      if (rest.length > lineCharactersMax) break
    }
  } catch {
    // The client polls without it.
  } finally {
    signal.removeEventListener('abort', onAbort)
    onAbort()
  }
}

/** @see komodo-defi-framework mm2_event_stream, StreamerId::Task, shown as `TASK:<id>` */
function announce(line: string, wakes: ReadonlyMap<string, () => void>): void {
  if (!line.startsWith('data:')) return
  for (const [marker, wake] of wakes) if (line.includes(marker)) wake()
}
