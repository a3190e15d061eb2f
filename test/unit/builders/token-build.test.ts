import { Point } from '@noble/secp256k1'
import { describe, expect, test } from 'vitest'
import { buildTokenCreate } from '../../../src/builders/create.ts'
import { buildTokenTransfer, planTokenTransfer } from '../../../src/builders/transfer.ts'
import { burnPublicKeys, moduleNames } from '../../../src/chain/modules.ts'
import { defineNetwork, networks } from '../../../src/chain/network.ts'
import type { Case } from '../../../src/request/case.ts'
import type { TokenCreateRequest } from '../../../src/request/create.ts'
import { formatCase } from '../../../src/request/format-case.ts'
import type { TokenTransferRequest } from '../../../src/request/transfer.ts'
import { signTransaction } from '../../../src/signing/sign.ts'
import { decodeTokenPayload } from '../../../src/token/payload/decode.ts'
import { createTokenProver } from '../../../src/token/proof/prove.ts'
import { tokenScript } from '../../../src/token/rules/token-script.ts'
import { decodeTransaction, transactionId } from '../../../src/transaction/decode.ts'
import { encodeTransaction } from '../../../src/transaction/encode.ts'
import type { Outpoint } from '../../../src/transaction/types.ts'
import { verifyTokenCreate } from '../../../src/verification/operations/create.ts'
import { parseCase } from '../../../src/verification/parse-case.ts'
import { verifyTokenTransfer } from '../../../src/verification/verify-transfer.ts'
import {
  alice,
  atBlock,
  bob,
  carol,
  coins,
  coinsOf,
  create,
  failure,
  isProven,
  previousTransactions,
  request,
  tokenCoins,
  tokenid,
  worth,
} from '../../support/bobs-tokens.ts'
import { daemonMade, readVectors } from '../../support/komodod.ts'
import { expectedRefusal } from '../../support/refused-requests.ts'
import { shareOf } from '../../support/share.ts'
import { inQuickRun, testUnless } from '../../support/skip.ts'

const made = daemonMade
const { dataBytes } = readVectors<{ dataBytes: { byte: string; transferred: boolean }[] }>(
  'token/proofs.json',
)
/** Returns the transaction of the daemon without its signatures. */
function unsigned(hex: string): string {
  const { inputs, ...rest } = decodeTransaction(hex)
  return encodeTransaction({
    ...rest,
    inputs: inputs.map(({ txid, vout, sequence }) => ({ txid, vout, sequence, scriptSig: '' })),
  })
}

/** Coins, key and height that the daemon used: what it does not choose by rules but by wallet. */
function circumstances(hex: string) {
  const { inputs, outputs, expiryHeight } = decodeTransaction(hex)
  const isToken = ({ scriptSig }: { scriptSig: string }) => scriptSig.startsWith('4c')
  const own = [alice, bob].find((key) => outputs.some((it) => it.script === `21${key}ac`))!
  return {
    own,
    previousTransactions,
    coins: inputs.filter((it) => !isToken(it)),
    tokenCoins: inputs.filter(isToken),
    tipHeight: expiryHeight - 201,
  }
}

function transferOf({ params, hex }: { params: string[]; hex: string }): TokenTransferRequest {
  const { own, ...rest } = circumstances(hex)
  const [tokenid = '', pubkey = '', amount = ''] = params
  const burn = pubkey === burnPublicKeys.komodo
  return { ...rest, tokenid, recipients: [{ pubkey, amount }], from: own, burn }
}

function createOf({ params, hex }: { params: string[]; hex: string }): TokenCreateRequest {
  const { own, tokenCoins: _, ...rest } = circumstances(hex)
  const [name = '', supplyCoins = '', description = '', data] = params
  const more = data === undefined ? {} : { data }
  return { ...rest, name, supplyCoins, description, owner: own, ...more }
}

