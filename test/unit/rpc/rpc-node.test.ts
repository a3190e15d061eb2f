import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  daemonConfPath,
  daemonFromConf,
  frameworkFromConf,
  parseConf,
} from '../../../src/rpc/node.ts'
import { testUnless } from '../../support/skip.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'antara-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('a chain has its conf file where the daemon puts it', () => {
  const home = '/home/me'
  expect(daemonConfPath('KMD', { platform: 'linux', home })).toBe('/home/me/.komodo/komodo.conf')
  expect(daemonConfPath('TOKTEST', { platform: 'linux', home })).toBe(
    '/home/me/.komodo/TOKTEST/TOKTEST.conf',
  )
  expect(daemonConfPath('KMD', { platform: 'darwin', home })).toBe(
    '/home/me/Library/Application Support/Komodo/Komodo.conf',
  )
  expect(daemonConfPath('A1', { platform: 'win32', appData: '/data' })).toBe(
    '/data/Komodo/A1/A1.conf',
  )
  for (const name of ['../etc', 'A/B', '', 'A B', 'A'.repeat(65)]) {
    expect(() => daemonConfPath(name, { home })).toThrow(TypeError)
  }
})

test('the first counts of a key given twice, and # begins a comment', () => {
  const settings = parseConf(
    '#rpcuser=no\r\n rpcuser = a \nrpcuser=b\nrpcport=1 # one\nx\n=y\nz=\n',
  )
  expect([...settings]).toEqual([
    ['rpcuser', 'a'],
    ['rpcport', '1'],
    ['z', ''],
  ])
})

// Boost libs/program_options/src/config_file.cpp, common_config_file_iterator::get
test('a section puts its name before its keys, and blanks are those of the daemon', () => {
  const settings = parseConf(
    'rpcport=1\n [test] # one\nrpcport = 2\n[a.]\nx=3\n[]\ny=4\n[z=5\n\ufeffkey\u00a0=\u00a06 \t\r\n',
  )
  expect([...settings]).toEqual([
    ['rpcport', '1'],
    ['test.rpcport', '2'],
    ['a.x', '3'],
    ['a.y', '4'],
    ['a.[z', '5'],
    ['a.\ufeffkey\u00a0', '\u00a06'],
  ])
})

test('only the file of the main chain has a usual port', async () => {
  const mainChain = basename(daemonConfPath())
  const text = 'rpcpassword=x\n'
  const { url } = await daemonFromConf(file(mainChain, text))
  expect(url).toBe('http://127.0.0.1:7771/')
  const fromFolder = relative(process.cwd(), file(mainChain, text))
  expect((await daemonFromConf(fromFolder)).url).toBe(url)
  for (const other of ['KOMODO.conf', `x${mainChain}`, `${mainChain}.conf`]) {
    await expect(daemonFromConf(file(other, text))).rejects.toMatchObject({
      context: { path: 'rpcport' },
    })
  }
})

testUnless(!isMainThread && 'worker threads cannot change the directory')(
  'the file of the main chain has its usual port in the current directory too',
  async () => {
    const mainChain = basename(daemonConfPath())
    file(mainChain, 'rpcpassword=x\n')
    const home = process.cwd()
    try {
      process.chdir(folder)
      expect((await daemonFromConf(mainChain)).url).toBe('http://127.0.0.1:7771/')
    } finally {
      process.chdir(home)
    }
  },
)

test('address and credentials come from the conf file, read anew each time', async () => {
  const text = 'rpcuser=user1\nrpcpassword=pass=1\nrpcport=9801\n'
  const path = file('TOKTEST.conf', text)
  const { url, credentials } = await daemonFromConf(path)
  expect(url).toBe('http://127.0.0.1:9801/')
  expect(await credentials()).toEqual({ user: 'user1', password: 'pass=1' })
  file('TOKTEST.conf', text.replace('pass=1', 'pass2'))
  expect(await credentials()).toEqual({ user: 'user1', password: 'pass2' })
})

test('without a password, the cookie counts, in its usual place or where the file says', async () => {
  file('.cookie', '__cookie__:abc+/=\n')
  const usual = await daemonFromConf(file(basename(daemonConfPath()), 'rpcuser=x\nrpcpassword=\n'))
  expect(usual.url).toBe('http://127.0.0.1:7771/')
  expect(await usual.credentials()).toEqual({ user: '__cookie__', password: 'abc+/=' })
  file('other', 'me:secret')
  const moved = await daemonFromConf(file('A.conf', 'rpcport=5\nrpccookiefile=other\n'))
  expect(await moved.credentials()).toEqual({ user: 'me', password: 'secret' })
})

test('names what is missing, and no secret', async () => {
  const bare = await daemonFromConf(file('A.conf', 'rpcport=5\n'))
  await expect(bare.credentials()).rejects.toMatchObject({ code: 'setting_missing' })
  await expect(daemonFromConf(file('B.conf', 'rpcuser=a\n'))).rejects.toMatchObject({
    code: 'setting_missing',
    context: { path: 'rpcport' },
  })
  await expect(daemonFromConf(file('P.conf', 'rpcport=65536\n'))).rejects.toMatchObject({
    context: { path: 'rpcport' },
  })
  await expect(daemonFromConf(file('C.conf', 'rpcport=evil.example:80\n'))).rejects.toMatchObject({
    code: 'setting_missing',
  })
  const broken = file('MM2.json', '{"rpc_password":"hunter2",}')
  const error = await frameworkFromConf(broken).catch((cause) => cause)
  expect(error.code).toBe('setting_missing')
  expect(String(error)).not.toContain('hunter2')
})

test('an error names what was found, and what was expected', async () => {
  const messageOf = (found: Promise<unknown>) =>
    found.then(
      () => '',
      ({ message }: Error) => message,
    )
  for (const port of ['0', '77710', '1e3', '-1']) {
    const message = await messageOf(daemonFromConf(file('A.conf', `rpcport=${port}\n`)))
    expect(message).toContain(`expected "a port from 1 to 65535", found "${port}"`)
  }
  expect(await messageOf(daemonFromConf(file('A.conf', '')))).not.toContain('found')
  expect(await messageOf(frameworkFromConf(file('MM2.json', '{"rpcport":65536}')))).toContain(
    'found "65536"',
  )
  expect(await messageOf(frameworkFromConf(file('MM2.json', 'x')))).toContain(
    'expected "a file with JSON"',
  )
  file('.cookie', 'hunter2')
  const { credentials } = await daemonFromConf(file('A.conf', 'rpcport=5\n'))
  const message = await messageOf(credentials())
  expect(message).toMatch(/^rpccookiefile: .*expected "a file with USER:PASSWORD"/)
  expect(message).not.toContain('hunter2')
})

test('a byte order mark before JSON is ignored', async () => {
  const path = file('MM2.json', '\ufeff{"rpc_password":"pw"}')
  expect(await (await frameworkFromConf(path)).userpass()).toBe('pw')
})

test('a framework is found through its own configuration', async () => {
  const path = file('MM2.json', '{"rpc_password":"pw","rpcport":"7790"}')
  const { url, userpass } = await frameworkFromConf(path)
  expect([url, await userpass()]).toEqual(['http://127.0.0.1:7790/', 'pw'])
  file('MM2.json', '{"rpc_password":"pw2"}')
  expect((await frameworkFromConf(path)).url).toBe('http://127.0.0.1:7783/')
  expect(await userpass()).toBe('pw2')
})
