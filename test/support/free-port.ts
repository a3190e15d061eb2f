import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Systems give ports from 32768 on to connections, for example to those of other tests.
const ports = { first: 15_000, end: 32_768 }

/** Returns a port that is free now, and that no connection is given by the system. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.first, ports.end)
    if (await canListen(port)) return port
  }
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer()
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (isListening) await new Promise((resolve) => server.close(resolve))
  return isListening
}