describe('transactions of a komodod', () => {
  const rows = made.map((row) => ({ ...row, refusal: expectedRefusal(row) }))
  const build = (row: (typeof made)[number], overrides = {}) =>
    row.method === 'tokencreate'
      ? buildTokenCreate({ ...createOf(row), ...overrides })
      : buildTokenTransfer({ ...transferOf(row), ...overrides })

  test.each(rows.filter((it) => it.refusal === undefined))(
    '$file: $method $params is made alike',
    (row) => {
      expect(build(row).hex).toBe(unsigned(row.hex))
      expect(build(row, { nativeChange: 'daemon' }).hex).toBe(unsigned(row.hex))
    },
  )

  test.each(rows.filter((it) => it.refusal !== undefined))(
    '$file: $method $params is refused: $refusal',
    (row) => {
      const { code } = failure(() => build(row))
      if (row.refusal === 'hex') expect(['odd_length_hex', 'malformed_hex']).toContain(code)
      else expect(code).toBe(row.refusal)
    },
  )

  test('builds alike for nodes with a wider relay policy', () => {
    const network = defineNetwork({ nulldataBytesMax: 10000 })
    const large = rows.filter((it) => it.refusal === 'nulldata_too_large')
    for (const row of large) expect(build(row, { network }).hex).toBe(unsigned(row.hex))
    expect(large.length).toBeGreaterThan(5)
  })
})

describe('from request to broadcast', () => {
  const wifs = readVectors<Record<'A' | 'B', { wif: string }>>('komodod/keys.json')
  const rows = made.filter((row) => expectedRefusal(row) === undefined)

  test.each(shareOf(rows))('$file: $method $params is signed as the daemon signed it', (row) => {
    const built =
      row.method === 'tokencreate'
        ? buildTokenCreate(createOf(row))
        : buildTokenTransfer(transferOf(row))
    const isAlice = circumstances(row.hex).own === alice
    const wif = wifs[isAlice ? 'A' : 'B'].wif
    const signed = signTransaction(built.hex, [wif], built.coins, networks.assetChain)
    expect(signed).toEqual({ hex: row.hex, txid: transactionId(row.hex), complete: true })
    const report =
      built.operation === 'tokencreate'
        ? verifyTokenCreate(signed.hex, built.intent, built)
        : verifyTokenTransfer(signed.hex, built.intent, built)
    // which chain a creation is for only the outpoints that one names can tell
    const reported = report.findings.filter(({ severity }) => severity !== 'info')
    // If the transaction was not sent, the recorded chain spends the coin elsewhere.
    const isSent = previousTransactions.includes(row.hex)
    const codes = reported.map(({ code }) => code)
    expect(codes).toEqual(isSent ? [] : codes.filter((code) => code === 'output_contested'))
    expect(report.ok).toBe(true)
  })
})

