// Draws docs/benchmarks.svg from the reports in bench/report: by task and case how many times the time of
// antara-tx its fastest peer took. With --check, writes nothing and fails where it is stale.

import { readdirSync, readFileSync } from 'node:fs'

import { writeGenerated } from './generated.mjs'

const reports = new URL('../bench/report/', import.meta.url)
const [width, left, rowHeight, top] = [760, 300, 18, 64]
/** Limits of the axis in powers of ten: a hundredth to some thousands. */
const [from, to] = [-2, 3.6]
const x = (ratio) => left + ((Math.log10(ratio) - from) / (to - from)) * (width - left - 60)
const one = x(1)

/** Each case in which a peer takes part. */
function rowsOf({ task, cases, clock }) {
  return cases.flatMap(({ name, results }) => {
    const time = (result) => result[`${clock}Ns`].median
    const ours = results.find(({ peer }) => peer === 'antara-tx')
    const peers = results.filter(({ isOurs }) => !isOurs).sort((a, b) => time(a) - time(b))
    if (ours === undefined || peers.length === 0) return []
    return [{ task, name, peer: peers[0].peer, ratio: time(peers[0]) / time(ours) }]
  })
}

const named = (ratio) => `${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio)}x`
const rows = readdirSync(reports)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => JSON.parse(readFileSync(new URL(file, reports), 'utf8')))
  .filter(({ cases }) => cases !== undefined)
  .flatMap(rowsOf)
const height = top + rows.length * rowHeight + 16

const line = ({ task, name, peer, ratio }, at) => {
  const y = top + at * rowHeight
  const [start, end] = [Math.min(one, x(ratio)), Math.max(one, x(ratio))]
  const isFirst = rows[at - 1]?.task !== task
  return [
    isFirst ? `<text x="12" y="${y + 12}">${task}</text>` : '',
    `<text class="end" x="${left - 8}" y="${y + 12}">${name}</text>`,
    `<rect class="${ratio < 1 ? 'slower' : 'faster'}" x="${start.toFixed(1)}" y="${y + 2}" width="${(end - start).toFixed(1)}" height="12"/>`,
    `<text class="label" x="${(end + 4).toFixed(1)}" y="${y + 12}">${named(ratio)} ${peer}</text>`,
  ].join('')
}
const tick = (ratio) =>
  `<line x1="${x(ratio).toFixed(1)}" x2="${x(ratio).toFixed(1)}" y1="${top - 6}" y2="${height - 10}"/>` +
  `<text class="label" x="${x(ratio).toFixed(1)}" y="${top - 10}">${ratio}x</text>`

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Time of the fastest peer in multiples of antara-tx, by task">
<style>
  svg { background: #fff; font: 12px ui-sans-serif, system-ui, sans-serif; fill: #1f2933; }
  .end { text-anchor: end; } .end, .label { fill: #52606d; } line { stroke: #cbd2d9; }
  .faster { fill: #0b7a75; } .slower { fill: #b42318; }
</style>
<text x="12" y="24" font-size="15" font-weight="600">Time of the fastest peer, in multiples of antara-tx</text>
<text class="label" x="12" y="42">longer is better for us; red: the peer is faster</text>
${[0.01, 0.1, 1, 10, 100, 1000].map(tick).join('\n')}
${rows.map(line).join('\n')}
</svg>
`
writeGenerated([['docs/benchmarks.svg', svg]])
