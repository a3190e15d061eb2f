// The tables of known hashes are made at first use, so these tests load the module anew. A mutation
// run asks what a single test notices, so there each test does.

import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { burnPublicKeys, chainModules } from '../../../src/chain/modules.ts'
import { networks, scriptOfAddress } from '../../../src/index.ts'
import { isMutationRun } from '../../support/mutation.ts'
import { putModulesBack } from '../../support/own-modules.ts'

putModulesBack()

let scripts: typeof import('../../../src/script/burned-scripts.ts')

async function loadAnew(): Promise<void> {
  vi.resetModules()
  scripts = await import('../../../src/script/burned-scripts.ts')
}
if (isMutationRun) beforeEach(loadAnew)
else beforeAll(loadAnew)

const withKey = chainModules.flatMap(({ name, key }) =>
  key === undefined ? [] : [{ name, ...key }],
)

describe('the hash of a published key', () => {
  const known = withKey.flatMap(({ name, keyAddress, defect }) =>
    keyAddress === undefined || defect !== undefined ? [] : [[name, keyAddress] as const],
  )

  test.each(known)(
    'the hash of a published key of %s is a script of that module, at the address that it publishes',
    (name, address) => {
      const script = scriptOfAddress(address, networks.assetChain)
      expect(scripts.moduleInScript(script)).toBe(name)
      expect(scripts.moduleOfScript(script)).toBe(name)
    },
  )
})

test('anyone can spend a script that requires no signature, also behind a lock', () => {
  const key = '210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798ac'
  expect(scripts.isOpenScript('51')).toBe(true)
  expect(scripts.isOpenScript('51b17551')).toBe(true)
  expect(scripts.isOpenScript(key)).toBe(false)
  expect(scripts.isOpenScript(`51b175${key}`)).toBe(false)
})

describe('an output burned by its hash', () => {
  const conditions = withKey.flatMap(({ name, conditionAddress, publishedConditionAddress }) =>
    [conditionAddress, publishedConditionAddress].flatMap((address) =>
      address === undefined ? [] : [[name, address] as const],
    ),
  )

  test.each(conditions)('pays the condition of %s at %s as a key', (name, address) => {
    const script = scriptOfAddress(address, networks.assetChain)
    expect(scripts.whyHashBurned(script)).toBe(`the condition of ${name}`)
  })

  test.each([
    ['a hash of zeros', `76a914${'00'.repeat(20)}88ac`],
    ['a hash of zeros', `a914${'00'.repeat(20)}87`],
    // RIPEMD-160 of SHA-256 of nothing
    ['the hash of no key', '76a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb88ac'],
  ])('pays %s: %s', (why, script) => {
    expect(scripts.whyHashBurned(script)).toBe(why)
  })

  test('pays a key that burns', async () => {
    const { hash160 } = await import('../../../src/engine/calls.ts')
    for (const key of Object.values(burnPublicKeys)) {
      expect(scripts.whyHashBurned(`76a914${hash160(key)}88ac`)).toBe('a key that burns')
    }
    expect(Object.values(burnPublicKeys).length).toBeGreaterThan(1)
  })

  test('is not one that pays a key of somebody', () => {
    const script = scriptOfAddress('REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', networks.komodo)
    expect(scripts.whyHashBurned(script)).toBeUndefined()
    expect(scripts.moduleInScript(script)).toBeUndefined()
  })
})
