// Workflows run actions of others with the rights of the repository: each is pinned by its commit.

import { expect, test } from 'vitest'

import { filesBelow, textOf } from '../../support/files.ts'

const workflows = filesBelow('.github/workflows').map((path) => ({ path, text: textOf(path) }))
const scripts: Record<string, string> = JSON.parse(textOf('package.json')).scripts

test('every action is pinned by a commit, with its version beside it', () => {
  const uses = workflows.flatMap(({ text }) =>
    [...text.matchAll(/\buses: .*/g)].map(([use]) => use),
  )
  expect(uses.length).toBeGreaterThan(5)
  const pinned = /^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
  expect(uses.filter((use) => !pinned.test(use))).toEqual([])
})

test('one action has one commit everywhere', () => {
  const pins = workflows.flatMap(({ text }) => text.match(/actions\/[\w-]+@[0-9a-f]{40}/g) ?? [])
  const names = new Set(pins.map((pin) => pin.split('@')[0]))
  expect(new Set(pins).size).toBe(names.size)
})

test.each(workflows)('$path: every script that it runs is there', ({ text }) => {
  const run = [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name!)
  expect(run.length).toBeGreaterThan(0)
  expect(run.filter((name) => !(name in scripts))).toEqual([])
})

test('a job may write nothing unless it says what', () => {
  for (const { path, text } of workflows) {
    expect(text, path).toMatch(/^permissions:\n {2}contents: read$/m)
    expect(text.match(/^ +[\w-]+: write$/gm)?.length ?? 0, path).toBe(
      path.endsWith('release.yml') ? 2 : 0,
    )
  }
})

test('only the job that publishes may ask for an identity', () => {
  const release = workflows.find(({ path }) => path.endsWith('release.yml'))!.text
  const [before, publish] = release.split(/^ {2}publish:$/m)
  expect(before).not.toContain('id-token')
  expect(publish).toMatch(/environment: npm[\s\S]*id-token: write/)
  expect(publish).not.toMatch(/actions\/checkout|npm ci|npm install/)
})
