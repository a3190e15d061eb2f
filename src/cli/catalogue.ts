import type { Command, Entry } from './command.ts'

/** A command by its name: its summary, and the module that exports it under that name. */
type Rows<Name extends string> = {
  readonly [Own in Name]: readonly [summary: string, load: () => Promise<Record<Own, Command>>]
}

function entriesOf<Name extends string>(rows: Rows<Name>): readonly Entry[] {
  return (Object.keys(rows) as Name[]).map((name) => {
    const [summary, load] = rows[name]
    return { name, summary, load: async () => (await load())[name] }
  })
}

/** Every command, in the order in which help lists them. */
export const catalogue: readonly Entry[] = entriesOf({
  verify: [
    'Verify that a transaction does exactly what was requested',
    () => import('./verify.ts'),
  ],
  cases: ['Make case files of the transactions of a chain', () => import('./cases.ts')],
  decode: ['Decode a raw transaction', () => import('./decode.ts')],
  txid: ['Print the txid of a raw transaction', () => import('./txid.ts')],
  condition: [
    'Decode and encode crypto-conditions and fulfillments',
    () => import('./condition.ts'),
  ],
  address: ['Convert public keys, scripts and addresses', () => import('./address.ts')],
  script: ['Decode the script of an output', () => import('./script.ts')],
  key: [
    'Derive the public key and addresses of a private key, or make a new key',
    () => import('./key.ts'),
  ],
  units: ['Convert an amount between units and coins', () => import('./units.ts')],
  select: ['Choose the coins of a payment or a token transfer', () => import('./select.ts')],
  inspect: ['Serve a page that shows what a transaction does', () => import('./inspect.ts')],
  wallet: [
    'Read and spend your own coins and tokens through a server',
    () => import('./wallet.ts'),
  ],
  rpc: ['Call a daemon or a framework server', () => import('./rpc.ts')],
  create: ['Build the creation of a token, unsigned', () => import('./create.ts')],
  transfer: ['Build a token transfer, or make one through a daemon', () => import('./transfer.ts')],
  attempts: ['List, settle and forget recorded payments', () => import('./attempts.ts')],
  pay: ['Build a payment in coins, or merge small coins, unsigned', () => import('./pay.ts')],
  order: [
    'Build a step of a token order, unsigned: offer, fill or cancel',
    () => import('./order.ts'),
  ],
  sign: ['Verify and sign a case file', () => import('./sign.ts')],
  message: ['Sign a text for an address, or verify a signature', () => import('./message.ts')],
  audit: ['Build a ledger of the tokens of a chain from its blocks', () => import('./audit.ts')],
  node: ['Serve the interface of a daemon for development', () => import('./node.ts')],
  guard: [
    'Stand between a program and its daemon, and verify what it sends',
    () => import('./guard.ts'),
  ],
  demo: ['Make and transfer a token, and reject tampered transactions', () => import('./demo.ts')],
  doctor: ['Show the engine of this installation', () => import('./doctor.ts')],
  explain: ['Explain the code of an error or a finding', () => import('./explain.ts')],
  completion: ['Print a completion script for bash, zsh or fish', () => import('./completion.ts')],
})
