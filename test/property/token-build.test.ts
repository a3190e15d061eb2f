import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTokenTransfer } from '../../src/builders/transfer.ts'
import { burnPublicKeys } from '../../src/chain/modules.ts'
import { networks } from '../../src/chain/network.ts'
import { hash160 } from '../../src/engine/calls.ts'
import { signTransaction } from '../../src/signing/sign.ts'
import { createTokenProver } from '../../src/token/proof/prove.ts'
import { tokenScript } from '../../src/token/rules/token-script.ts'
import { decodeTransaction } from '../../src/transaction/decode.ts'
import type { Outpoint } from '../../src/transaction/types.ts'
import { verifyTokenTransfer } from '../../src/verification/verify-transfer.ts'
import { keys, readVectors } from '../support/komodod.ts'
import { share } from '../support/share.ts'

const wif = readVectors<{ B: { wif: string } }>('komodod/keys.json').B.wif
const [alice, bob, carol] = [keys.A.pubkey, keys.B.pubkey, keys.C.pubkey]
const tokenid = '8ffef3263cfbdd65f3e6086e262da4295996e77d39c27a7c6aa46913a6ad517e'
const { transactions } = readVectors<{
  transactions: { height: number; txid: string; hex: string }[]
}>('komodod/90-chain-dump.json')
const chain = transactions.filter(({ height }) => height <= 39)
const previousTransactions = chain.map(({ hex }) => hex)
const prover = createTokenProver(previousTransactions)
const spent = new Set(
  chain.flatMap(({ hex }) => decodeTransaction(hex).inputs.map((it) => `${it.txid}:${it.vout}`)),
)
const unspent = (script: string): Outpoint[] =>
  chain.flatMap(({ txid, hex }) =>
    decodeTransaction(hex).outputs.flatMap((output, vout) =>
      output.script === script && !spent.has(`${txid}:${vout}`) ? [{ txid, vout }] : [],
    ),
  )
const tokens = unspent(tokenScript(bob)).filter(
  ({ txid, vout }) => prover.prove(txid, vout, tokenid).verdict === 'proven',
)
const native = unspent(`76a914${hash160(bob)}88ac`)

const amount = fc.bigInt({ min: 1n, max: 40n })
const recipients = fc.oneof(
  fc.tuple(fc.record({ pubkey: fc.constantFrom(alice, bob, carol), amount })),
  fc.tuple(
    fc.record({ pubkey: fc.constant(alice), amount }),
    fc.record({ pubkey: fc.constantFrom(bob, carol), amount }),
  ),
  fc.tuple(fc.record({ pubkey: fc.constant(burnPublicKeys.komodo), amount })),
)

test('built transactions move the requested tokens, pay the fee, verify and are proven', () => {
  fc.assert(
    fc.property(
      recipients,
      fc.shuffledSubarray(tokens, { minLength: 9 }),
      fc.shuffledSubarray(native, { minLength: 1 }),
      fc.bigInt({ min: 1000n, max: 30000n }),
      fc.constantFrom('exact' as const, 'daemon' as const),
      fc.constantFrom('needed' as const, 'all' as const),
      (to, tokenCoins, coins, fee, nativeChange, spend) => {
        const built = buildTokenTransfer({
          tokenid,
          recipients: to,
          burn: to[0].pubkey === burnPublicKeys.komodo,
          from: bob,
          tokenCoins,
          coins,
          previousTransactions,
          tipHeight: 39,
          fee,
          maxFee: 2n * fee,
          nativeChange,
          spend,
        })
        const { hex, txid, complete } = signTransaction(
          built.hex,
          [wif],
          built.coins,
          networks.assetChain,
        )
        expect(complete).toBe(true)

        const { outputs } = decodeTransaction(hex)
        const sum = (values: readonly { value: bigint }[]) =>
          values.reduce((total, { value }) => total + value, 0n)
        expect(sum(built.coins) - sum(outputs)).toBe(built.fee)
        expect(built.fee >= fee && built.fee <= 2n * fee).toBe(true)

        const report = verifyTokenTransfer(hex, built.intent, built)
        expect(report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])

        const after = createTokenProver([...previousTransactions, hex])
        const paid = outputs.map(({ script }, vout) => {
          const proof = after.prove(txid, vout, tokenid)
          return proof.verdict === 'proven'
            ? { script, value: proof.amount }
            : { script, value: 0n }
        })
        const spentTokens = sum(built.coins.filter(({ role }) => role === 'token'))
        expect(sum(paid)).toBe(spentTokens)
        for (const { pubkey, amount: asked } of to) {
          if (pubkey === bob) continue
          const script = tokenScript(pubkey)
          expect(sum(paid.filter((it) => it.script === script))).toBe(asked)
        }
      },
    ),
    { numRuns: share(25) },
  )
})
