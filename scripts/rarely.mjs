// The parts of the command line that a verdict of a transfer does not need. A verdict of another
// operation loads all of them, because build-command.mjs puts them in a file of their own. A module that the others need while they load cannot be here.
// test/process/cli/start.test.ts tells if a verdict of a transfer needs one of them.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** By their folder in src/. */
const modules = {
  block: ['chains', 'header', 'inclusion', 'merkle', 'work'],
  chain: ['reward'],
  cli: ['error-json'],
  condition: ['public-keys-node'],
  engine: ['node-workers', 'table', 'wasm', 'wasm-workers'],
  errors: ['antara-error', 'within'],
  primitives: ['base58check', 'base64', 'closest', 'json-twice', 'secp256k1'],
  request: ['create-problems', 'order-problems', 'own-scripts', 'payment-problems'],
  rpc: ['errors'],
  script: [
    'burned-scripts',
    'condition-params',
    'read-address',
    'template',
    'unspendable',
    'usable-key',
  ],
  signing: ['der', 'own-scripts', 'sighash'],
  'token/payload': ['asset-order', 'encode', 'tokel-data'],
  'token/proof': ['claim', 'signed'],
  'token/rules': [
    'key-set',
    'order-book',
    'order-fill',
    'order-layout',
    'order-price',
    'tokel-payload',
    'tokel-v1',
    'tokens-v2',
  ],
  transaction: ['encode', 'shielded'],
  verification: [
    'found-order',
    'header-stretch',
    'lock-time',
    'loose-script-sig',
    'next-steps',
    'order-end',
    'order-intent',
    'order-outputs',
    'order-rules',
    'payment-fee',
    'payment-rules',
    'payment-size',
    'shown-script',
  ],
}

const packages = [
  '@noble/hashes/_u64.js',
  'lossless-json/lib/esm/numberParsers.js',
  'lossless-json/lib/esm/revive.js',
  'lossless-json/lib/esm/parse.js',
  '@noble/secp256k1/index.js',
]

const paths = new Set([
  ...Object.entries(modules).flatMap(([folder, names]) =>
    names.map((name) => `${root}src/${folder}/${name}.ts`),
  ),
  ...packages.map((path) => `${root}node_modules/${path}`),
])
for (const path of paths) {
  if (!existsSync(path)) throw new Error(`${path} is no more: take it out of scripts/rarely.mjs`)
}

/** Returns whether a module, by its path or its name that begins with #, is rarely needed. */
export const isRare = (id) => id === '#wasm-worker' || paths.has(id)
