// Every link in a page of the package, or in a docstring, leads to a target in the package: the
// reader may have nothing else.

import { execFileSync } from 'node:child_process'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'

import { releasedPage, releasedPaths } from '../../../scripts/release-files.mjs'
import { anchorOf } from '../../../site/anchor.mjs'
import { root } from '../../support/built.ts'
import { filesBelow, textOf } from '../../support/files.ts'

const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  }),
)
const packed = new Set(files.map(({ path }) => path))
const released = new Set(releasedPaths([...packed]))
/** Pages of others come as they are. */
const isOurs = (path: string): boolean =>
  path.endsWith('.md') && !/(?:^|\/)(?:vendor|third_party)\//.test(path)
const pages = [...packed].filter(isOurs).sort()
/** Pages of the repository that the package lacks. They can link to the whole repository. */
const otherPages = filesBelow('.').filter(
  (path) => isOurs(path) && !packed.has(path) && !path.startsWith('test/vectors/'),
)

interface Link {
  readonly page: string
  readonly target: string
}

function withoutCode(text: string): string {
  return text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '')
}

function linksOf(page: string, whole = textOf(page)): Link[] {
  const text = withoutCode(whole)
  const targets = [
    ...[...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!),
    ...[...text.matchAll(/(?:src|srcset|href)="([^"]+)"/g)].map(([, target]) => target!),
  ]
  return targets.map((target) => ({ page, target }))
}

/** Returns the anchors of headings, and those that the page writes out. */
function anchorsOf(page: string): Set<string> {
  const text = textOf(page).replace(/^```.*?^```/gms, '')
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!))
  return new Set([...headings, ...[...text.matchAll(/id="([^"]+)"/g)].map(([, id]) => id!)])
}

/** Why a link leads nowhere, if it does. */
function fault({ page, target }: Link, isThere: (path: string) => boolean): string | undefined {
  if (/^https?:/.test(target)) return undefined
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : posix.join(posix.dirname(page), path)
  if (!isThere(file)) return `${page}: ${target} is not there`
  if (anchor === undefined || anchorsOf(file).has(anchor)) return undefined
  return `${page}: ${target} has no such heading`
}

const faults = (links: readonly Link[], isThere: (path: string) => boolean) =>
  links.map((link) => fault(link, isThere)).filter((found) => found !== undefined)

test('links in pages of the package lead to files in the package', () => {
  const links = pages.flatMap((page) => linksOf(page))
  expect(links.length).toBeGreaterThan(30)
  expect(faults(links, (path) => packed.has(path))).toEqual([])
})

describe('the package of a release, which has fewer pages', () => {
  const isThere = (path: string): boolean => released.has(path)
  const asReleased = (page: string): string => releasedPage(page, textOf(page), isThere)
  const ownPages = pages.filter((path) => released.has(path))

  test('has links that lead to its own files and headings', () => {
    const links = ownPages.flatMap((page) => linksOf(page, asReleased(page)))
    expect(links.length).toBeGreaterThan(70)
    expect(faults(links, isThere)).toEqual([])
  })

  test('says where the repository has a page that it lacks', () => {
    expect(faults(linksOf('docs/findings.md'), isThere)).toEqual([
      'docs/findings.md: causes.md is not there',
    ])
    expect(asReleased('docs/findings.md')).toContain(
      'Causes and remedies (docs/causes.md in the repository)',
    )
    expect(asReleased('README.md')).toContain('(docs/reference/index.md in the repository)')
  })

  test('keeps every other word of its pages', () => {
    expect(asReleased('docs/electrum.md').length).toBeGreaterThan(7_000)
    expect(asReleased('docs/cold-signing.md')).toBe(textOf('docs/cold-signing.md'))
  })
})

test('links in all other pages lead to files of the repository', () => {
  const known = filesBelow('.')
  const isThere = (path: string): boolean =>
    known.includes(path) || known.some((file) => file.startsWith(`${path}/`))
  expect(
    faults(
      otherPages.flatMap((page) => linksOf(page)),
      isThere,
    ),
  ).toEqual([])
})

test('a dead link would be found', () => {
  const isThere = (path: string): boolean => packed.has(path)
  expect(fault({ page: 'README.md', target: 'docs/nowhere.md' }, isThere)).toContain('is not there')
  expect(fault({ page: 'docs/rpc.md', target: '#nowhere' }, isThere)).toContain('no such heading')
  expect(fault({ page: 'docs/rpc.md', target: 'errors.md#truncated' }, isThere)).toBeUndefined()
})

test('docstrings and comments of what ships cite what ships, or sources that anybody can find', () => {
  const cited = filesBelow('src').flatMap((path) =>
    [...textOf(path).matchAll(/[\w/-]+\.md\b/g)].map(([page]) => ({ path, page })),
  )
  expect(cited.length).toBeGreaterThan(3)
  expect(cited.filter(({ page }) => !packed.has(page.replace(/^antara-tx\//, '')))).toEqual([])
})
