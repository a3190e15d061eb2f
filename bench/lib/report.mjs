import { mkdirSync, writeFileSync } from 'node:fs'
import { barChart } from './chart.mjs'
import { ratio, size, time } from './format.mjs'

/**
 * @typedef {import('./statistics.mjs').Spread} Spread
 * @typedef {{ peer: string, note?: string, isOurs?: true, cpuNs: Spread, wallNs: Spread,
 *   timesOurs?: Spread, goal?: { ratio: number, met: boolean } }} Result
 *   `isOurs`: another way to call this library. `timesOurs`: this peer's time over ours, round by
 *   round; above 1 we are faster
 * @typedef {{ name: string, description: string, bytes?: number, results: Result[],
 *   absent: { peer: string, reason: string }[], refused: { peer: string, difference: string }[] }} CaseReport
 * @typedef {{ task: string, question: string, unit: string, clock: 'cpu' | 'wall', command: string,
 *   date: string, rounds: number, sampleMs: number, machine: object, versions: Record<string, string>,
 *   cases: CaseReport[] }} Report
 */

/** @param {Spread} spread @param {(value: number) => string} shown */
const withQuartiles = ({ median, q1, q3 }, shown) =>
  `${shown(median)} (${shown(q1)} - ${shown(q3)})`

/** @param {CaseReport} benchCase */
const heading = ({ name, description, bytes }) =>
  `${name}: ${description}${bytes === undefined ? '' : `, ${size(bytes)}`}`

/** @param {Result} result */
const versusOurs = ({ timesOurs, goal, isOurs }) => {
  if (timesOurs === undefined) return ''
  const verdict = goal ? `, goal ${goal.ratio}x ${goal.met ? 'met' : '**missed**'}` : ''
  return `${withQuartiles(timesOurs, ratio)}${timesOurs.median < 1 && !isOurs ? ' **we lose**' : ''}${verdict}`
}

/** @param {CaseReport} benchCase @param {string} unit @returns {string[]} */
function caseLines(benchCase, unit) {
  const lines = [`### ${heading(benchCase)}`, '']
  if (benchCase.results.length > 0) {
    lines.push(
      `| library | CPU time per ${unit} (quartiles) | wall time (quartiles) | antara-tx is faster by |`,
      '|---|---|---|---|',
      ...benchCase.results.map(
        (result) =>
          `| ${result.peer} | ${withQuartiles(result.cpuNs, time)} | ${withQuartiles(result.wallNs, time)} | ${versusOurs(result)} |`,
      ),
      '',
    )
  }
  const remarks = [
    ...benchCase.results.filter(({ note }) => note).map(({ peer, note }) => `${peer}: ${note}.`),
    ...benchCase.absent.map(({ peer, reason }) => `${peer} is absent: ${reason}.`),
    ...benchCase.refused.map(({ peer, difference }) => `${peer} was **not timed**: ${difference}.`),
  ]
  return [...lines, ...remarks.map((remark) => `- ${remark}`), ...(remarks.length ? [''] : [])]
}

/** @param {Report} report @returns {string} Markdown */
export function markdown(report) {
  const { machine, versions } = report
  return [
    `# ${report.task}`,
    '',
    report.question,
    '',
    'Answers were proved equal to a reference before anything was timed. Medians of ' +
      `${report.rounds} interleaved rounds in one process, each sample about ${report.sampleMs} ms; CPU time is ` +
      `that of all threads, garbage collection included. Ratios are medians over rounds of ${report.clock} time.`,
    '',
    ...report.cases.flatMap((benchCase) => caseLines(benchCase, report.unit)),
    `- command: \`${report.command}\``,
    `- date: ${report.date}`,
    `- machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.platform}, load ${machine.load.join(' ')}`,
    `- Node ${machine.node}, V8 ${machine.v8}`,
    `- versions: ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}`,
    '',
  ].join('\n')
}

/** @param {Report} report @returns {string} SVG */
export const svg = (report) =>
  barChart({
    title: report.task,
    subtitle: `Median ${report.clock} time per ${report.unit} in multiples of antara-tx (dashed line): shorter is faster`,
    groups: report.cases.map((benchCase) => ({
      label: heading(benchCase),
      bars: benchCase.results.map(({ peer, cpuNs, wallNs, timesOurs }) => {
        const { median } = report.clock === 'cpu' ? cpuNs : wallNs
        const value = timesOurs?.median ?? 1
        const text = timesOurs ? `${ratio(value)}, ${time(median)}` : time(median)
        return { label: peer, value, text, ours: timesOurs === undefined }
      }),
    })),
    footer: `${report.machine.cpu}, ${report.machine.cores} cores, Node ${report.machine.node}, ${report.date}`,
  })

/** @param {Report} report @param {URL} folder @returns {string[]} the files' names */
export function writeReport(report, folder) {
  mkdirSync(folder, { recursive: true })
  const files = {
    [`${report.task}.json`]: `${JSON.stringify(report, undefined, 2)}\n`,
    [`${report.task}.md`]: markdown(report),
    [`${report.task}.svg`]: svg(report),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, folder), text)
  return Object.keys(files)
}
