import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Terminal } from '../../src/cli/command.ts'
import { run } from '../../src/cli/run.ts'
import { decodeTransaction, encodeTransaction, transactionId } from '../../src/index.ts'
import { daemonConfPath } from '../../src/rpc/node.ts'
import { chainTransaction } from '../support/komodod.ts'
import { createHex, transferHex, transferIntent } from '../support/resigned.ts'
import { onWindows, testUnless } from '../support/skip.ts'
import { type Behaviour, type Daemon, startDaemon } from './support/daemon.ts'
import { activated, startFramework } from './support/framework.ts'
import { answerText, errorText, reply, startServer, type TestServer } from './support/server.ts'

const secret = 'hunter2-and-more'
let folder: string
let server: TestServer | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'antara-cli-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
  await server?.close()
  server = undefined
})

interface Outcome {
  status: number
  output: string
  errors: string
  /** Questions that were asked. */
  asked: string[]
}

async function antaraTx(args: string[], answers?: readonly string[], stdin = ''): Promise<Outcome> {
  const outcome: Outcome = { status: -1, output: '', errors: '', asked: [] }
  const left = [...(answers ?? [])]
  const terminal: Terminal = {
    print: (text) => {
      outcome.output += text
    },
    printError: (text) => {
      outcome.errors += text
    },
    readStdin: async () => stdin,
    isInteractive: answers !== undefined,
    hasColor: false,
    ask: async (question, isSecret) => {
      outcome.asked.push(`${question}${isSecret ? '(hidden)' : ''}`)
      return left.shift() ?? ''
    },
  }
  outcome.status = await run(args, terminal)
  expect(`${outcome.output}${outcome.errors}`).not.toContain(secret)
  return outcome
}

async function serve(how: Parameters<typeof startServer>[0]): Promise<string> {
  server = await startServer(how)
  return conf(server.url)
}

/** A conf file for the server at `url`. */
function conf(url: string): string {
  const path = join(folder, 'TEST.conf')
  const { port } = new URL(url)
  writeFileSync(path, `rpcuser=user\nrpcpassword=${secret}\nrpcport=${port}\n`)
  return path
}

const passwordOf = (at = 0): string =>
  Buffer.from(String(server?.received[at]?.headers.authorization).slice(6), 'base64').toString()

describe('rpc daemon', () => {
  test('calls with parameters in order or by name, and shows the result', async () => {
    const path = await serve((request, response) =>
      reply(
        response,
        200,
        answerText(request, '{"isvalid":true,"address":"R\\u001b[31m","segid":5}'),
      ),
    )
    for (const arg of ['RTest', 'address=RTest']) {
      const { status, output } = await antaraTx([
        'rpc',
        'daemon',
        'validateaddress',
        arg,
        '--conf',
        path,
      ])
      expect([status, output]).toEqual([0, 'isvalid  true\naddress  R\\u{1b}[31m\nsegid    5\n'])
    }
    expect(server?.received.map(({ body }) => JSON.parse(body).params)).toEqual([
      ['RTest'],
      ['RTest'],
    ])
    expect(passwordOf()).toBe(`user:${secret}`)
  })

  test('prints JSON for programs, every digit kept', async () => {
    const path = await serve((request, response) =>
      reply(response, 200, answerText(request, '{"a":12345678901234567890.10,"b":[1]}')),
    )
    const args = ['rpc', 'daemon', 'anything', '1', 'true', 'text', '12345678901234567890']
    const { output } = await antaraTx([...args, '--json', '--conf', path])
    expect(output).toBe('{\n  "a": 12345678901234567890.10,\n  "b": [\n    1\n  ]\n}\n')
    expect(server?.received[0]?.body).toContain('[1,true,"text",12345678901234567890]')
  })

  test('says what the daemon said, with the status for it', async () => {
    const path = await serve((request, response) =>
      reply(response, 500, errorText(request, -1, 'usage\nline\u001b two')),
    )
    const { status, errors } = await antaraTx(['rpc', 'daemon', 'tokenlist', '--conf', path])
    expect(status).toBe(1)
    expect(errors).toBe(
      'antara-tx rpc: daemon: tokenlist: usage\n  line\\u{1b} two (-1 RPC_MISC_ERROR)\n' +
        'Run antara-tx explain daemon for the cause and the remedy.\n',
    )
  })

  test('refuses what would lose tokens before anything is sent', async () => {
    const path = await serve((_, response) => reply(response, 500, ''))
    const { tokenid } = transferIntent
    const cases: [string[], number][] = [
      [['tokentransfer', tokenid, 'RTTg3izdeVnqkTTxjzsPFrdUQexgqCy1qb', '1'], 2],
      [['tokentransfer', tokenid, transferIntent.destination, '1.5'], 64],
      [['tokeninfo', 'abc'], 2],
      [['tokeninfo', tokenid, 'more'], 64],
      [['gettxout', tokenid, 'one'], 64],
    ]
    for (const [args, status] of cases) {
      const outcome = await antaraTx(['rpc', 'daemon', ...args, '--conf', path])
      expect(outcome.status, args.join(' ')).toBe(status)
    }
    expect(server?.received).toEqual([])
  })
})

