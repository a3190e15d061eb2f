// The site is the documents of the package, as they are: nothing is written for it alone. The build
// fails at a dead link. stage.mjs copies them here first.

import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

import { anchorOf } from '../anchor.mjs'
import { headOf } from '../llms.mjs'

const root = new URL('../..', import.meta.url)
function item(text, path) {
  return { text, link: `/docs/${path}` }
}
const functions = readdirSync(new URL('docs/reference/', root))
  .map((file) => file.replace(/\.md$/, ''))
  .filter((name) => name !== 'index' && name !== 'types')
  .sort()

export default defineConfig({
  title: 'antara-tx',
  description: 'Raw transactions of the Komodo family, verified before they are broadcast',
  lang: 'en',
  srcDir: './.cache/pages',
  outDir: '../out/site',
  cacheDir: './.cache/vitepress',
  cleanUrls: false,
  // Links in the documents are written for the viewers of Markdown in repositories.
  markdown: { anchor: { slugify: anchorOf } },
  lastUpdated: false,
  /** A search shows the first sentence of a page under its title. */
  transformPageData({ relativePath }) {
    const { first } = headOf(
      readFileSync(new URL(`site/.cache/pages/${relativePath}`, root), 'utf8'),
    )
    return first === '' ? undefined : { description: first }
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    nav: [
      { text: 'Start', link: '/docs/wallet-tutorial' },
      { text: 'Guides', link: '/docs/wallet' },
      { text: 'Migrate', link: '/docs/migrate-from-utxo-lib' },
      { text: 'Reference', link: '/docs/reference/' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: [
      {
        text: 'Start',
        items: [
          { text: 'antara-tx', link: '/' },
          item('Wallet in ten minutes', 'wallet-tutorial'),
          item('Create, transfer and prove a token', 'tutorial'),
          item('Protect an exchange in ten minutes', 'guard-tutorial'),
          item('Concepts', 'concepts'),
          item('Cookbook', 'cookbook'),
          { text: 'Examples', link: '/examples/' },
        ],
      },
      {
        text: 'Guides',
        items: [
          item('Verify a transaction', 'verify'),
          item('See what a transaction does', 'inspect'),
          item('Verify many transactions', 'scale'),
          item('Write a wallet', 'wallet'),
          item('Tokens and orders', 'tokens'),
          item('Sign', 'signing'),
          item('Sign without a network', 'cold-signing'),
          item('Select coins', 'selection'),
          item('Never pay twice', 'journal'),
          item('Call a daemon or framework', 'rpc'),
          item('Use Electrum servers', 'electrum'),
          item('Prove inclusion in a block', 'headers'),
          item('Monitor a daemon', 'monitor'),
          item('Guard a service', 'guard'),
          item('Limit what a guard pays', 'guard-policy'),
          item('Keep a token ledger', 'ledger'),
          item('Test on a development node', 'node'),
          item('Configure the development node', 'dev-node-options'),
          item('Run tests of other projects', 'node-tests'),
          item('Test on a framework server', 'framework-node'),
          item('Use it in browsers and bundles', 'browsers'),
        ],
      },
      {
        text: 'Migrate',
        items: [
          item('@bitgo/utxo-lib', 'migrate-from-utxo-lib'),
          item('@trezor/utxo-lib', 'migrate-from-trezor'),
          item('nspv-js', 'migrate-from-nspv'),
        ],
      },
      {
        text: 'Reference',
        items: [
          item('API by subject', 'api'),
          item('Command line', 'command-line'),
          item('Operations', 'operations'),
          item('Errors', 'errors'),
          item('Findings', 'findings'),
          item('Causes and remedies', 'causes'),
          {
            text: 'Functions',
            link: '/docs/reference/',
            collapsed: true,
            items: functions.map((name) => item(name, `reference/${name}`)),
          },
          item('Types', 'reference/types'),
          item('Platforms', 'platforms'),
          item('Check a release', 'verify-release'),
          { text: 'Security', link: '/SECURITY' },
          { text: 'Changes', link: '/CHANGELOG' },
        ],
      },
      {
        text: 'How it is made',
        collapsed: true,
        items: [
          item('Architecture', 'architecture'),
          item('What costs what', 'performance'),
          item('Benchmarks', 'benchmarks'),
          item('Decisions', 'adr/'),
          item('Testing', 'testing'),
          { text: 'Contributing', link: '/CONTRIBUTING' },
        ],
      },
    ],
  },
})
