// These tests cover the help, completion, suggestions and colors of the command line.

import { describe, expect, test } from 'vitest'

import { catalogue } from '../../../src/cli/catalogue.ts'
import { wantsColor } from '../../../src/cli/style.ts'
import { didYouMean } from '../../../src/primitives/closest.ts'
import { type Outcome, runCommand } from '../../support/cli.ts'

const antaraTx = (...args: string[]): Promise<Outcome> => runCommand(args)
const names = catalogue.map(({ name }) => name)

describe('help', () => {
  test('is the same however it is asked for', async () => {
    const general = await antaraTx('--help')
    expect(general).toMatchObject({ status: 0, errors: '' })
    for (const args of [['-h'], ['help']]) expect(await antaraTx(...args)).toEqual(general)
    for (const name of names) expect(general.output).toContain(`\n  ${name} `)
    expect(await antaraTx()).toEqual({ status: 64, output: '', errors: general.output })
  })

  test.each(names)('help of %s names every option, within 100 columns', async (name) => {
    const asked = await antaraTx('help', name)
    expect(asked).toMatchObject({ status: 0, errors: '' })
    for (const flag of ['--help', '-h']) expect(await antaraTx(name, flag)).toEqual(asked)
    expect(await antaraTx(name, 'more', '-h', '--json')).toEqual(asked)
    const command = await catalogue.find((entry) => entry.name === name)!.load()
    for (const option of command.options) expect(asked.output).toContain(`\n  --${option.name} `)
    const tooLong = asked.output.split('\n').filter((line) => line.length > 100)
    expect(tooLong).toEqual([])
  })

  test('is an option only before two dashes', async () => {
    expect((await antaraTx('decode', '--', '--help')).errors).toContain('no such file: --help')
    expect((await antaraTx('decode', '--', '-h')).errors).toContain('no such file: -h')
  })
})

describe('an unknown name', () => {
  test.each([
    [['verfy'], 'unknown command verfy; did you mean verify?'],
    [['help', 'Decode-'], 'unknown command Decode-; did you mean decode?'],
    [['frobnicate'], 'unknown command frobnicate\n'],
    [['decode', '--jsno'], 'unknown option --jsno; did you mean --json?'],
    [['decode', '-json'], 'unknown option -json; did you mean --json?'],
    [['decode', '-x'], 'unknown option -x\n'],
    [['wallet', '--key', 'X'], 'unknown option --key; did you mean --key-file?'],
    [['wallet', 'send', '--dry=yes'], 'unknown option --dry; did you mean --dry-run?'],
    [['rpc', '--allow'], 'unknown option --allow; did you mean --allow-host?'],
    [['node', '--allow'], 'unknown option --allow\n'],
    [['wallet', '--k', 'X'], 'unknown option --k\n'],
    [['verify', '--key', 'X'], 'unknown option --key\n'],
    [['decode', '--json', '--json'], '--json is given twice'],
    [['decode', '--json=yes'], '--json takes no value'],
    [['decode', '--network'], '--network needs a value: NAME'],
    // An empty variable of a shell leaves the next option behind this one.
    [['wallet', 'send', '--yes', '--id', '--dry-run'], '--id needs a value: ID'],
    [['wallet', 'send', '--yes', '--key-file', '--', 'file'], '--key-file needs a value: FILE'],
    [['attempts', '--journal='], '--journal: no such file: '],
    [['guard', '--pubkey', 'x', '--journal='], '--journal needs a value: FILE'],
    [['attempts', '--journal', 'nowhere'], '--journal: no such file: nowhere'],
    [['attempts', 'resume', '--journal', 'nowhere'], '--journal: no such file: nowhere'],
    [['wallet', 'resume', '--journal', 'nowhere'], '--journal: no such file: nowhere'],
    [['wallet', 'resume', '--dry-run'], '--dry-run cannot be combined with resume'],
    [['wallet', 'resume', '--id', 'a'], '--id cannot be combined with resume'],
    [['wallet', 'transfer', '--coins', '5'], '--coins cannot be combined with transfer'],
    [['wallet', 'burn', '--max'], '--max cannot be combined with burn'],
    [['wallet', 'send', '--all'], '--all cannot be combined with send'],
    [['decode', '--network', 'Tokell', '00'], 'did you mean tokel?'],
    [['key', 'nwe'], 'got nwe; did you mean new?'],
    [['condition', 'decod'], 'got decod; did you mean decode?'],
    [['rpc', 'framewrk', 'version'], 'did you mean framework?'],
    [['rpc', 'framework', 'withdraw', 'to=RA', 'amount="1"', 'to=RB'], 'to is given twice'],
    [['rpc', 'framework', 'task-status', 'enable_bch', '3', 'forget=1'], 'got 1 more'],
    [['rpc', 'framework', 'task-cancel', 'enable_bch', '3', '4'], 'got 1 more'],
    [['doctor', 'foo'], 'expected no arguments'],
    [['completion', 'fihs'], 'expected bash, zsh or fish; did you mean fish?'],
    [['txid', 'a1b2c3d4.hex'], 'no such file: a1b2c3d4.hex'],
    [['txid', `${'ab'.repeat(16)}.json`], `no such file: ${'ab'.repeat(16)}.json`],
    [['decode', './deadbeef00'], 'no such file: ./deadbeef00'],
    [['decode', '04zz'], 'no such file: 04zz; if it is hex, character 3 is wrong'],
    [['node', '--host', '0.0.0.0'], '--host: 0.0.0.0 can be reached from other machines; --expose'],
    [['node', '--fund', 'x=1'], '--fund: x: neither an address'],
    [['node', '--load', 'nowhere.json'], '--load: no such file: nowhere.json'],
    [['decode', '--network', 'bitcoin', '00'], '--network: unknown network bitcoin; known: komodo'],
    [['decode', '--network', '1.5', '00'], '--network: no such file: 1.5; known: komodo'],
  ])('%j is reported with the name that was meant', async (args, words) => {
    const { status, output, errors } = await antaraTx(...args)
    expect(status).toBe(64)
    expect(errors).toContain(words)
    // With --json, programs read the error as an object on standard output.
    if (args.includes('--json')) expect(JSON.parse(output).error.message).toContain(words)
    else expect(output).toBe('')
  })

  test('is compared only where it is a word', () => {
    expect(didYouMean('x'.repeat(100_000), names)).toBe('')
    expect(didYouMean('', names)).toBe('')
    expect(didYouMean('txdi', names)).toBe('; did you mean txid?')
    expect(didYouMean('tx', names)).toBe('')
  })
})

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: 'true', NO_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '' }, false],
])('a stream that is a terminal (%s) with %j has colors: %s', (isTerminal, env, expected) => {
  expect(wantsColor(isTerminal, env)).toBe(expected)
})

test('a terminal whose kind the permissions of Deno hide has colors', () => {
  const env = {
    get TERM(): string {
      throw new Error('Requires env access to "TERM"')
    },
  }
  expect(wantsColor(true, env)).toBe(true)
  expect(wantsColor(false, env)).toBe(false)
})

describe('completion', () => {
  test('completion of another shell is refused', async () => {
    expect(await antaraTx('completion', 'tcsh')).toMatchObject({ status: 64, output: '' })
  })
})
