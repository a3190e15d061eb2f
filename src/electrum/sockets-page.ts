import { RpcError } from '../rpc/errors.ts'
import type { CertificateStore, MessageStream } from './stream.ts'

/** Pages have no TCP. Node has sockets-node.ts instead. */
export function openSocketStream(): Promise<MessageStream> {
  const message = 'a page cannot connect to tcp:// or ssl://: use wss://'
  return Promise.reject(new RpcError('transport', message, { reason: 'not_connected' }))
}

/** Pages have no files. Node has certificate-store.ts instead. */
export function fileCertificateStore(_path: string): CertificateStore {
  throw new TypeError('fileCertificateStore needs Node: a page checks certificates by itself')
}
