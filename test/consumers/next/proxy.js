// The policy of every page: scripts that carry this answer's nonce, and what docs/browsers.md asks for.

import { randomUUID } from 'node:crypto'
import { NextResponse } from 'next/server'

export function proxy(request) {
  const nonce = randomUUID()
  const wasm = request.nextUrl.searchParams.has('strict') ? '' : " 'wasm-unsafe-eval'"
  const policy = [
    "default-src 'none'; connect-src 'none'; img-src 'self'; style-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${wasm}`,
  ].join('; ')
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}
