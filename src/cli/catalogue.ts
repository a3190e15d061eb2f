import type { Entry } from './command.ts'

/** Every command, in the order in which help lists them. */
export const catalogue: readonly Entry[] = [
  {
    name: 'verify',
    summary: 'Verify that a transaction does exactly what was requested',
    load: async () => (await import('./verify.ts')).verify,
  },
  {
    name: 'cases',
    summary: 'Make case files of the transactions of a chain',
    load: async () => (await import('./cases.ts')).cases,
  },
  {
    name: 'decode',
    summary: 'Decode a raw transaction',
    load: async () => (await import('./decode.ts')).decode,
  },
  {
    name: 'txid',
    summary: 'Print the txid of a raw transaction',
    load: async () => (await import('./txid.ts')).txid,
  },
  {
    name: 'condition',
    summary: 'Decode and encode crypto-conditions and fulfillments',
    load: async () => (await import('./condition.ts')).condition,
  },
  {
    name: 'address',
    summary: 'Convert public keys, scripts and addresses',
    load: async () => (await import('./address.ts')).address,
  },
  {
    name: 'script',
    summary: 'Decode the script of an output',
    load: async () => (await import('./script.ts')).script,
  },
  {
    name: 'key',
    summary: 'Derive the public key and addresses of a private key, or make a new key',
    load: async () => (await import('./key.ts')).key,
  },
  {
    name: 'units',
    summary: 'Convert an amount between units and coins',
    load: async () => (await import('./units.ts')).units,
  },
  {
    name: 'select',
    summary: 'Choose the coins of a payment or a token transfer',
    load: async () => (await import('./select.ts')).select,
  },
  {
    name: 'inspect',
    summary: 'Serve a page that shows what a transaction does',
    load: async () => (await import('./inspect.ts')).inspect,
  },
  {
    name: 'wallet',
    summary: 'Read and spend your own coins and tokens through a server',
    load: async () => (await import('./wallet.ts')).wallet,
  },
  {
    name: 'rpc',
    summary: 'Call a daemon or a framework server',
    load: async () => (await import('./rpc.ts')).rpc,
  },
  {
    name: 'create',
    summary: 'Build the creation of a token, unsigned',
    load: async () => (await import('./create.ts')).create,
  },
  {
    name: 'transfer',
    summary: 'Build a token transfer, or make one through a daemon',
    load: async () => (await import('./transfer.ts')).transfer,
  },
  {
    name: 'attempts',
    summary: 'List, settle and forget recorded payments',
    load: async () => (await import('./attempts.ts')).attempts,
  },
  {
    name: 'pay',
    summary: 'Build a payment in coins, or merge small coins, unsigned',
    load: async () => (await import('./pay.ts')).pay,
  },
  {
    name: 'order',
    summary: 'Build a step of a token order, unsigned: offer, fill or cancel',
    load: async () => (await import('./order.ts')).order,
  },
  {
    name: 'sign',
    summary: 'Verify and sign a case file',
    load: async () => (await import('./sign.ts')).sign,
  },
  {
    name: 'message',
    summary: 'Sign a text for an address, or verify a signature',
    load: async () => (await import('./message.ts')).message,
  },
  {
    name: 'audit',
    summary: 'Build a ledger of the tokens of a chain from its blocks',
    load: async () => (await import('./audit.ts')).audit,
  },
  {
    name: 'node',
    summary: 'Serve the interface of a daemon for development',
    load: async () => (await import('./node.ts')).node,
  },
  {
    name: 'guard',
    summary: 'Stand between a program and its daemon, and verify what it sends',
    load: async () => (await import('./guard.ts')).guard,
  },
  {
    name: 'demo',
    summary: 'Make and transfer a token, and reject tampered transactions',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'doctor',
    summary: 'Show the engine of this installation',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'explain',
    summary: 'Explain the code of an error or a finding',
    load: async () => (await import('./explain.ts')).explain,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completion,
  },
]