test('an item of a list may have many lines', async () => {
  const list = JSON.stringify(['one\ntwo', 'three'])
  const path = await serve((request, response) => reply(response, 200, answerText(request, list)))
  const { output } = await antaraTx(['rpc', 'daemon', 'anymethod', '--conf', path])
  expect(output).toBe('one\n  two\nthree\n')
})

testUnless(onWindows)('a conf file may come through a pipe', async () => {
  const path = await serve((request, response) => reply(response, 200, answerText(request, '7')))
  const mm2 = JSON.stringify({ rpc_password: secret, rpcport: Number(new URL(server!.url).port) })
  const pipe = join(folder, 'pipe')
  await once(spawn('mkfifo', [pipe]), 'close')
  const through = (text: string) => {
    const writer = spawn('sh', ['-c', 'cat > "$0"', pipe])
    writer.stdin.end(text)
  }
  through(readFileSync(path, 'utf8'))
  const args = ['rpc', 'daemon', 'getblockcount', '--conf', pipe]
  expect((await antaraTx(args)).output).toBe('7\n')
  expect(passwordOf()).toBe(`user:${secret}`)
  server!.answer((request, response) => {
    const { id } = JSON.parse(request.body)
    reply(response, 200, JSON.stringify({ mmrpc: '2.0', result: 7, id }))
  })
  through(mm2)
  expect((await antaraTx(['rpc', 'framework', 'any', '--conf', pipe])).output).toBe('7\n')
})

test('numbers are sent digit for digit, and a parameter once', async () => {
  const path = await serve((request, response) => reply(response, 200, answerText(request, '7')))
  const exact = ['12345678901.12345678', '9007199254740993', '1e400', '1e-400', '0.1', '-5', '1.0']
  const nested = '{"a":[12345678901.12345678,{"b":18446744073709551615}],"c":0.5}'
  await antaraTx(['rpc', 'daemon', 'anymethod', ...exact, nested, 'text', '--conf', path])
  const [, params] = /"params":(.*)\}$/.exec(server!.received[0]!.body)!
  expect(params).toBe(`[${exact.slice(0, -1).join()},1,${nested},"text"]`)
  const twice = ['tokenbalance', `tokenid=${'11'.repeat(32)}`, `tokenid=${'22'.repeat(32)}`]
  const refused = [
    ['tokenid is given twice', twice],
    ['Duplicate key', ['anymethod', '{"a":1,"a":2}']],
  ] as const
  for (const [words, args] of refused) {
    const { status, errors } = await antaraTx(['rpc', 'daemon', ...args, '--conf', path])
    expect([status, errors]).toEqual([64, expect.stringContaining(words)])
  }
  expect(server!.received).toHaveLength(1)
})

test('a name that a method does not have is not taken for the text of another', async () => {
  const path = await serve((request, response) => reply(response, 200, answerText(request, '"ok"')))
  const rpc = (...args: string[]) => antaraTx(['rpc', 'daemon', ...args, '--conf', path])
  const key = transferIntent.destination
  const tokenid = `tokenid=${transferIntent.tokenid}`
  const refused = [
    [
      'tokentransfer takes tokenid, destpubkey, amount\n',
      'tokentransfer',
      tokenid,
      `destination=${key}`,
    ],
    ['did you mean name?', 'tokencreate', 'nmae=GOLD', 'supply=1000'],
    ['did you mean message?', 'signmessage', 'RUuKmfN8iLWiP138mzTN5BuMz282ZQqqco', 'mesage=hello'],
  ] as const
  for (const [words, ...args] of refused) {
    const { status, errors } = await rpc(...args)
    expect([status, errors]).toEqual([64, expect.stringContaining(words)])
    expect(errors).not.toContain(key)
  }
  expect(server!.received).toEqual([])
  await rpc('signmessage', 'RUuKmfN8iLWiP138mzTN5BuMz282ZQqqco', 'total=5')
  expect(server!.received[0]?.body).toContain('"total=5"')
})

