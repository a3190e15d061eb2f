import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barChart } from '../lib/chart.mjs'
import { time, times } from '../lib/format.mjs'
import { reportPage } from '../lib/page.mjs'
import { markdown, svg } from '../lib/report.mjs'
import { spread } from '../lib/statistics.mjs'

const report = {
  task: 'double',
  question: 'A number in, twice that number out.',
  unit: 'number',
  clock: 'cpu',
  command: 'npm run bench -- --task double',
  date: '2026-01-02 03:04 UTC',
  rounds: 3,
  sampleMs: 40,
  machine: {
    cpu: 'A & B',
    cores: 2,
    memoryGiB: 4,
    platform: 'linux-x64',
    node: '20.0.0',
    v8: '11',
    load: [0, 0, 0],
  },
  versions: { 'antara-tx': '0.1.0', other: '1.2.3' },
  cases: [
    {
      name: 'few',
      description: 'three numbers',
      bytes: 3,
      results: [
        { peer: 'antara-tx', cpuNs: spread([200]), wallNs: spread([210]) },
        {
          peer: 'other',
          cpuNs: spread([100]),
          wallNs: spread([110]),
          timesOurs: spread([0.5]),
          goal: { ratio: 2, met: false },
        },
      ],
      absent: [{ peer: 'third', reason: 'cannot count' }],
      refused: [{ peer: 'fourth', difference: 'item 0, answer: expected 2, got 3' }],
    },
  ],
}

test('a case that we lose stays in the report and says so', () => {
  const text = markdown(report)
  assert.match(text, /\| other \| 100 ns .* \*\*we lose\*\*, goal 2x \*\*missed\*\* \|/)
  assert.match(text, /third is absent: cannot count\./)
  assert.match(text, /fourth was \*\*not timed\*\*: item 0, answer: expected 2, got 3\./)
  assert.match(text, /`npm run bench -- --task double`/)
})

test('no loss to another way of calling this library is lamented', () => {
  const [benchCase] = report.cases
  const [ours, other] = benchCase.results
  const own = { ...other, isOurs: true }
  const text = markdown({ ...report, cases: [{ ...benchCase, results: [ours, own] }] })
  assert.match(text, /0\.50x/)
  assert.doesNotMatch(text, /we lose/)
})

test('the page shows every task with its plot, names losses and needs nothing from elsewhere', () => {
  const html = reportPage([report, { ...report, task: 'halve' }])
  assert.equal(html.match(/<section id=/g).length, 2)
  assert.equal(html.match(/<svg /g).length, 2)
  assert.match(html, /<td>few<\/td><td class="number">200 ns<\/td><td>other<\/td>/)
  assert.match(html, /class="number loss">0\.50x, we lose/)
  assert.match(html, /few: fourth was not timed: item 0, answer: expected 2, got 3\./)
  assert.doesNotMatch(html, /A & B|<script|<link|url\(| src=/)
})

test('the chart needs nothing from elsewhere and escapes what it shows', () => {
  const chart = svg(report)
  assert.equal(chart.match(/<rect /g).length, 1 + 2)
  assert.match(chart, /A &amp; B/)
  assert.doesNotMatch(chart, /A & B|href|<script|url\(/)
})

test('bars are drawn to one scale', () => {
  const bar = (/** @type {number} */ value) => ({ label: 'x', value, text: '', ours: false })
  const chart = barChart({
    title: 't',
    subtitle: 's',
    footer: 'f',
    groups: [
      { label: 'a', bars: [bar(1), bar(2)] },
      { label: 'b', bars: [bar(4)] },
    ],
  })
  const widths = [...chart.matchAll(/<rect x="190"[^>]* width="([\d.]+)"/g)].map(([, w]) =>
    Number(w),
  )
  assert.deepEqual(widths, [130, 260, 520])
})

test('times are shown with three digits in the unit that suits', () => {
  assert.equal(time(122.4), '122 ns')
  assert.equal(time(1240), '1.24 us')
  assert.equal(time(53_600), '53.6 us')
  assert.equal(time(1.7e6), '1.70 ms')
  assert.equal(times(9.312), '9.31x')
})
