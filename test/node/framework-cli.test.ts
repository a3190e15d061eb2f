import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { serveFramework } from '../../src/cli/framework.ts'
import { createFrameworkClient } from '../../src/rpc/index.ts'
import { rawRequest } from './support/raw.ts'

const example = fileURLToPath(new URL('../../examples/framework.json', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'antara-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Serves a file while `visit` lasts. */
async function serving(
  path: string,
  json: boolean,
  visit: (first: string) => Promise<void>,
): Promise<{ out: string; log: string }> {
  let out = ''
  let log = ''
  let begin: (text: string) => void
  let end: () => void
  const begun = new Promise<string>((resolve) => {
    begin = resolve
  })
  const until = new Promise<void>((resolve) => {
    end = resolve
  })
  const terminal = {
    print: (text: string) => {
      out += text
      begin(text)
    },
    printError: (text: string) => {
      log += text
    },
    readStdin: async () => '',
    isInteractive: false,
    hasColor: false,
  }
  const parsed = { positionals: [], options: new Map(), flags: new Set(json ? ['json'] : []) }
  const served = serveFramework(path, parsed, terminal, () => until)
  served.catch(() => begin(''))
  await visit(await begun).finally(() => end())
  expect(await served).toBe(0)
  return { out, log }
}

test('the example scripts every coin that it lists', async () => {
  const { coins, script } = JSON.parse(readFileSync(example, 'utf8'))
  const listed = coins.map(({ coin }: { coin: string }) => coin)
  expect(Object.keys(script.coins)).toEqual(listed)
  await serving(example, true, async (first) => {
    const framework = createFrameworkClient({ ...JSON.parse(first), retry: false })
    const params = { ticker: 'IRIS', nodes: [{ url: 'https://rpc.example' }], tokens_params: [] }
    expect(await framework.enableTendermintWithAssets(params)).toMatchObject({ ticker: 'IRIS' })
  })
})

test('a script is served, and every call told with its reason', async () => {
  let url = ''
  const { out, log } = await serving(example, true, async (first) => {
    const ready = JSON.parse(first)
    expect(ready).toEqual({ url: expect.any(String), userpass: 'throw-away', preset: '3.0.0' })
    url = ready.url
    const framework = createFrameworkClient({ ...ready, retry: false })
    expect(await framework.call('get_public_key')).toMatchObject({ public_key: expect.any(String) })
    await framework.call('withdraw', { coin: '\u001b[2J' }).catch(() => undefined)
    const stranger = createFrameworkClient({ url, userpass: 'no', retry: false })
    await stranger.getEnabledCoins().catch(() => undefined)
    await rawRequest(url, { headers: { origin: 'https://example.com' } })
  })
  expect(out.split('\n')).toHaveLength(2)
  expect(log.trim().split('\n')).toEqual([
    '200 get_public_key',
    expect.stringMatching(/^501 withdraw NotScripted: .*the method withdraw is not scripted/),
    expect.stringMatching(/^403 get_enabled_coins UserpassIsInvalid: .* attempts left: 9$/),
    expect.stringMatching(/^403 POST refused: web pages are not answered/),
  ])
  await expect(rawRequest(url)).rejects.toThrow(/ECONNREFUSED/)
})

test('antara-tx node --framework serves it, until the first interrupt', async () => {
  const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
  const child = spawn(process.execPath, [program, 'node', '--framework', example, '--json'])
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const first = await new Promise<string>((resolve) => {
    child.stdout.once('data', (text) => resolve(String(text)))
  })
  const framework = createFrameworkClient({ ...JSON.parse(first), retry: false })
  expect(await framework.getEnabledCoins()).toEqual({ coins: [] })
  child.kill('SIGINT')
  expect(await ended).toBe(0)
})

test('a preset stands for its own script', async () => {
  await serving('docs', true, async (first) => {
    const framework = createFrameworkClient({ ...JSON.parse(first), retry: false })
    expect(await framework.version()).toEqual({ result: '2.0.996_mm2_3bb412578_Linux' })
  })
})

test('coins may be a file of their own, beside the script', async () => {
  writeFileSync(join(folder, 'coins.json'), '[{ "coin": "KMD", "protocol": { "type": "UTXO" } }]')
  writeFileSync(join(folder, 'script.json'), '{ "coins": "coins.json", "preset": "2.5.1" }')
  const { out } = await serving(join(folder, 'script.json'), false, async () => undefined)
  expect(out).toMatch(
    /^A development framework \(2\.5\.1\) listens at http:\/\/127\.0\.0\.1:\d+\/\n/,
  )
})

test.each([
  ['{ "coin": [] }', 'framework.coin'],
  ['{ "preset": "1.0" }', 'framework.preset'],
  ['{ "script": 5 }', 'script'],
  ['{ "coins": [{}] }', 'coins.0.coin'],
  ['{ "script": { "wallet": "paper" } }', 'script.wallet'],
])('%s is refused', async (text, path) => {
  const file = join(folder, 'wrong.json')
  writeFileSync(file, text)
  await expect(serving(file, true, async () => undefined)).rejects.toMatchObject({
    code: 'malformed_case',
    context: { path },
  })
})