test('numbers of a framework call are sent digit for digit', async () => {
  server = await startServer((request, response) => {
    const { id } = JSON.parse(request.body)
    reply(response, 200, JSON.stringify({ mmrpc: '2.0', result: { ok: true }, id }))
  })
  vi.stubEnv('ANTARA_RPC_USERPASS', secret)
  const file = join(folder, 'params.json')
  writeFileSync(file, '{"amount":1234567890.123456789012345678,"limit":5}')
  const { status } = await antaraTx(['rpc', 'framework', 'any', file, '--url', server.url])
  expect(status).toBe(0)
  expect(server.received[0]?.body).toContain('{"amount":1234567890.123456789012345678,"limit":5}')
})

describe('decode --daemon', () => {
  test('shows the transaction of a txid, if the daemon answers with that', async () => {
    const txid = transactionId(transferHex)
    const path = await serve((request, response) =>
      reply(response, 200, answerText(request, JSON.stringify(transferHex))),
    )
    const { status, output } = await antaraTx(['decode', txid, '--daemon', '--conf', path])
    expect(status).toBe(0)
    expect(output).toContain(`transaction ${txid}`)
    const other = await antaraTx(['decode', '11'.repeat(32), '--daemon', '--conf', path])
    expect(other).toMatchObject({ status: 1, output: '' })
    expect(other.errors).toContain(`the answer is transaction ${txid}`)
    expect((await antaraTx(['decode', transferHex, '--daemon', '--conf', path])).status).toBe(64)
    expect((await antaraTx(['decode', transferHex, '--conf', path])).status).toBe(64)
  })
})

describe('credentials', () => {
  const one = (request: Parameters<typeof answerText>[0], response: Parameters<typeof reply>[0]) =>
    reply(response, 200, answerText(request, '7'))

  test('come from the environment', async () => {
    await serve(one)
    vi.stubEnv('ANTARA_RPC_USER', 'me')
    vi.stubEnv('ANTARA_RPC_PASSWORD', secret)
    const { output } = await antaraTx([
      'rpc',
      'daemon',
      'getblockcount',
      '--url',
      server?.url ?? '',
    ])
    expect([output, passwordOf()]).toEqual(['7\n', `me:${secret}`])
  })

  test('credentials may come from a prompt that shows nothing', async () => {
    await serve(one)
    const args = [
      'rpc',
      'daemon',
      'getblockcount',
      '--chain',
      'NOSUCHCHAIN',
      '--url',
      server?.url ?? '',
    ]
    const { asked, output } = await antaraTx(args, ['me', secret])
    expect(asked).toEqual(['RPC user: ', 'RPC password: (hidden)'])
    expect([output, passwordOf()]).toEqual(['7\n', `me:${secret}`])
  })

  test('are missing where nobody can be asked', async () => {
    const args = ['rpc', 'daemon', 'getblockcount', '--chain', 'NOSUCHCHAIN']
    expect((await antaraTx(args)).status).toBe(64)
    expect(
      (await antaraTx(['rpc', 'daemon', 'help', '--conf', join(folder, 'no.conf')])).status,
    ).toBe(64)
    expect((await antaraTx(['rpc', 'daemon', 'help', '--password', 'x'])).status).toBe(64)
  })

  test('the error for missing credentials names the variables and the file', async () => {
    const url = ['--url', 'http://127.0.0.1:9']
    const daemon = await antaraTx(['rpc', 'daemon', 'help', ...url])
    expect(daemon.errors).toMatch(
      /ANTARA_RPC_PASSWORD are not both set, and \S+komodo\.conf does not exist\. Set both, or give --conf/i,
    )
    const framework = await antaraTx(['rpc', 'framework', 'version', ...url])
    expect(framework.errors).toContain(
      'ANTARA_RPC_USERPASS is not set, and this folder has no MM2.json',
    )
  })

  test('credentials of a chain that is named are its own, whatever else is there', async () => {
    await serve(one)
    vi.stubEnv('HOME', folder)
    vi.stubEnv('APPDATA', folder)
    const path = daemonConfPath('TOKTEST')
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(join(folder, 'TEST.conf'), path)
    vi.stubEnv('ANTARA_RPC_USER', 'me')
    vi.stubEnv('ANTARA_RPC_PASSWORD', 'of KMD')
    const args = ['rpc', 'daemon', 'getblockcount', '--chain']
    expect((await antaraTx([...args, 'TOKTEST'])).output).toBe('7\n')
    expect(passwordOf()).toBe(`user:${secret}`)
    // Not KMD in the place of a chain that is not there.
    const absent = await antaraTx([...args, 'NOSUCHCHAIN'])
    expect(absent.status).toBe(64)
    expect(absent.errors).toMatch(
      /--chain: no such file: .*NOSUCHCHAIN.conf; give the URL of its daemon with --url/,
    )
    const both = await antaraTx([...args, 'TOKTEST', '--conf', path])
    expect([both.status, both.errors]).toEqual([
      64,
      expect.stringContaining('--chain cannot be combined'),
    ])
    const none = await antaraTx(['rpc', 'framework', 'version', '--chain', 'TOKTEST'])
    expect([none.status, none.errors]).toEqual([
      64,
      expect.stringContaining('--chain is only for a daemon'),
    ])
    expect(server?.received).toHaveLength(1)
  })

  test('credentials in a file that cannot be read are reported as that, whatever the reason', async () => {
    const plain = conf('http://127.0.0.1:1')
    for (const path of [join(plain, 'below'), join(folder, 'a'.repeat(300)), folder]) {
      const { status, errors } = await antaraTx(['rpc', 'daemon', 'help', '--conf', path])
      expect([status, errors], path).toEqual([64, expect.stringContaining('cannot read')])
    }
  })

  test('go to no other machine unless it is named', async () => {
    const path = conf('http://127.0.0.1:1')
    const args = ['rpc', 'daemon', 'help', '--conf', path, '--url', 'http://node.example:7771']
    const { status, errors } = await antaraTx(args)
    expect(status).toBe(64)
    expect(errors).toContain('node.example is not this machine')
  })
})

