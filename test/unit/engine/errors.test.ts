// Errors tell what they are, to programs that have installed the library twice as well; and where
// more of them is told.

import { expect, test, vi } from 'vitest'

import { errorSummaries } from '../../../src/errors/codes.ts'
import * as library from '../../../src/index.ts'
import { AntaraError, isAntaraError, networks } from '../../../src/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import {
  createDaemonClient,
  isFrameworkError,
  isRpcError,
  RpcError,
  type RpcErrorKind,
} from '../../../src/rpc/index.ts'
import { daemonChain } from '../../../src/wallet/index.ts'
import { textOf } from '../../support/files.ts'
import { putModulesBack } from '../../support/own-modules.ts'

putModulesBack()

test('an error of another copy of the library is one too', async () => {
  vi.resetModules()
  const copy: typeof import('../../../src/index.ts') = await import('../../../src/index.ts')
  expect(copy.AntaraError).not.toBe(AntaraError)
  let error: unknown
  try {
    copy.decodeTransaction('01')
  } catch (caught) {
    error = caught
  }
  expect(error).not.toBeInstanceOf(AntaraError)
  expect([isAntaraError(error), isAntaraError(error, 'truncated')]).toEqual([true, true])
  expect(isAntaraError(error, 'empty_input')).toBe(false)
  expect(Object.keys(error as object).sort()).toEqual(['code', 'context', 'name'])
})

const copyOfRpc = async (): Promise<typeof import('../../../src/rpc/index.ts')> => {
  vi.resetModules()
  return await import('../../../src/rpc/index.ts')
}

test('an error of a call by another copy of the library is one too', async () => {
  const copy = await copyOfRpc()
  const error = new copy.RpcError('framework', 'no device', { errorType: 'HwError' })
  expect(error).not.toBeInstanceOf(RpcError)
  expect([isRpcError(error), isRpcError(error, 'framework')]).toEqual([true, true])
  expect([isRpcError(error, 'daemon'), isFrameworkError(error, 'HwError')]).toEqual([false, true])
  expect(isRpcError({ name: 'RpcError', kind: 'framework' })).toBe(false)
})

test('a chain source reads the errors of a daemon client of another copy', async () => {
  await using node = await createDevNode({ listen: false })
  node.mine(3)
  const login = { url: 'http://127.0.0.1:1', user: 'user', password: 'password' }
  // The daemon answers with an error beyond its tip, where a source ends its headers.
  const headersBy = async (create: typeof createDaemonClient) =>
    (await daemonChain(create({ ...login, fetch: node.fetch })).headers?.(2, 5))?.headers
  const own = await headersBy(createDaemonClient)
  expect(own?.length).toBeGreaterThan(0)
  const copy = await copyOfRpc()
  expect(copy.createDaemonClient).not.toBe(createDaemonClient)
  expect(await headersBy(copy.createDaemonClient)).toEqual(own)
})

test('an object that imitates an error of the library is no instance', () => {
  const { code, context } = new AntaraError('truncated', { offset: 0 })
  for (const value of [undefined, null, 'truncated', { code, context }, new Error('truncated')]) {
    expect(isAntaraError(value)).toBe(false)
    expect(isAntaraError(value, 'truncated')).toBe(false)
  }
})

/** The part of the package's pages that an address names. */
function pageAt(address: string): { file: string; anchors: number } {
  const [, file, anchor] = /^antara-tx\/(docs\/[\w-]+\.md)#(\w+)$/.exec(address)!
  return { file: file!, anchors: textOf(file!).split(`<a id="${anchor}"></a>`).length - 1 }
}

test('an error ends with the command that explains it, and its row is in the documents', () => {
  for (const code of Object.keys(errorSummaries) as (keyof typeof errorSummaries)[]) {
    const { message } = new AntaraError(code, { offset: 3, path: 'hex', actual: 'x' })
    expect(/ \(([^()]+)\)$/.exec(message)![1]!).toBe(`antara-tx explain ${code}`)
    const anchors = pageAt(`antara-tx/docs/errors.md#${code}`)
    expect(anchors).toEqual({ file: 'docs/errors.md', anchors: 1 })
  }
})

const kinds: Record<RpcErrorKind, true> = {
  transport: true,
  timeout: true,
  aborted: true,
  http: true,
  daemon: true,
  module: true,
  framework: true,
  task: true,
  shape: true,
}

test("an error of a server keeps the server's words, and carries the address", () => {
  for (const kind of Object.keys(kinds) as RpcErrorKind[]) {
    const error = new RpcError(kind, 'cant find tokenid', { method: 'tokeninfo' })
    expect(isRpcError(error, kind)).toBe(true)
    expect(error.message).toBe('cant find tokenid')
    expect(pageAt(error.docs)).toEqual({ file: 'docs/rpc.md', anchors: 1 })
    // the last of what Node prints of it
    expect(Object.keys(error).at(-1)).toBe('docs')
  }
})

const key = '1'.padStart(64, '0')
const wif = library.encodeWif(key, networks.komodo)
const pubkey = library.publicKeyOf(key, networks.komodo)
const address = library.addressOf(pubkey, networks.komodo)
const elsewhere = library.defineNetwork({ privateKeyPrefix: 128 })
const nothing = undefined as never

test.each<[string, () => unknown, RegExp]>([
  ['of another network', () => library.decodeWif(wif, elsewhere), /prefix 188, of another network/],
  [
    'mistyped',
    () =>
      library.decodeWif(
        wif.replace(/.$/, (last) => (last === '1' ? '2' : '1')),
        networks.komodo,
      ),
    /a character is mistyped/,
  ],
  [
    'with a trailing blank',
    () => library.decodeWif(`${wif} `, networks.komodo),
    /blanks around it/,
  ],
  ['an address', () => library.decodeWif(address, networks.komodo), /found "an address"/],
])('a private key that is %s is reported as that, without a part of it', (_, read, words) => {
  expect(read).toThrow(words)
  expect(read).not.toThrow(new RegExp(wif.slice(0, 20)))
})

test.each<[string, () => unknown]>([
  ['addressOf', () => library.addressOf(address, networks.komodo)],
  ['tokenScript', () => library.tokenScript(address)],
  ['tokenAddress', () => library.tokenAddress(address, networks.komodo)],
  ['tokenConditionTree', () => library.tokenConditionTree([pubkey, address])],
])('%s says so when a public key is an address', (_, read) => {
  expect(read).toThrow(`this is an address: ${address}`)
})

test.each<[string, () => unknown]>([
  ['addressOf', () => library.addressOf(pubkey, nothing)],
  ['decodeWif', () => library.decodeWif(wif, nothing)],
  ['encodeWif', () => library.encodeWif(key, nothing)],
  ['scriptOfAddress', () => library.scriptOfAddress(address, nothing)],
  ['signMessage', () => library.signMessage('hello', key, nothing)],
  ['verifyMessage', () => library.verifyMessage('hello', '', address, nothing)],
])('%s says so when the network is missing', (_, call) => {
  const words = 'network: expected a network, such as networks.komodo, got undefined'
  expect(call).toThrow(new TypeError(words))
})
