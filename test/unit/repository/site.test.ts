// The menu of the site names pages that are there; the rest of it `npm run site` checks.

import { expect, test } from 'vitest'

import { homeOf } from '../../../site/home.mjs'
import { llmsText } from '../../../site/llms.mjs'
import { filesBelow, textOf } from '../../support/files.ts'

test('every page is in the menu of the site, and every page of the menu is there', () => {
  const config = textOf('site/.vitepress/config.mjs')
  const named = [...config.matchAll(/item\('[^']+', '([\w-]+)'\)/g)].map(([, name]) => name)
  const pages = filesBelow('docs').flatMap((path) => /^docs\/([\w-]+)\.md$/.exec(path)?.[1] ?? [])
  expect(named.length).toBeGreaterThan(30)
  expect(named.sort()).toEqual(pages.sort())
})

test('the site is made, and its links are checked, where all tests run', () => {
  const command = "command: ['npm', 'run', '--silent', 'site']"
  expect(textOf('scripts/test.mjs')).toContain(command)
  expect(JSON.parse(textOf('site/package.json')).scripts.build).toContain('node check.mjs')
})

test('the home page is the README, with its first sentence as the headline and three buttons', () => {
  const readme = textOf('README.md')
  const home = homeOf(readme)
  const [head, rest] = home.split('---\n\n')
  expect(readme).toContain(`\n\n${rest}`)
  expect(head).toContain('text: "Verify Komodo transactions before you broadcast them."')
  const links = [...head!.matchAll(/link: \/(docs\/[\w-]+) /g)].map(([, path]) => `${path}.md`)
  expect(links).toHaveLength(3)
  expect(links.filter((path) => !filesBelow('docs').includes(path))).toEqual([])
  expect(() => homeOf(readme.replaceAll('](docs/node.md)', '](docs/other.md)'))).toThrow(
    'docs/node.md',
  )
})

test('llms.txt lists each page with its title and first sentence, decisions last', () => {
  const paths = filesBelow('docs').filter((path) => path.endsWith('.md'))
  const pages = paths.map((path) => ({ path, text: textOf(path) }))
  const text = llmsText([{ path: 'index.md', text: textOf('README.md') }, ...pages])
  expect(text).toMatch(
    /^# antara-tx\n\n> Verify Komodo transactions before you broadcast them\..+\n\n## Guides\n/,
  )
  expect(text).toContain(
    '\n- [Verification](docs/verify.md): antara-tx compares a raw transaction with your request',
  )
  const rows = text.match(/^- \[[^\]]+\]\([^)]+\)/gm) ?? []
  expect(rows).toHaveLength(pages.length + 1)
  expect(text).not.toMatch(/\): (?:ts|sh|json|text)$/m)
  const parts = text.match(/^## .+$/gm)
  expect(parts).toEqual(['## Guides', '## Reference', '## Optional'])
})

test('the page of a function lists what its options, request and evidence may have', () => {
  const members = new Map(
    [...textOf('docs/reference/types.md').matchAll(/^interface (\w+)\b.*\n([\s\S]*?)^}/gm)].map(
      ([, name, body]) =>
        [
          name,
          [...body!.matchAll(/^ {4}(?:readonly )?(\w+\??): /gm)].map(([, one]) => one),
        ] as const,
    ),
  )
  const wanted = [
    { page: 'createWallet', types: ['WalletOptions'] },
    { page: 'createDevNode', types: ['DevNodeOptions'] },
    { page: 'createGuard', types: ['GuardOptions'] },
    { page: 'createDaemonClient', types: ['ConnectionOptions', 'DaemonCredentials'] },
    { page: 'verifyPayment', types: ['PaymentIntent', 'Evidence'] },
    {
      page: 'transferToken',
      types: ['TransferIntent', 'IntentTerms', 'SafeFlowOptions', 'CallOptions'],
    },
  ]
  for (const { page, types } of wanted) {
    const text = textOf(`docs/reference/${page}.md`)
    const listed = new Set([...text.matchAll(/^- `(\w+\??): /gm)].map(([, one]) => one))
    const needed = types.flatMap((name) => members.get(name)!)
    expect(needed.length).toBeGreaterThan(types.length)
    expect(needed.filter((one) => !listed.has(one))).toEqual([])
  }
  const payCoins = textOf('docs/reference/payCoins.md')
  expect(payCoins, 'a member of its own replaces an inherited one').toContain(
    '- `own?: readonly string[]`',
  )
  expect(payCoins.match(/^- `own\b/gm)).toHaveLength(1)
  expect(payCoins, 'a member that it does not inherit').not.toMatch(/^- `nulldata\b/m)
})