describe('rpc framework', () => {
  const params = {
    ticker: 'BCH',
    activation_params: { bchd_urls: [], mode: { rpc: 'Native' } },
  }

  test('watches an activation to its end and answers the device', async () => {
    const framework = await startFramework({
      statuses: [
        { status: 'InProgress', details: 'WaitingForTrezorToConnect' },
        { status: 'UserActionRequired', details: 'EnterTrezorPin' },
        { status: 'Ok', details: activated },
      ],
    })
    server = framework
    vi.stubEnv('ANTARA_RPC_USERPASS', secret)
    const file = join(folder, 'params.json')
    writeFileSync(file, JSON.stringify(params))
    const args = ['rpc', 'framework', 'enable-bch', file, '--url', framework.url]
    const outcome = await antaraTx(args, ['1234'])
    expect(outcome.status).toBe(0)
    expect(outcome.asked).toEqual(['PIN, by position on the pad: (hidden)'])
    expect(outcome.errors).toBe('WaitingForTrezorToConnect\nEnterTrezorPin\nOk\n')
    expect(outcome.output).toContain('spendable    0.11398301')
    expect(framework.bodies('task::enable_bch::user_action')[0]?.params).toMatchObject({
      user_action: { action_type: 'TrezorPin', pin: '1234' },
    })
    expect(
      (
        await antaraTx([
          'rpc',
          'framework',
          'task-status',
          'enable_bch',
          '99',
          '--url',
          framework.url,
        ])
      ).status,
    ).toBe(1)
  })

  test('sends each method to the dispatcher that has it', async () => {
    server = await startServer((request, response) => {
      const { id = null, mmrpc } = JSON.parse(request.body)
      const answer = mmrpc === '2.0' ? { mmrpc, result: { ok: true }, id } : { result: 'success' }
      reply(response, 200, JSON.stringify(answer))
    })
    vi.stubEnv('ANTARA_RPC_USERPASS', secret)
    const sent = async (...args: string[]) => {
      const outcome = await antaraTx(['rpc', 'framework', ...args, '--url', server!.url])
      return [outcome.output, JSON.parse(server!.received.at(-1)!.body)]
    }
    const old = { userpass: secret, method: 'disable_coin', coin: 'KMD' }
    for (const name of ['disable_coin', 'disable-coin']) {
      expect(await sent(name, 'coin=KMD')).toEqual([expect.stringContaining('success'), old])
    }
    expect((await sent('stop'))[1]).toEqual({ userpass: secret, method: 'stop' })
    // Both dispatchers have this one.
    const mmrpc = '2.0'
    expect((await sent('orderbook', 'base=KMD'))[1]).toMatchObject({
      ...{ mmrpc, params: { base: 'KMD' } },
    })
    const text = 'amount="1.5"'
    expect((await sent('withdraw-task', 'coin=KMD', 'to=R', text))[1]).toMatchObject({
      ...{ mmrpc, method: 'task::withdraw::init', params: { coin: 'KMD', to: 'R', amount: '1.5' } },
    })
  })

  test('takes parameters by name and from standard input', async () => {
    const mm2 = join(folder, 'MM2.json')
    server = await startServer((request, response) => {
      const { id } = JSON.parse(request.body)
      reply(response, 200, JSON.stringify({ mmrpc: '2.0', result: { ok: true }, id }))
    })
    const { port } = new URL(server.url)
    writeFileSync(mm2, JSON.stringify({ rpc_password: secret, rpcport: Number(port) }))
    const args = ['rpc', 'framework', 'get_public_key', 'a=5', 'b=text', '-', '--conf', mm2]
    const { output } = await antaraTx(args, undefined, '{"c":[1]}')
    expect(output).toBe('ok  true\n')
    expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({
      userpass: secret,
      method: 'get_public_key',
      params: { a: 5, b: 'text', c: [1] },
    })
    for (const given of [
      ['c=2', '-'],
      ['-', 'c=2'],
    ]) {
      const both = ['rpc', 'framework', 'get_public_key', ...given, '--conf', mm2]
      const { status, errors } = await antaraTx(both, undefined, '{"c":[1]}')
      expect([status, errors]).toEqual([64, expect.stringContaining('c is given twice')])
    }
    const withdraw = ['rpc', 'framework', 'withdraw', 'coin=KMD', 'to=R', '--conf', mm2]
    const number = await antaraTx([...withdraw, 'amount=1.5'])
    expect(number.status).toBe(64)
    expect(number.errors).toContain(
      `amount: expected a string, got a number; put a text in quotes twice: 'amount="…"'`,
    )
    expect(server.received.length).toBe(1)
    await antaraTx([...withdraw, 'amount="1.5"'])
    expect(JSON.parse(server.received[1]?.body ?? '')).toMatchObject({ params: { amount: '1.5' } })
  })
})

