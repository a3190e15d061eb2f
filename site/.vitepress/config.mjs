// The site is the documents of the package, as they are: nothing is written for it alone. The build
// fails at a dead link. stage.mjs copies them here first.

import { readdirSync } from 'node:fs'
import { defineConfig } from 'vitepress'

import { anchorOf } from '../anchor.mjs'

const root = new URL('../..', import.meta.url)
const shown = new Set()
function item(text, path) {
  shown.add(path)
  return { text, link: `/docs/${path}` }
}
/** A page that no group names has its file's name. */
function others() {
  return readdirSync(new URL('docs/', root))
    .filter((file) => file.endsWith('.md') && !shown.has(file.slice(0, -3)))
    .map((file) => item(file.slice(0, -3), file.slice(0, -3)))
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
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    nav: [
      { text: 'Wallet', link: '/docs/wallet' },
      { text: 'Tutorial', link: '/docs/tutorial' },
      { text: 'Cookbook', link: '/docs/cookbook' },
      { text: 'Reference', link: '/docs/reference/' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: [
      {
        text: 'Start',
        items: [
          { text: 'antara-tx', link: '/' },
          item('Tutorial', 'tutorial'),
          item('Wallet in ten minutes', 'wallet-tutorial'),
          item('Wallet', 'wallet'),
          item('Concepts', 'concepts'),
          item('Cookbook', 'cookbook'),
          { text: 'Examples', link: '/examples/' },
        ],
      },
      {
        text: 'Guides',
        items: [
          item('Verification', 'verify'),
          item('Operations', 'operations'),
          item('Tokens', 'tokens'),
          item('Signing', 'signing'),
          item('Coin selection', 'selection'),
          item('RPC clients', 'rpc'),
          item('Monitor a daemon', 'monitor'),
          item('Development node', 'node'),
          item('Development framework', 'framework-node'),
          item('Batch verification', 'scale'),
          item('Browsers', 'browsers'),
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
          item('Errors', 'errors'),
          item('Findings', 'findings'),
          {
            text: 'Functions',
            link: '/docs/reference/',
            collapsed: true,
            items: functions.map((name) => item(name, `reference/${name}`)),
          },
          item('Types', 'reference/types'),
        ],
      },
      {
        text: 'How it is made',
        items: [
          item('Architecture', 'architecture'),
          item('Benchmarks', 'benchmarks'),
          item('Testing', 'testing'),
          { text: 'Security', link: '/SECURITY' },
          { text: 'Contributing', link: '/CONTRIBUTING' },
          { text: 'Changes', link: '/CHANGELOG' },
          ...others(),
        ],
      },
    ],
  },
})
