import { RpcError } from '../rpc/errors.ts'
import {
  type MessageStream,
  type ServerAddress,
  type StreamEvents,
  type StreamOptions,
  tooLarge,
  type WebSocketClass,
} from './stream.ts'

/**
 * Connects by WebSocket, on which each message is one frame of text.
 *
 * The platform checks certificates and does not show them. It has read a message when this sees
 * its length.
 *
 * @throws {RpcError} of kind `transport`
 */
export function openWebStream(
  { url }: ServerAddress,
  events: StreamEvents,
  options: StreamOptions,
): Promise<MessageStream> {
  const { WebSocket = (globalThis as { WebSocket?: WebSocketClass }).WebSocket } = options
  if (WebSocket === undefined) {
    const message = 'this platform has no WebSocket: pass one as the option WebSocket'
    return Promise.reject(new RpcError('transport', message, { reason: 'not_connected' }))
  }
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    socket.binaryType = 'arraybuffer'
    let isOpen = false
    let isClosed = false
    const end = (error: RpcError): void => {
      if (isClosed) return
      isClosed = true
      socket.close()
      if (isOpen) events.onClose(error)
      else reject(error)
    }
    socket.onopen = () => {
      isOpen = true
      resolve({
        trust: url.startsWith('wss:') ? 'authorities' : 'none',
        send: (text) => socket.send(text),
        close: () => {
          isClosed = true
          socket.close()
        },
      })
    }
    socket.onmessage = ({ data }) => {
      if (isClosed) return
      if (typeof data !== 'string') {
        const message = 'the server sent a binary frame'
        end(new RpcError('shape', message, { reason: 'wrong_envelope' }))
      } else if (data.length > events.bytesMax()) {
        end(tooLarge(events.bytesMax()))
      } else {
        events.onMessage(data)
      }
    }
    const lost = (): void => {
      const reason = isOpen ? 'connection_lost' : 'not_connected'
      end(new RpcError('transport', isOpen ? 'the connection broke' : 'no connection', { reason }))
    }
    socket.onerror = lost
    socket.onclose = lost
  })
}
