// The head of a request, as far as a guard refuses it. Nothing of a head reaches the daemon.

import type { HttpRequest, Reply, RequestHead } from '../server/http-server.ts'

/** Returns the refusal of a head that two readers could read differently. */
export function headFault(head: RequestHead): Reply | undefined {
  const encoding = head.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    return text(415, 'the body is encoded, send it as it is\n')
  }
  for (const name of ['authorization', 'content-length', 'idempotency-key', 'host']) {
    if (count(head, name) > 1) return text(400, `the header ${name} is given twice\n`)
  }
  const key = idempotencyKey(head)
  // Some clients put a name in quotation marks, and others do not: it would be two payments.
  if (key !== undefined && !/^[\x21\x23-\x7e]{1,100}$/.test(key)) {
    const expected = '1 to 100 printable characters without spaces and quotation marks'
    return text(400, `idempotency-key: expected ${expected}\n`)
  }
  return undefined
}

/** Returns the name that a client gives the payment of a call. */
export function idempotencyKey({ headers }: Pick<HttpRequest, 'headers'>): string | undefined {
  const value = headers['idempotency-key']
  return typeof value === 'string' ? value : undefined
}

function count({ rawHeaders }: RequestHead, name: string): number {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length
}

function text(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'text/plain', connection: 'close' }, body }
}