describe('builds that the rules allow and the daemon does not make', () => {
  const holders = new Map(
    Object.entries({ alice, bob, carol, burn: burnPublicKeys.komodo }).flatMap(([name, key]) => [
      [tokenScript(key), `tokens to ${name}`],
      [`21${key}ac`, `coins to ${name}`],
    ]),
  )
  function outputsOf(hex: string): string[] {
    return decodeTransaction(hex).outputs.map(
      ({ value, script }) => `${value} ${holders.get(script) ?? 'nulldata'}`,
    )
  }
  function namedKeys(hex: string): readonly string[] {
    const payload = decodeTokenPayload(decodeTransaction(hex).outputs.at(-1)!.script)
    return payload?.kind === 'transfer' ? payload.pubkeys : []
  }
  /** Every output of what was built, as the prover sees it once Bob has signed. */
  function proven(hex: string): (bigint | string)[] {
    const { inputs, ...rest } = decodeTransaction(hex)
    const fulfilled = encodeTransaction({
      ...rest,
      inputs: inputs.map(({ txid, vout, sequence }) => {
        const isToken = tokenCoins.some((it) => it.txid === txid && it.vout === vout)
        const signature = `5658021${bob}8140${'00'.repeat(64)}`
        const scriptSig = isToken ? `4c79a276a072a26ba067a${signature}a100af038001f2a10001` : ''
        return { txid, vout, sequence, scriptSig }
      }),
    })
    const prover = createTokenProver([...previousTransactions, fulfilled])
    return rest.outputs.map((_, vout) => {
      const proof = prover.prove(transactionId(fulfilled), vout, tokenid)
      return proof.verdict === 'proven' ? proof.amount : proof.verdict
    })
  }

  test('two recipients, and change', () => {
    const recipients = [
      { pubkey: alice, amount: '12' },
      { pubkey: carol, amount: 5n },
    ]
    const { hex, intent } = buildTokenTransfer({ ...request, recipients })
    expect(outputsOf(hex).slice(0, 3)).toEqual([
      '12 tokens to alice',
      '5 tokens to carol',
      '3 tokens to bob',
    ])
    expect(namedKeys(hex)).toEqual([alice, carol])
    expect(proven(hex).slice(0, 3)).toEqual([12n, 5n, 3n])
    expect(intent.recipients).toHaveLength(2)
  })

  test('two recipients and oneself, who need not be named', () => {
    const recipients = [alice, bob, carol].map((pubkey) => ({ pubkey, amount: 1n }))
    const { hex } = buildTokenTransfer({ ...request, recipients })
    expect(namedKeys(hex)).toEqual([alice, carol])
    expect(proven(hex).slice(0, 4)).toEqual([1n, 1n, 1n, 7n])
  })

  test('many small coins become one', () => {
    const recipients = [{ pubkey: bob, amount: 220n }]
    const built = buildTokenTransfer({ ...request, recipients, spend: 'all' })
    expect(built.coins.map((it) => it.role)).toEqual([
      'native',
      ...tokenCoins.map(() => 'token'),
      ...coins.slice(1).map(() => 'native'),
    ])
    expect(outputsOf(built.hex)[0]).toBe('220 tokens to bob')
    expect(proven(built.hex)[0]).toBe(220n)
  })

  test('a burn, when it is asked for', () => {
    const recipients = [{ pubkey: burnPublicKeys.komodo, amount: 20n }]
    const { hex, intent } = buildTokenTransfer({ ...request, recipients, burn: true })
    expect(outputsOf(hex)[0]).toBe('20 tokens to burn')
    expect(proven(hex)[0]).toBe(20n)
    expect(intent.burn).toBe(true)
  })

  describe('native change', () => {
    test.each([
      [10000n, 'exact', undefined, 10000n],
      [10056n, 'exact', undefined, 10056n],
      [10057n, 'exact', 57n, 10000n],
      [19999n, 'exact', 9999n, 10000n],
      [10057n, 'daemon', undefined, 10057n],
      [19999n, 'daemon', undefined, 19999n],
      [20000n, 'daemon', 10000n, 10000n],
    ] as const)(
      'follows the rule for a coin of %s satoshis, %s: %s',
      (value, nativeChange, change, paid) => {
        const { hex, fee } = buildTokenTransfer({ ...request, ...worth(value), nativeChange })
        expect(outputsOf(hex)).toEqual([
          '12 tokens to alice',
          '8 tokens to bob',
          ...(change === undefined ? [] : [`${change} coins to bob`]),
          '0 nulldata',
        ])
        expect(fee).toBe(paid)
      },
    )

    test('is left out if that keeps the fee in bounds', () => {
      const tight = { ...request, ...worth(15000n), maxFee: 12000n }
      expect(buildTokenTransfer(tight).fee).toBe(10000n)
      const { code } = failure(() => buildTokenTransfer({ ...tight, nativeChange: 'daemon' }))
      expect(code).toBe('fee_over_limit')
    })
  })

  describe('very many coins', () => {
    // one transfer of 1100 units in single ones; what it spends is not given
    const script = `4c79a276a072a26ba067a5658021${alice}8140${'00'.repeat(64)}a100af038001f2a10001`
    const nulldata = decodeTransaction(buildTokenTransfer(request).hex).outputs.at(-1)!.script
    const crumbs = encodeTransaction({
      version: 4,
      overwintered: true,
      versionGroupId: 0x892f2085,
      inputs: [{ txid: '33'.repeat(32), vout: 0, scriptSig: script, sequence: 0xffffffff }],
      outputs: [
        ...Array.from({ length: 1100 }, () => ({ value: 1n, script: tokenScript(bob) })),
        { value: 0n, script: nulldata.replace(alice, bob) },
      ],
      lockTime: 0,
    })
    const crumbsOf = (count: number): Outpoint[] =>
      Array.from({ length: count }, (_, vout) => ({ txid: transactionId(crumbs), vout }))
    const gather = (
      count: number,
      recipients: TokenTransferRequest['recipients'],
      overrides = {},
    ) =>
      buildTokenTransfer({
        ...request,
        tokenCoins: crumbsOf(count),
        previousTransactions: [...request.previousTransactions, crumbs],
        recipients,
        fee: 20000n,
        ...overrides,
      })

    test('become one in one transaction, as far as the daemon’s arrays reach', () => {
      const { hex, coins, unproven } = gather(1023, [{ pubkey: bob, amount: 1023n }])
      expect(coins).toHaveLength(1024)
      expect(outputsOf(hex)[0]).toBe('1023 tokens to bob')
      expect(unproven).toHaveLength(1023)
      const { code } = failure(() => gather(1024, [{ pubkey: bob, amount: 1024n }]))
      expect(code).toBe('input_count')
    })

    testUnless(inQuickRun)('are planned for, and the plan leads to the transfer', () => {
      const recipients = [{ pubkey: alice, amount: 1100n }]
      const wanted = {
        ...request,
        tokenCoins: crumbsOf(1100),
        previousTransactions: [...request.previousTransactions, crumbs],
        recipients,
      }
      expect(failure(() => buildTokenTransfer(wanted)).code).toBe('input_count')
      const plan = planTokenTransfer(wanted)!
      // each merge of 60 saves 59, and 60 are left for the transfer
      expect(plan.merges).toHaveLength(18)
      expect(plan.fee).toBe(180_000n)
      expect(plan.sendable).toBe(60n)
      const { B } = readVectors<{ B: { wif: string } }>('komodod/keys.json')
      const spent = new Set<string>()
      const made: Outpoint[] = []
      let { previousTransactions } = wanted
      let native: readonly Outpoint[] = coins
      for (const merge of plan.merges) {
        const merged = buildTokenTransfer({
          ...wanted,
          previousTransactions,
          recipients: [{ pubkey: bob, amount: merge.amount }],
          tokenCoins: [...merge.tokenCoins, ...merge.merged.map((at) => made[at]!)],
          coins: native,
          spend: 'all',
        })
        expect(merged.coins.filter(({ role }) => role === 'token').length).toBeLessThanOrEqual(60)
        const { hex, txid } = signTransaction(merged.hex, [B.wif], merged.coins)
        for (const { txid: from, vout } of merged.coins) spent.add(`${from}:${vout}`)
        made.push({ txid, vout: 0 })
        native = [{ txid, vout: 1 }]
        previousTransactions = [...previousTransactions, hex]
      }
      const afterwards = {
        ...wanted,
        tokenCoins: [...made, ...crumbsOf(1100)].filter(
          ({ txid, vout }) => !spent.has(`${txid}:${vout}`),
        ),
        coins: native,
        previousTransactions,
      }
      expect(planTokenTransfer(afterwards)).toBeUndefined()
      expect(outputsOf(buildTokenTransfer(afterwards).hex)[0]).toBe('1100 tokens to alice')
    })

    test('have no plan where they are too few, but an error', () => {
      const poor = { ...request, recipients: [{ pubkey: alice, amount: 1_000_000n }] }
      expect(failure(() => planTokenTransfer(poor)).code).toBe('insufficient_tokens')
      expect(failure(() => planTokenTransfer({ ...request, coins: [] })).code).toBe(
        'insufficient_coins',
      )
      expect(planTokenTransfer(request)).toBeUndefined()
    })

    test('cost what nodes ask for so many bytes', () => {
      const recipients = [{ pubkey: bob, amount: 1000n }]
      const { code } = failure(() => gather(1000, recipients, { fee: 10000n }))
      expect(code).toBe('fee_below_relay')
    })

    test('do not make a transaction larger than a block takes', () => {
      const split = (outputs: number) =>
        gather(
          1000,
          Array.from({ length: outputs }, () => ({ pubkey: bob, amount: 1n })),
        )
      expect(split(400).coins).toHaveLength(401)
      // 1001 inputs of up to 168 bytes, and 57 bytes for each output
      expect(failure(() => split(1000)).code).toBe('transaction_too_large')
    })
  })

  describe('a choice of coins', () => {
    const worthOf = ({ txid, vout }: Outpoint) => {
      const { hex } = atBlock.find((it) => it.txid === txid)!
      return decodeTransaction(hex).outputs[vout]!.value
    }
    const spentTokens = (overrides: Partial<TokenTransferRequest>) =>
      buildTokenTransfer({ ...request, ...overrides }).coins.filter((it) => it.role === 'token')

    test('is made so that tokens match exactly, in whatever order they are given', () => {
      const [first, second] = tokenCoins
      const amount = worthOf(tokenCoins[2]!)
      const recipients = [{ pubkey: alice, amount }]
      for (const given of [tokenCoins, tokenCoins.toReversed()]) {
        const spent = spentTokens({ recipients, tokenCoins: given })
        expect(spent.map(({ value }) => value)).toEqual([amount])
      }
      const both = worthOf(first!) + worthOf(second!)
      expect(
        spentTokens({ recipients: [{ pubkey: alice, amount: both }], tokenCoins }).reduce(
          (sum, { value }) => sum + value,
          0n,
        ),
      ).toBe(both)
    })

    test('spends the same coins in any order of the lists, and keeps the order given', () => {
      const chosen = spentTokens({ tokenCoins })
      const other = spentTokens({ tokenCoins: tokenCoins.toReversed() })
      expect(other.toReversed()).toEqual(chosen)
    })

    test('orders coins of the same value by txid and vout, in whatever order they are given', () => {
      const given = worth(...Array.from({ length: 12 }, () => 10_000n))
      const shuffled = [1, 7, 3, 11, 0, 10, 2, 9, 4, 8, 6, 5].map((at) => given.coins[at]!)
      const vouts = (of: readonly Outpoint[]) =>
        buildTokenTransfer({ ...request, ...given, coins: of })
          .coins.filter(({ role }) => role === 'native')
          .map(({ vout }) => vout)
      // the last one, which a comparison of digits would put before 2
      for (const of of [given.coins, given.coins.toReversed(), shuffled]) {
        expect(vouts(of)).toEqual([11])
      }
    })

    test('is not made where the lists have none to spare, or by wish', () => {
      const wanted = tokenCoins.slice(0, 2)
      const recipients = [{ pubkey: alice, amount: worthOf(wanted[0]!) + 1n }]
      const outpoints = (overrides: Partial<TokenTransferRequest>) =>
        spentTokens({ recipients, coins: coins.slice(0, 1), ...overrides }).map(
          ({ txid, vout }) => ({ txid, vout }),
        )
      expect(outpoints({ tokenCoins: wanted })).toEqual(wanted)
      expect(outpoints({ tokenCoins, spend: 'needed' })).toEqual(wanted)
      expect(outpoints({ tokenCoins, spend: 'all' })).toEqual(tokenCoins)
    })

    test('pays supply, marker and fee of a creation with the fewest coins', () => {
      const values = coins.map(worthOf)
      const largest = values.reduce((most, value) => (value > most ? value : most))
      const { network, tipHeight, previousTransactions } = request
      const built = buildTokenCreate({
        ...(network && { network }),
        ...(tipHeight !== undefined && { tipHeight }),
        previousTransactions,
        name: 'A',
        supply: largest - 30_000n,
        owner: bob,
        coins: coins.toSorted((one, other) => Number(worthOf(one) - worthOf(other))),
      })
      expect(built.coins.map(({ value }) => value)).toEqual([largest])
    })
  })

  test('coins whose history is not there are reported', () => {
    const parents = new Set([tokenid, ...[...tokenCoins, ...coins].map((it) => it.txid)])
    const given = atBlock.filter((it) => parents.has(it.txid)).map((it) => it.hex)
    expect(buildTokenTransfer(request).unproven).toEqual([])
    const { unproven } = buildTokenTransfer({
      ...request,
      previousTransactions: given,
      spend: 'needed',
    })
    expect(unproven).toEqual(tokenCoins.slice(0, 2).map(({ txid, vout }) => ({ txid, vout })))
  })
})

