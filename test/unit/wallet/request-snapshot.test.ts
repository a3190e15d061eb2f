// A wallet reads a request and its options before a call returns its promise: what the caller changes
// afterwards changes nothing.

import { afterAll, beforeAll, expect, test } from 'vitest'

import { assetsGlobalPubkey } from '../../../src/chain/modules.ts'
import { addressOf, type FindingCode, networks, signCase } from '../../../src/index.ts'
import {
  type ChainSource,
  memoryJournal,
  type SendOptions,
  type Wallet,
} from '../../../src/wallet/index.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

/** The address of a key that komodo publishes, so anybody can spend from it. */
const everybodysAddress = addressOf(assetsGlobalPubkey, networks.assetChain)

type Node = Awaited<ReturnType<typeof fundedNode>>
type Members = Record<string, unknown>

let party: Node
let wallet: Wallet
let sent: string[]

beforeAll(async () => {
  party = await fundedNode()
  // Three coins, so that there is something to merge.
  for (let count = 0; count < 2; count += 1) party.node.fund(party.alice.address, 50_000_000n)
  party.node.mine(101)
  const chain: ChainSource = tampered(party.chain, {
    broadcast: async (hex, options) => {
      sent.push(hex)
      return party.chain.broadcast(hex, options)
    },
  })
  wallet = await openWallet(party.alice, chain)
  sent = []
})
afterAll(() => party.node.close())

/** Changes all that is in a value, however deep. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, item] of Object.entries(value)) {
    spoil(item)
    ;(value as Members)[name] = 'spoiled'
  }
  if (Array.isArray(value)) value.length = 0
}

/** Returns a `confirm` that refuses to send, and the hex that it is asked about. */
function declined(): { readonly asked: string[]; readonly confirm: SendOptions['confirm'] } {
  const asked: string[] = []
  const confirm: SendOptions['confirm'] = ({ hex }) => {
    asked.push(hex)
    return false
  }
  return { asked, confirm }
}

const requests: { readonly [call: string]: () => Members } = {
  pay: () => ({ recipients: [{ to: party.bob.address, amount: 7_000n }] }),
  createToken: () => ({ name: 'T', supply: 5n, description: 'd' }),
  merge: () => ({ maxInputs: 2 }),
  mergeAll: () => ({ maxInputs: 2 }),
}

test.each(Object.keys(requests))(
  '%s builds what was requested when it was called',
  async (call) => {
    const make = (wallet as unknown as Record<string, (given: object) => Promise<unknown>>)[call]!
    const builtFor = async (afterwards: (given: object) => void) => {
      const { asked, confirm } = declined()
      const given = { ...requests[call]!(), confirm }
      const made = make(given)
      afterwards(given)
      await made
      return asked
    }
    const expected = await builtFor(() => undefined)
    expect(expected).toHaveLength(1)
    expect(await builtFor(spoil)).toEqual(expected)
  },
)

test.each(['pay', 'createToken', 'merge'] as const)(
  'prepare.%s builds what was requested when it was called',
  async (call) => {
    const make = wallet.prepare[call] as (given: object) => Promise<{ case: { hex: string } }>
    const expected = await make(requests[call]!())
    const given = requests[call]!()
    const made = make(given)
    spoil(given)
    expect((await made).case.hex).toBe(expected.case.hex)
  },
)

test('submit sends nothing where dryRun was true when it was called', async () => {
  const prepared = await wallet.prepare.pay({ to: party.bob.address, amount: 8_000n })
  const { hex } = signCase(prepared.case, [party.alice.wif])
  const options: Members = { dryRun: true }
  const submitted = wallet.submit({ ...prepared.case, hex }, options)
  options.dryRun = false
  expect(await submitted).toMatchObject({ status: 'held', held: 'dry-run' })
  expect(sent).toEqual([])
})

test.each(['pay', 'submit'] as const)(
  'a warning is not allowed by what is added to a list after %s was called',
  async (call) => {
    const request = { to: everybodysAddress, amount: 9_000n }
    const allow: FindingCode[] = []
    const prepared = await wallet.prepare.pay(request)
    const { hex } = signCase(prepared.case, [party.alice.wif])
    const made =
      call === 'pay'
        ? wallet.pay({ ...request, allow })
        : wallet.submit({ ...prepared.case, hex }, { allow })
    allow.push('payee_module_key')
    expect(await made).toMatchObject({ status: 'held', held: 'warned' })
    expect(sent).toEqual([])
  },
)

test('submit verifies against the request as it was when it was called', async () => {
  const prepared = await wallet.prepare.pay({ to: party.bob.address, amount: 6_000n })
  const { hex } = signCase(prepared.case, [party.alice.wif])
  const given = structuredClone({ ...prepared.case, hex })
  const submitted = wallet.submit(given, { dryRun: true })
  spoil(given)
  expect(await submitted).toMatchObject({ status: 'held', held: 'dry-run' })
})

test('resume takes no option that is added after it was called', async () => {
  const own = await openWallet(party.alice, party.chain, { journal: memoryJournal() })
  await own.pay({ to: party.bob.address, amount: 5_000n })
  const options: Members = {}
  const resumed = own.resume(options)
  options.id = 'another payment'
  expect(await resumed).toMatchObject([{ result: { status: 'accepted' } }])
})
