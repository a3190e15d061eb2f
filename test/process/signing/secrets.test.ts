// Follows private keys through the native code that uses them: native/secrets has the programs, which
// are compiled as the addon is. valgrind takes the key for undefined, so it reports every branch and
// every index that depends on it.

import { spawnSync } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'

import { isWasm, root, runProgram } from '../../support/built.ts'
import { describeUnless, inMutationRun, testUnless } from '../../support/skip.ts'

const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined
const noValgrind = isMissing('valgrind') && 'valgrind is not installed'

describeUnless(
  isWasm && 'private keys do not enter WebAssembly',
  process.platform !== 'linux' && 'the programs are for Linux',
  isMissing('cmake') && 'cmake is not installed',
  inMutationRun,
)('private keys in native code', () => {
  beforeAll(() => {
    const valgrind = noValgrind ? ['--target', 'key_residue'] : []
    runProgram('cmake', ['--preset', 'secrets', '--log-level=ERROR'])
    runProgram('cmake', ['--build', '--preset', 'secrets', '--parallel', '2', ...valgrind])
  }, 600_000)

  const underValgrind = (mode: string) =>
    spawnSync('valgrind', ['-q', '--error-exitcode=99', `${root}out/secrets/constant_time`, mode], {
      encoding: 'utf8',
    })

  testUnless(noValgrind).each(['sign', 'derive'])(
    '%s has no branch and no index that depends on the key or the seed',
    (mode) => {
      const { status, stdout, stderr } = underValgrind(mode)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(stdout).toMatch(/^[0-9a-f]{128,130}\n$/)
    },
  )

  testUnless(noValgrind).each([
    ['branch', 'Conditional jump or move depends on uninitialised value'],
    ['index', 'Use of uninitialised value'],
  ])('%s on the key is reported', (mode, words) => {
    const { status, stderr } = underValgrind(mode)
    expect(status).toBe(99)
    expect(stderr).toContain(words)
  })

  /** Bytes of the stack that depend on the key and on the seed, bytes written and bytes wiped. */
  const residueOf = (mode: string) =>
    runProgram(`${root}out/secrets/key_residue`, [mode]).stdout.match(/\d+/g)!.map(Number)

  test.each(['sign', 'derive'])('%s leaves nothing of the key or the seed on the stack', (mode) => {
    const [ofKey, ofSeed, written, wiped] = residueOf(mode)
    expect([ofKey, ofSeed]).toEqual([0, 0])
    expect(written).toBeGreaterThan(wiped!)
  })

  test('libsecp256k1 alone leaves some, and takes less than half of what is wiped', () => {
    const [ofKey, , written, wiped] = residueOf('plain')
    expect(ofKey).toBeGreaterThan(100)
    expect(2 * written!).toBeLessThan(wiped!)
  })
})