describe('secret parameters of rpc', () => {
  const typed = 'correct horse battery'
  const asked: unknown[] = []
  async function start(): Promise<string> {
    asked.length = 0
    server = await startServer((request, response) => {
      const { method, params } = JSON.parse(request.body)
      asked.push([method, params])
      // It repeats what it was sent.
      reply(response, 500, errorText(request, -5, `no: ${request.body}`))
    })
    return conf(server.url)
  }
  const secretFile = (text: string, mode = 0o600): string => {
    const path = join(folder, 'secret.txt')
    writeFileSync(path, text, { mode })
    return path
  }

  test('come from a file or the terminal, and no output repeats them', async () => {
    const path = await start()
    const file = secretFile(`${typed}\n`)
    const options = ['--conf', path]
    const calls: [string[], string[] | undefined, string, unknown][] = [
      [['importprivkey', `@${file}`, 'label'], undefined, '', [typed, 'label']],
      [['walletpassphrase', '-', '60'], [typed], '', [typed, 60]],
      [['walletpassphrase', '-', '60'], undefined, `${typed}\n`, [typed, 60]],
      [['convertpassphrase', '-'], ['123'], '', ['123']],
      [['signrawtransaction', '00', '[]', 'null'], undefined, '', ['00', []]],
    ]
    for (const [args, answers, stdin, params] of calls) {
      const outcome = await antaraTx(['rpc', 'daemon', ...args, ...options], answers, stdin)
      expect(outcome.status).toBe(1)
      expect(asked.at(-1)).toEqual([args[0], params])
      expect(`${outcome.output}${outcome.errors}`).not.toContain(typed)
      if (answers) expect(outcome.asked).toEqual([`parameter 1 of ${args[0]}: (hidden)`])
    }
    writeFileSync(file, JSON.stringify([typed, 'another']))
    for (const third of [`@${file}`, `privkeys=@${file}`]) {
      await antaraTx(['rpc', 'daemon', 'signrawtransaction', '00', '[]', third, ...options])
      expect(asked.at(-1)).toEqual(['signrawtransaction', ['00', [], [typed, 'another']]])
    }
  })

  test('are refused as arguments, before anything is sent', async () => {
    const path = await start()
    const wif = 'UtrRXqvRFUAtCrCTRAHPH6yroQKUrrTJRmxt2h5U4QTUN1jCxTAh'
    const wrong: string[][] = [
      ['daemon', 'importprivkey', wif],
      ['daemon', 'walletpassphrase', typed, '60'],
      ['daemon', 'walletpassphrasechange', '-', typed],
      ['daemon', 'signrawtransaction', '00', '[]', `["${typed}"]`],
      ['daemon', 'amethodofnobody', `[{"deep":"${wif}"}]`],
      ['daemon', 'importprivkey', `@${secretFile(typed, 0o644)}`],
      ['framework', 'get_mnemonic', 'format=plaintext', `password=${typed}`],
      ['framework', 'anything', `user_action={"pin":"${typed}"}`],
    ]
    for (const args of wrong) {
      const outcome = await antaraTx(['rpc', ...args, '--conf', path], ['x'])
      expect([args, outcome.status]).toEqual([args, 64])
      expect(outcome.errors).not.toContain(typed)
      expect(outcome.errors).not.toContain(wif)
    }
    expect(asked).toEqual([])
  })

  test('secret parameters of the framework stand in a pair, too', async () => {
    await start()
    const userpass = join(folder, 'MM2.json')
    writeFileSync(userpass, JSON.stringify({ rpc_password: secret }))
    const file = secretFile(typed)
    const args = ['get_mnemonic', 'format=plaintext', `password=@${file}`]
    const url = ['--url', server!.url, '--conf', userpass]
    const outcome = await antaraTx(['rpc', 'framework', ...args, ...url])
    expect(asked.at(-1)).toEqual(['get_mnemonic', { format: 'plaintext', password: typed }])
    expect(`${outcome.output}${outcome.errors}`).not.toContain(typed)
  })
})