describe('a build that would lose money is refused', () => {
  const to = (pubkey: string) => ({ recipients: [{ pubkey, amount: 1n }] })
  const amount = (units: bigint | string) => ({ recipients: [{ pubkey: alice, amount: units }] })
  const third = Point.BASE.multiply(3n).toHex()
  const four = [alice, carol, third, bob].map((pubkey) => ({ pubkey, amount: 1n }))
  const somebodys = coinsOf(tokenScript(alice))[0]!
  const otherTokens = coinsOf(tokenScript(bob)).filter((it) => !isProven(it))
  const key = 'recipients[0].pubkey'
  const units = 'recipients[0].amount'
  const cases: [string, object, string, string | undefined][] = [
    ['a key off the curve', to(`02${'0'.repeat(64)}`), 'invalid_pubkey', key],
    ['a 65-byte key', to(`04${'11'.repeat(64)}`), 'invalid_pubkey', key],
    ['an address', to('RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'), 'invalid_pubkey', key],
    ['a key cut short', to(alice.slice(0, 64)), 'invalid_pubkey', key],
    ['no key', to(''), 'invalid_pubkey', key],
    ['the burn key, unasked', to(burnPublicKeys.komodo), 'burn_key', key],
    ['the burn key of tokeld, unasked', to(burnPublicKeys.tokel), 'burn_key', key],
    ['another key, for a burn', { burn: true }, 'not_burn_key', key],
    ['no recipient', { recipients: [] }, 'recipient_count', 'recipients'],
    ['three others', { recipients: four }, 'recipient_count', 'recipients'],
    ['an amount of nothing', amount(0n), 'amount_out_of_range', units],
    ['a negative amount', amount(-1n), 'amount_out_of_range', units],
    ['an amount of 2^63', amount(2n ** 63n), 'amount_out_of_range', units],
    ['an amount in fractions', amount('1.5'), 'malformed_amount', units],
    ['an amount with a comma', amount('12,000'), 'malformed_amount', units],
    ['an amount with an exponent', amount('1e3'), 'malformed_amount', units],
    ['an amount that is not there', amount(221n), 'insufficient_tokens', 'tokenCoins'],
    [
      'all that may be',
      { ...amount(2n ** 63n - 1n), spend: 'selected' },
      'insufficient_tokens',
      'tokenCoins',
    ],
    [
      'a fee that is not there',
      { fee: 2n ** 62n, maxFee: 2n ** 62n, spend: 'selected' },
      'insufficient_coins',
      'coins',
    ],
    ['no coins for the fee', { coins: [] }, 'insufficient_coins', 'coins'],
    ['no token of that id', { tokenid: 'ab'.repeat(32) }, 'token_create_missing', 'tokenCreate'],
    ['a tokenid of nothing', { tokenid: '00'.repeat(32) }, 'token_create_missing', 'tokenid'],
    ['another creation', { tokenCreate: atBlock[0]!.hex }, 'token_create_missing', 'tokenCreate'],
    ['a coin of somebody else', { tokenCoins: [somebodys] }, 'foreign_coin', 'tokenCoins[0]'],
    ['a native coin for a token', { tokenCoins: coins }, 'foreign_coin', 'tokenCoins[0]'],
    ['a token for a native coin', { coins: tokenCoins }, 'foreign_coin', 'coins[0]'],
    ['tokens of another id', { tokenCoins: otherTokens }, 'token_disproven', 'tokenCoins[0]'],
    ['a coin twice', { coins: [coins[0], coins[0]] }, 'duplicate_coin', 'coins[1]'],
    [
      'a coin that nobody knows',
      { coins: [{ txid: 'ab'.repeat(32), vout: 0 }] },
      'previous_transaction_missing',
      'coins[0]',
    ],
    [
      'an output that there is not',
      { coins: [{ ...coins[0], vout: 9 }] },
      'no_such_output',
      'coins[0].vout',
    ],
    ['a fee over its bound', { fee: 15000n, maxFee: 12000n }, 'fee_over_limit', 'fee'],
    ['a fee over any bound', { fee: 20001n }, 'fee_over_limit', 'fee'],
    ['a coin for a fee', { fee: 100_000_000n }, 'fee_over_limit', 'fee'],
    ['no fee', { fee: 0n, maxFee: 10000n }, 'fee_below_relay', 'fee'],
    ['an expiry in the past', { expiryHeight: 39 }, 'expiry_height', 'expiryHeight'],
    [
      'an expiry further than a wallet should allow',
      { expiryHeight: 440 },
      'expiry_height',
      'expiryHeight',
    ],
    ['a tip beyond all heights', { tipHeight: 2 ** 32 - 1 }, 'expiry_height', 'expiryHeight'],
    ['an expiry that is a time', { expiryHeight: 500_000_000 }, 'expiry_height', 'expiryHeight'],
    ['KMD itself', { network: networks.komodo }, 'unsupported_network', 'network'],
    [
      'nulldata that does not relay',
      { network: defineNetwork({ nulldataBytesMax: 70 }) },
      'nulldata_too_large',
      'nulldata',
    ],
  ]
  test.each(cases)('%s', (_, overrides, code, path) => {
    expect(failure(() => buildTokenTransfer({ ...request, ...overrides }))).toEqual({ code, path })
  })

  test.each([...moduleNames])('tokens for %s, the key of the module %s', (pubkey) => {
    const { code } = failure(() => buildTokenTransfer({ ...request, ...to(pubkey) }))
    expect(code).toBe('module_key')
  })

  const creations: [string, object, string, string | undefined][] = [
    ['no name', { name: '' }, 'text_length', 'name'],
    ['33 bytes of name', { name: `${'é'.repeat(16)}x` }, 'text_length', 'name'],
    ['a name of half a character', { name: '\ud800' }, 'text_mismatch', 'name'],
    ['4097 bytes of description', { description: 'd'.repeat(4097) }, 'text_length', 'description'],
    [
      '200 bytes of description',
      { description: 'd'.repeat(200) },
      'nulldata_too_large',
      'nulldata',
    ],
    ['no supply', { supply: 0n }, 'amount_out_of_range', 'supply'],
    ['a supply in coins', { supply: '4.35' }, 'malformed_amount', 'supply'],
    ['a supply of no units', { supply: '0' }, 'amount_out_of_range', 'supply'],
    [
      'a supply in nine decimals',
      { supply: undefined, supplyCoins: '0.000000001' },
      'malformed_amount',
      'supplyCoins',
    ],
    ['a non-fungible supply of two', { supply: 2n, data: 'f100' }, 'supply_not_one', 'supply'],
    ['empty data', { supply: 1n, data: '' }, 'data_length', 'data'],
    ['10002 bytes of data', { supply: 1n, data: 'f1'.repeat(10002) }, 'data_length', 'data'],
    ['a supply that is not there', { supply: 10n ** 18n }, 'insufficient_coins', 'coins'],
    ['all the supply that there may be', { supply: 2n ** 63n - 1n }, 'insufficient_coins', 'coins'],
    ['coins of somebody else', { coins: coinsOf(`21${alice}ac`) }, 'foreign_coin', 'coins[0]'],
    ['the burn key as owner', { owner: burnPublicKeys.komodo }, 'burn_key', 'owner'],
  ]
  test.each(creations)('a creation with %s', (_, overrides, code, path) => {
    expect(failure(() => buildTokenCreate({ ...create, ...overrides }))).toEqual({ code, path })
  })

  test('nulldata of 208 bytes relays, one more does not', () => {
    // 3 bytes of script, 2 of module and function, 34 of owner, 5 of name, 1 before the text
    const described = (bytes: number) =>
      buildTokenCreate({ ...create, description: 'd'.repeat(bytes) })
    const script = decodeTransaction(described(163).hex).outputs.at(-1)!.script
    expect(script.length / 2).toBe(208)
    expect(failure(() => described(164)).code).toBe('nulldata_too_large')
  })

  test.each(dataBytes)('data that begin with $byte: moved by the chain: $transferred', (row) => {
    const build = () => buildTokenCreate({ ...create, supply: 1n, data: `${row.byte}00` })
    if (row.transferred) expect(build().intent.data).toBe(`${row.byte}00`)
    else expect(failure(build)).toEqual({ code: 'untransferable_data', path: 'data' })
  })

  test.each(['1e3', '0.123456789', ' 1', '1 ', '1\n', '\u0661', '1_000', '1,000', '0x10', '-0'])(
    'an amount of %j',
    (text) => {
      for (const supply of [{ supply: text }, { supply: undefined, supplyCoins: text }]) {
        const asked = { ...create, ...supply } as TokenCreateRequest
        expect(failure(() => buildTokenCreate(asked)).code).toBe('malformed_amount')
      }
      const given = failure(() => buildTokenTransfer({ ...request, ...amount(text) }))
      expect(given.code).toBe('malformed_amount')
    },
  )

  test.each([
    ['4.35', 435000000n],
    ['8.2', 820000000n],
    ['1.15', 115000000n],
    ['0.29', 29000000n],
  ])('a supply of %s coins is exact, unlike the daemon’s', (supplyCoins, exact) => {
    const { supply: _, ...rest } = create
    const { hex, intent } = buildTokenCreate({ ...rest, supplyCoins })
    expect(intent.supply).toBe(exact)
    expect(decodeTransaction(hex).outputs[1]?.value).toBe(exact)
  })
})

