// Orders of non-fungible tokens lie under three eval codes at once: the assets module's, the tokens
// module's, and the first byte of the token's data. Signing finds that condition by itself.

import { describe, expect, test } from 'vitest'

import {
  encodeTransaction,
  parseCase,
  signCase,
  signTransaction,
  tokenConditionTree,
  tokenScript,
  verifyInputs,
} from '../../../src/index.ts'
import { keys, readVectors } from '../../support/komodod.ts'
import { assetsKey, orderKeys } from '../../support/orders.ts'

const { case: file } = readVectors<{ case: object }>('komodod/nft-cancelask.json')
const { A } = readVectors<{ A: { privkey: string } }>('komodod/keys.json')
const evalCodes = [0xe3, 0xf2, 0xf1]

test('signs the recorded cancellation of an ask of a non-fungible token', () => {
  const report = signCase(parseCase(JSON.stringify(file)), [A.privkey])
  expect(report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
  expect(report.ok).toBe(true)
})

describe('a coin under three codes', () => {
  const coin = (key: string, codes: readonly number[]) => ({
    value: 1n,
    script: tokenScript(key, { evalCodes: codes }),
  })
  const unsigned = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
    outputs: [{ value: 1n, script: `21${keys.A.pubkey}ac` }],
    lockTime: 0,
  })

  test.each([
    ['of the module', assetsKey, evalCodes],
    ['of an owner', keys.A.pubkey, evalCodes],
    ['with the first byte of any data', assetsKey, [0xe3, 0xf2, 0x01]],
    ['with the last byte of any data', assetsKey, [0xe3, 0xf2, 0xff]],
  ])('%s is signed as with the condition given by hand', (_, key, codes) => {
    const prevout = coin(key, codes)
    const found = signTransaction(unsigned, orderKeys, [prevout])
    expect(found.complete).toBe(true)
    expect(verifyInputs(found.hex, [prevout])).toMatchObject([{ ok: true }])
    const condition = tokenConditionTree(key, { evalCodes: codes })
    expect(found.hex).toBe(signTransaction(unsigned, orderKeys, [{ ...prevout, condition }]).hex)
  })

  test('is left unsigned in a form that no daemon makes', () => {
    for (const codes of [
      [0xe2, 0xf2, 0xf1],
      [0xe3, 0xf5, 0xf1],
    ]) {
      expect(signTransaction(unsigned, orderKeys, [coin(assetsKey, codes)]).complete).toBe(false)
    }
  })
})
