// A report names the source that calls the spent outputs unspent, because no bytes prove that.

import { describe, expect, test } from 'vitest'

import { fundedNode, openWallet } from './support.ts'

const claims = (findings: readonly { readonly code: string }[]) =>
  findings.filter(({ code }) => code === 'claimed_unspent')

describe('a report of the wallet', () => {
  test('names the source that calls the spent outputs unspent', async () => {
    const { node, alice, bob, chain } = await fundedNode()
    const wallet = await openWallet(alice, chain)
    const shown: unknown[] = []
    const sent = await wallet.pay({
      to: bob.address,
      amount: 1_000_000n,
      confirm: (report) => {
        shown.push(...claims(report.findings))
        return true
      },
    })
    const actual = `reported by ${chain.name}`
    expect(shown).toMatchObject([{ severity: 'info', path: 'inputs', actual }])
    expect(claims(sent.report.findings)).toEqual(shown)
    const { report } = await wallet.prepare.pay({ to: bob.address, amount: 2_000_000n })
    expect(claims(report.findings)).toEqual(shown)
    await node.close()
  })

  test('claims nothing about a transaction that is in a block', async () => {
    const { node, alice, bob, chain } = await fundedNode()
    const wallet = await openWallet(alice, chain)
    const request = { to: bob.address, amount: 1_000_000n, id: 'one' }
    await wallet.pay(request)
    node.mine(1)
    const { status, report } = await wallet.pay(request)
    expect(status).toBe('accepted')
    expect(claims(report.findings)).toEqual([])
    await node.close()
  })
})