describe('a case file', () => {
  test('a case file of a built transaction is what the verifier reads, with intent and evidence', () => {
    const network = defineNetwork({ name: 'TOKTEST', maxMoney: 10n ** 17n })
    const unsigned = buildTokenTransfer({
      ...request,
      network,
      burn: true,
      recipients: [{ pubkey: burnPublicKeys.komodo, amount: 1n }],
    })
    const read = parseCase(formatCase(unsigned))
    expect(read.operation).toBe('tokentransfer')
    expect(read.hex).toBe(unsigned.hex)
    expect(read.intent).toEqual(unsigned.intent)
    expect(read.evidence).toEqual({
      previousTransactions: request.previousTransactions,
      tokenCreate: unsigned.tokenCreate,
      tipHeight: 39,
    })
  })

  test('a case file of a creation is what the verifier reads', () => {
    const unsigned = buildTokenCreate(createOf(made[0]!))
    const read = parseCase(formatCase(unsigned))
    expect(read.intent).toEqual(unsigned.intent)
    expect(formatCase(unsigned)).toContain('"network": "assetChain"')
    expect(read.intent.spendable).toEqual(unsigned.coins.map(({ txid, vout }) => ({ txid, vout })))
  })

  test.each([
    ['a transfer', () => buildTokenTransfer(request)],
    ['a creation', () => buildTokenCreate(createOf(made[0]!))],
  ])('a case file of %s survives a round trip', (_, build) => {
    const text = formatCase(build())
    expect(formatCase(parseCase(text))).toBe(text)
    const { intent, ...rest } = parseCase(text)
    const reportedBy = 'a daemon'
    const spendable = [{ txid: '11'.repeat(32), vout: 7 }]
    const onChain = ['22'.repeat(32)]
    const more = { ...intent, ownKeys: [bob], spendable, onChain, reportedBy, expiryBlocksMax: 9 }
    const given = { ...rest, intent: more } as Case
    expect(parseCase(formatCase(given))).toEqual(given)
  })
})

describe('misuse is a TypeError', () => {
  const wrong = (overrides: object) => () => buildTokenTransfer({ ...request, ...overrides })
  test.each([
    ['no request', () => buildTokenTransfer(undefined as never)],
    ['neither height', wrong({ tipHeight: undefined })],
    ['an amount as number', wrong({ recipients: [{ pubkey: alice, amount: 1 }] })],
    ['coins as text', wrong({ coins: 'all' })],
    ['an unknown way to spend', wrong({ spend: 'most' })],
    ['an unknown rule for change', wrong({ nativeChange: 'none' })],
    ['no supply', () => buildTokenCreate({ ...createOf(made[0]!), supplyCoins: undefined! })],
    ['a supply in units and coins', () => buildTokenCreate({ ...createOf(made[0]!), supply: 1n })],
    ['a supply as number', () => buildTokenCreate({ ...createOf(made[0]!), supply: 1 as never })],
  ])('%s', (_, run) => {
    expect(run).toThrow(TypeError)
  })
})
