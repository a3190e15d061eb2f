import { type HttpServerRules, openHttpServer } from '../server/http-server.ts'
import { operations } from './operations.ts'
import type { CommonOptions } from './options.ts'
import type { Upstream } from './upstream.ts'

/** A guard that listens. */
export interface Guard {
  /** With the real port, and a slash at the end. */
  readonly url: string
  readonly port: number
  /** Ends the connections after their answers. May be called twice. */
  close(): Promise<void>
}

/** Listens for clients, and for operators beside them. */
export async function listen(
  options: CommonOptions,
  upstream: Upstream,
  { admit, handle }: Required<Pick<HttpServerRules, 'admit' | 'handle'>>,
): Promise<Guard> {
  const server = await openHttpServer(
    { admit: (head) => operations(head, options) ?? admit(head), handle },
    options.listen ?? {},
  )
  return {
    url: server.url,
    port: server.port,
    async close() {
      await server.close()
      upstream.close()
    },
  }
}
