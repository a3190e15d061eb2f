// One HTML page of all reports: a table of every task, then each task with its plot and figures. It
// needs nothing from elsewhere, so it can be sent or archived as a file.

import { readdirSync, readFileSync } from 'node:fs'
import { escaped } from './chart.mjs'
import { ratio as shownRatio, time } from './format.mjs'
import { svg } from './report.mjs'

/** @typedef {import('./report.mjs').Report} Report */

/** @param {URL} folder @returns {Report[]} the reports of tasks, by name */
export function readReports(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
    .filter(({ task }) => task !== undefined)
}

const style = `
body { font: 16px/1.5 system-ui, sans-serif; color: #1f2933; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } th, td { padding: .25rem .75rem .25rem 0; text-align: left; border-bottom: 1px solid #d9dee3 }
td.number { font-variant-numeric: tabular-nums } .loss { color: #a61b1b; font-weight: 600 }
svg { max-width: 100%; height: auto } .wide { overflow-x: auto } .about { color: #52606d; font-size: .875rem }`

/** @param {Report['cases'][number]} benchCase @returns the fastest peer, without our other ways */
const fastestPeer = ({ results }) =>
  results
    .filter(({ timesOurs, isOurs }) => timesOurs !== undefined && !isOurs)
    .sort((one, other) => one.timesOurs.median - other.timesOurs.median)[0]

/** @param {number} ratio */
const ratioCell = (ratio) =>
  `<td class="number${ratio < 1 ? ' loss' : ''}">${shownRatio(ratio)}${ratio < 1 ? ', we lose' : ''}</td>`

/** @param {Report} report @returns {string[]} */
const summaryRows = ({ task, clock, cases }) =>
  cases.flatMap((benchCase) => {
    const ours = benchCase.results.find(({ timesOurs }) => timesOurs === undefined)
    const peer = fastestPeer(benchCase)
    if (ours === undefined || peer === undefined) return []
    const { median } = clock === 'cpu' ? ours.cpuNs : ours.wallNs
    return [
      `<tr><td><a href="#${escaped(task)}">${escaped(task)}</a></td><td>${escaped(benchCase.name)}</td>` +
        `<td class="number">${time(median)}</td><td>${escaped(peer.peer)}</td>${ratioCell(peer.timesOurs.median)}</tr>`,
    ]
  })

/** @param {Report} report */
function section(report) {
  const { task, question, command, date, machine, rounds, cases } = report
  const remarks = cases.flatMap(({ name, absent, refused }) => [
    ...absent.map(({ peer, reason }) => `${name}: ${peer} is absent: ${reason}.`),
    ...refused.map(({ peer, difference }) => `${name}: ${peer} was not timed: ${difference}.`),
  ])
  return `<section id="${escaped(task)}"><h2>${escaped(task)}</h2>
<p>${escaped(question)}</p>
<div class="wide">${svg(report)}</div>
${remarks.length === 0 ? '' : `<ul>${remarks.map((remark) => `<li>${escaped(remark)}</li>`).join('')}</ul>`}
<p class="about"><code>${escaped(command)}</code>: medians of ${rounds} interleaved rounds, ${escaped(date)}, ${escaped(machine.cpu)}, ${machine.cores} cores, Node ${escaped(machine.node)}.</p>
</section>`
}

/** @param {Report[]} reports @returns {string} HTML */
export function reportPage(reports) {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Benchmarks of antara-tx</title><style>${style}</style></head><body>
<h1>Benchmarks of antara-tx</h1>
<p>Each library gave the same answers before it was timed. A ratio is the time of the fastest peer over ours, round by round: below 1 the peer is faster.</p>
<div class="wide"><table><thead><tr><th>task</th><th>case</th><th>antara-tx</th><th>fastest peer</th><th>its time over ours</th></tr></thead>
<tbody>
${reports.flatMap(summaryRows).join('\n')}
</tbody></table></div>
${reports.map(section).join('\n')}
</body></html>
`
}
