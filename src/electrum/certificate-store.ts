import { randomUUID } from 'node:crypto'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { isHex32 } from '../primitives/hex-forms.ts'

import { RpcError } from '../rpc/errors.ts'
import type { CertificateStore } from './stream.ts'

/** Bits of a file's mode that let other users read or change it. */
const openToOthers = 0o077
const bytesMax = 1_000_000

/**
 * Keeps certificates of first connections in a file that only you can read.
 *
 * Two processes that write at the same moment lose one of the certificates; the next connection
 * keeps it again.
 *
 * @param path - the file; it is made with mode 600 if it is not there
 * @returns a store for the option `tls.store`
 * @throws {RpcError} of kind `transport` and reason `store_unusable`, on use, for a file that others
 *   can read or change, or that holds something else
 * @example
 * const store = fileCertificateStore('certificates.json')
 * createElectrumClient({ servers, tls: { trust: 'first-use', store } })
 */
export function fileCertificateStore(path: string): CertificateStore {
  return {
    async get(server) {
      const known = await readStore(path)
      return Object.hasOwn(known, server) ? known[server] : undefined
    },
    async put(server, fingerprint) {
      const known = { ...(await readStore(path)), [server]: fingerprint }
      const partial = `${path}.${randomUUID()}`
      try {
        const text = `${JSON.stringify(known, undefined, 2)}\n`
        await writeFile(partial, text, { flag: 'wx', mode: 0o600, flush: true })
        await rename(partial, path)
      } catch (cause) {
        await rm(partial, { force: true })
        throw unusable(path, 'cannot be written', cause)
      }
    },
  }
}

async function readStore(path: string): Promise<Record<string, string>> {
  let text: string
  try {
    const file = await open(path, 'r')
    try {
      const { mode, size } = await file.stat()
      const isWindows = process.platform === 'win32'
      if (!isWindows && (mode & openToOthers) !== 0) {
        throw unusable(path, 'can be read or changed by others: chmod 600')
      }
      if (size > bytesMax) throw unusable(path, 'is not a store of certificates')
      text = await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return {}
    throw error instanceof RpcError ? error : unusable(path, 'cannot be read', error)
  }
  const rows = entriesOf(text)
  if (rows === undefined) throw unusable(path, 'is not a store of certificates')
  return Object.fromEntries(rows)
}

/** Returns the rows of a store; `undefined` for any other text. */
function entriesOf(text: string): [string, string][] | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const rows = Object.entries(value)
  const isRight = rows.every(([, it]) => isHex32(it))
  return isRight ? rows : undefined
}

function unusable(path: string, why: string, cause?: unknown): RpcError {
  return new RpcError('transport', `${path} ${why}`, { reason: 'store_unusable', cause })
}