describe('transfer --daemon', () => {
  let daemon: Daemon
  async function start(behaviour: Behaviour): Promise<string> {
    daemon = await startDaemon(behaviour)
    server = daemon
    return conf(daemon.url)
  }
  const { tokenid, destination, from } = transferIntent
  const args = (path: string, ...more: string[]): string[] => [
    ...['transfer', '--daemon', tokenid, destination, '100', '--from', from, '--conf', path],
    ...more,
  ]

  test('shows what the transaction does, asks, and broadcasts', async () => {
    const path = await start({ hex: [transferHex] })
    const { status, output, errors, asked } = await antaraTx(args(path), ['yes'])
    expect([status, output]).toEqual([0, `${transactionId(transferHex)}\n`])
    expect(asked).toEqual(['Broadcast this transaction? Type yes: '])
    expect(errors).toContain('AGREES: the transaction does what was asked')
    expect(errors).toContain('units to the destination')
    expect(errors).toMatch(/fetching previous transactions: \d+ of \d+/)
    expect(errors).toContain(`broadcasting ${transferHex}`)
    expect(daemon.broadcasts).toEqual([transferHex])
  })

  test.each(['no', '', 'y', 'YES'])('broadcasts nothing for the answer %j', async (answer) => {
    const path = await start({ hex: [transferHex] })
    const { status, output } = await antaraTx(args(path), [answer])
    expect([status, output]).toEqual([1, 'Not broadcast, as you decided.\n'])
    expect(daemon.broadcasts).toEqual([])
  })

  test('asks nobody with --yes, so that warnings hold unless they are allowed', async () => {
    const withheld = new Set(
      decodeTransaction(chainTransaction(tokenid)).inputs.map(({ txid }) => txid),
    )
    const sent = transactionId(transferHex)
    const path = await start({
      hex: [transferHex],
      transaction: (txid) =>
        txid === sent || withheld.has(txid) ? undefined : chainTransaction(txid),
    })
    const held = await antaraTx(args(path, '--yes'))
    expect(held.status).toBe(1)
    expect(held.output).toContain('token_parent_unproven')
    expect(held.output).toContain('NOT broadcast: a warning could cost money')
    const dry = await antaraTx(args(path, '--yes', '--dry-run'))
    expect(dry.status).toBe(1)
    expect(dry.output).toContain('would hold it (--allow token_parent_unproven allows it)')
    expect((await antaraTx(args(path, '--dry-run'))).status).toBe(0)
    const allow = ['--allow', 'token_parent_unproven']
    expect((await antaraTx(args(path, '--yes', '--dry-run', ...allow))).status).toBe(0)
    const misspelt = await antaraTx(args(path, '--yes', '--allow', 'token_parent_unprovn'))
    expect(misspelt.status).toBe(64)
    expect(misspelt.errors).toContain('did you mean token_parent_unproven?')
    expect([held.asked, daemon.broadcasts]).toEqual([[], []])
    const allowed = await antaraTx(args(path, '--yes', ...allow))
    expect([allowed.status, daemon.broadcasts]).toEqual([0, [transferHex]])
  })

  test('does not even ask about a transaction that is wrong', async () => {
    const path = await start({ hex: [createHex] })
    const { status, output, asked } = await antaraTx(args(path, '--yes'), ['yes'])
    expect(status).toBe(1)
    expect(output).toContain('REJECTED: do not broadcast this transaction')
    expect(output).toContain('NOT broadcast: the transaction differs from the request.')
    expect([asked, daemon.broadcasts]).toEqual([[], []])
  })

  test('stops after a dry run, in JSON if wanted', async () => {
    const path = await start({ hex: [transferHex] })
    const { status, output } = await antaraTx(args(path, '--dry-run', '--json'))
    expect(status).toBe(0)
    expect(JSON.parse(output)).toMatchObject({
      held: 'dry-run',
      report: { ok: true, fee: '10000' },
    })
    expect(daemon.broadcasts).toEqual([])
  })

  test('takes up earlier transfers, all that are named', async () => {
    const path = await start({ hex: [createHex] })
    const { status } = await antaraTx(args(path, '--yes', '--earlier', transferHex))
    expect(status).toBe(0)
    expect(daemon.methods()).not.toContain('tokentransfer')
    const other = encodeTransaction({ ...decodeTransaction(transferHex), lockTime: 1 })
    const both = `${transferHex},${other}`
    expect((await antaraTx(args(path, '--yes', '--earlier', both))).status).toBe(0)
    const asked = daemon.received.map(({ body }) => JSON.parse(body).params[0])
    expect(asked).toContain(transactionId(other))
    expect(daemon.methods()).not.toContain('tokentransfer')
  })

  test.each(['lose', 'lie'] as const)('tells what may have arrived: %s', async (end) => {
    const path = await start({ hex: [transferHex], onBroadcast: () => end })
    const { status, output, errors } = await antaraTx(args(path, '--yes', '--no-journal'))
    expect([status, output]).toEqual([75, ''])
    const txid = transactionId(transferHex)
    expect(errors).toContain(`antara-tx transfer: ${txid} may have been broadcast`)
    expect(errors).toContain(`run again with\n  --earlier ${transferHex}\n`)
    const other = encodeTransaction({ ...decodeTransaction(transferHex), lockTime: 1 })
    const more = await antaraTx(args(path, '--yes', '--no-journal', '--earlier', other))
    expect(more.status).toBe(75)
    const attempts = `${other},${transferHex}`
    expect(more.errors).toContain(`run again with\n  --earlier ${attempts}\n`)
    const again = await antaraTx(args(path, '--yes', '--no-journal', '--earlier', attempts))
    expect([again.status, again.output]).toEqual([0, `${txid}\n`])
    expect(daemon.methods().filter((method) => method === 'tokentransfer').length).toBe(2)
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'tells what may have arrived when %s comes while the answer is awaited',
    async (signal) => {
      const path = await start({
        hex: [transferHex],
        onBroadcast: () => {
          process.emit(signal)
          return 'lose'
        },
      })
      const { status, errors } = await antaraTx(args(path, '--yes'))
      expect(status).toBe(75)
      expect(errors).toContain('aborted by the caller')
      expect(errors).toContain(`run again with\n  --earlier ${transferHex}\n`)
    },
  )

  test('a transaction that the daemon refuses is in the journal: that is 75', async () => {
    const path = await start({ hex: [transferHex], onBroadcast: () => 'refuse' })
    const { status, errors } = await antaraTx(args(path, '--yes'))
    expect(status).toBe(75)
    expect(errors).not.toContain('may have been broadcast')
    expect(errors).toContain(`${transactionId(transferHex)} is in the journal`)
    expect(errors).toContain('and so does antara-tx attempts resume')
  })

  test('a transaction that the daemon refuses, and no journal has, is not broadcast: that is 1', async () => {
    const path = await start({ hex: [transferHex], onBroadcast: () => 'refuse' })
    const { status, errors } = await antaraTx(args(path, '--yes', '--no-journal'))
    expect(status).toBe(1)
    expect(errors).not.toContain('may have been broadcast')
    // A daemon that is not the user's own may say so and broadcast it all the same.
    expect(errors).toContain(`the daemon refused ${transactionId(transferHex)}`)
    expect(errors).toContain(`--earlier ${transferHex}\n`)
  })

  test.each([-28, -25, -26, -1])(
    'is uncertain if only the repetition is refused: %i',
    async (code) => {
      const path = await start({
        hex: [transferHex],
        onBroadcast: (_, count) => (count === 1 ? 'lose' : code),
      })
      const { status, errors } = await antaraTx(args(path, '--yes'))
      expect(status).toBe(75)
      expect(errors).toContain(`${transactionId(transferHex)} may have been broadcast`)
      expect(errors).toContain(`run again with\n  --earlier ${transferHex}\n`)
      const again = await antaraTx(args(path, '--yes', '--earlier', transferHex))
      expect([again.status, again.output]).toEqual([0, `${transactionId(transferHex)}\n`])
      expect(daemon.methods().filter((method) => method === 'tokentransfer')).toHaveLength(1)
    },
  )

  test('stays uncertain while the attempt in the error cannot be looked up', async () => {
    const path = await start({ hex: [transferHex] })
    await daemon.close()
    const { status, errors } = await antaraTx(args(path, '--yes', '--earlier', transferHex))
    expect(status).toBe(75)
    expect(errors).toContain(`--earlier ${transferHex}\n`)
  })

  test.each([
    ['sendrawtransaction', transferHex],
    ['sendtoaddress', 'R', '1'],
  ])('rpc daemon %s is uncertain without an answer', async (method, ...params) => {
    const path = await start({ hex: [] })
    daemon.answer((_, response) => void response.socket?.resetAndDestroy())
    const { status, errors } = await antaraTx(['rpc', 'daemon', method, ...params, '--conf', path])
    expect(status).toBe(75)
    expect(errors).toContain('check before you repeat it')
    if (method === 'sendrawtransaction') expect(errors).toContain(transactionId(transferHex))
  })

  test.each([['getblockcount'], ['getblockhash', '1'], ['tokencreate', 'T', '1']])(
    'rpc daemon %s harms nobody without an answer: the server is unavailable',
    async (...call) => {
      const path = await start({ hex: [] })
      daemon.answer((_, response) => void response.socket?.resetAndDestroy())
      expect((await antaraTx(['rpc', 'daemon', ...call, '--conf', path])).status).toBe(69)
    },
  )

  test('needs somebody to ask, an own key, whole units', async () => {
    const path = await start({ hex: [transferHex] })
    expect((await antaraTx(args(path))).status).toBe(64)
    expect(
      (await antaraTx(['transfer', '--daemon', tokenid, destination, '1.5', '--from', from]))
        .status,
    ).toBe(64)
    expect((await antaraTx(['transfer', '--daemon', tokenid, destination, '1'])).status).toBe(64)
    expect((await antaraTx(['transfer', tokenid, destination, '1', '--from', from])).status).toBe(
      64,
    )
    const address = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
    const wrong: [string[], string][] = [
      [
        [tokenid, destination, '1', '--from', address],
        `--from: expected a compressed public key in hex, got this is an address: ${address}`,
      ],
      [[tokenid, address, '1', '--from', from], 'DESTINATION: expected a compressed public key'],
      [['abc', destination, '1', '--from', from], 'TOKENID: expected 64 hex digits'],
      [
        [tokenid, destination, '1', '--from', from, '--url', 'foo', '--yes'],
        '--url is not an absolute URL',
      ],
    ]
    for (const [given, words] of wrong) {
      const { status, errors } = await antaraTx(['transfer', '--daemon', ...given, '--conf', path])
      expect(status).toBe(64)
      expect(errors).toContain(words)
    }
    expect(daemon.received).toEqual([])
  })
})
