import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barChart } from '../lib/chart.mjs'
import { ratio, size, time } from '../lib/format.mjs'
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
  assert.match(text, /0\.500x/)
  assert.doesNotMatch(text, /we lose/)
})

test('the page shows every task with its plot, names losses and needs nothing from elsewhere', () => {
  const html = reportPage([report, { ...report, task: 'halve' }])
  assert.equal(html.match(/<section id=/g).length, 2)
  assert.equal(html.match(/<svg /g).length, 2)
  assert.match(html, /<td>few<\/td><td class="number">200 ns<\/td><td>other<\/td>/)
  assert.match(html, /class="number loss">0\.500x, we lose/)
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
  assert.equal(time(999.4), '999 ns')
  assert.equal(time(999.6), '1.00 us')
  assert.equal(time(999_700), '1.00 ms')
  assert.equal(time(0.5), '0.500 ns')
  assert.equal(time(5e12), '5000 s')
})

test('ratios are shown with three digits, and none below 1 reads as 1', () => {
  assert.equal(ratio(9.312), '9.31x')
  assert.equal(ratio(99.96), '100x')
  assert.equal(ratio(999.9), '1000x')
  assert.equal(ratio(5835.2), '5835x')
  assert.equal(ratio(0.0412), '0.0412x')
  assert.equal(ratio(1), '1.00x')
  assert.equal(ratio(0.998), '0.998x')
  assert.equal(ratio(0.9996), '0.999x')
})

test('sizes are shown in bytes below 10 kB, then with three digits', () => {
  assert.equal(size(244), '244 B')
  assert.equal(size(9_999), '9999 B')
  assert.equal(size(14_812), '14.8 kB')
  assert.equal(size(999_600), '1.00 MB')
  assert.equal(size(2_500_000), '2.50 MB')
})
