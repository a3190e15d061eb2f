// With --json, an error is an object on standard output too, so that a program reads one stream.

import { expect, test, vi } from 'vitest'

import { createDevFramework } from '../../../src/node/index.ts'
import { runCommand as antaraTx } from '../../support/cli.ts'

const errorOf = async (...args: string[]) => {
  const { status, output, errors } = await antaraTx(args)
  expect(errors).not.toBe('')
  return { status, ...(JSON.parse(output) as { error: object }) }
}

test('malformed data has its code and its byte', async () => {
  expect(await errorOf('decode', '--json', '0400008085202f8900')).toEqual({
    status: 2,
    error: {
      code: 'truncated',
      message: expect.stringContaining('input ended inside a field at byte '),
      offset: expect.any(Number),
      explain: 'antara-tx explain truncated',
    },
  })
})

test('a case file has the path of its fault', async () => {
  const { status, error } = await errorOf('verify', '--json', 'examples/transfer-request.json')
  expect(status).toBe(2)
  expect(error).toMatchObject({ code: 'malformed_case', path: 'file' })
})

test('wrong arguments name the help', async () => {
  expect(await errorOf('decode', '--json', '--nonsense')).toMatchObject({
    status: 64,
    error: { code: 'usage', explain: 'antara-tx decode --help' },
  })
})

test('a server that does not answer has the kind, and what refines it', async () => {
  vi.stubEnv('ANTARA_RPC_USER', 'user')
  vi.stubEnv('ANTARA_RPC_PASSWORD', 'password')
  const url = 'http://127.0.0.1:1'
  const { status, error } = await errorOf('rpc', 'daemon', 'getinfo', '--url', url, '--json')
  vi.unstubAllEnvs()
  expect(status).toBe(69)
  expect(error).toMatchObject({
    code: 'transport',
    reason: 'not_connected',
    method: 'getinfo',
    explain: 'antara-tx explain not_connected',
  })
})

test('a framework that refuses has its error type', async () => {
  const framework = await createDevFramework({ preset: '3.0.0' })
  vi.stubEnv('ANTARA_RPC_USERPASS', framework.userpass)
  const { url } = framework
  const args = ['rpc', 'framework', 'task-status', 'enable_bch', '3']
  const { status, error } = await errorOf(...args, '--url', url, '--json')
  vi.unstubAllEnvs()
  await framework.close()
  expect(status).toBe(1)
  expect(error).toMatchObject({ code: 'framework', errorType: 'NoSuchTask' })
})

test('standard output stays empty without --json', async () => {
  const { output, errors } = await antaraTx(['decode', '0400008085202f8900'])
  expect(output).toBe('')
  expect(errors).toContain('(antara-tx explain truncated)')
})
