import type { Entry } from './command.ts'

/** Every command, in the order in which help lists them. */
export const catalogue: readonly Entry[] = [
  {
    name: 'verify',
    summary: 'whether a transaction does exactly what was asked, and nothing else',
    load: async () => (await import('./verify.ts')).verify,
  },
  {
    name: 'decode',
    summary: 'show what a raw transaction says',
    load: async () => (await import('./decode.ts')).decode,
  },
  {
    name: 'txid',
    summary: 'the txid of a raw transaction',
    load: async () => (await import('./txid.ts')).txid,
  },
  {
    name: 'condition',
    summary: 'decode and encode crypto-conditions and their fulfillments',
    load: async () => (await import('./condition.ts')).condition,
  },
  {
    name: 'address',
    summary: 'addresses and scripts of a public key, a script or an address',
    load: async () => (await import('./address.ts')).address,
  },
  {
    name: 'script',
    summary: "show what an output's script says",
    load: async () => (await import('./script.ts')).script,
  },
  {
    name: 'key',
    summary: 'from a private key to its public key and addresses; a new one',
    load: async () => (await import('./key.ts')).key,
  },
  {
    name: 'units',
    summary: 'an amount as units and as coins',
    load: async () => (await import('./units.ts')).units,
  },
  {
    name: 'select',
    summary: 'choose the coins of a payment or a token transfer',
    load: async () => (await import('./select.ts')).select,
  },
  {
    name: 'inspect',
    summary: 'a page that shows what a transaction does',
    load: async () => (await import('./inspect.ts')).inspect,
  },
  {
    name: 'wallet',
    summary: 'read and spend your own coins and tokens through a daemon',
    load: async () => (await import('./wallet.ts')).wallet,
  },
  {
    name: 'rpc',
    summary: 'call a daemon or a framework server',
    load: async () => (await import('./rpc.ts')).rpc,
  },
  {
    name: 'create',
    summary: 'build the creation of a token, unsigned',
    load: async () => (await import('./create.ts')).create,
  },
  {
    name: 'transfer',
    summary: 'build a token transfer, or make one through a daemon',
    load: async () => (await import('./transfer.ts')).transfer,
  },
  {
    name: 'attempts',
    summary: 'list, settle and forget payments of the journal',
    load: async () => (await import('./attempts.ts')).attempts,
  },
  {
    name: 'pay',
    summary: 'build a payment in plain coins, or merge small ones, unsigned',
    load: async () => (await import('./pay.ts')).pay,
  },
  {
    name: 'order',
    summary: 'build a step of a token order, unsigned: offer, buy, sell, take back',
    load: async () => (await import('./order.ts')).order,
  },
  {
    name: 'sign',
    summary: 'sign a case file, if it does exactly what was asked',
    load: async () => (await import('./sign.ts')).sign,
  },
  {
    name: 'message',
    summary: 'sign a text for an address, or verify who did',
    load: async () => (await import('./message.ts')).message,
  },
  {
    name: 'audit',
    summary: 'a ledger of all tokens of a chain, from its blocks',
    load: async () => (await import('./audit.ts')).audit,
  },
  {
    name: 'node',
    summary: 'serve the interface of a daemon for development',
    load: async () => (await import('./node.ts')).node,
  },
  {
    name: 'demo',
    summary: 'a token made and transferred, and lies refused, in two seconds',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'doctor',
    summary: 'what this installation runs on',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'completion',
    summary: 'completion of this command line for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completion,
  },
]
