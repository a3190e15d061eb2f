/** The benchmark's command line. From the root of the checkout: npm run bench -- --help */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { benchTask } from './lib/bench.mjs'
import { loadTask, peerNames, taskNames, tasksMatching } from './lib/discover.mjs'
import { checkBuild, installPeers } from './lib/install.mjs'
import { readReports, reportPage } from './lib/page.mjs'
import { markdown, writeReport } from './lib/report.mjs'

const reportFolder = new URL('report/', import.meta.url)

const help = `Compares antara-tx with other libraries. It times only those that give the same answers.

  npm run bench -- --task NAME    run the task NAME, every task NAME-*, or all
  npm run bench -- --list         list the tasks, with the question and the libraries of each
  npm run bench -- --report       write all reports to one HTML page, out/benchmarks.html

  --rounds N      run N interleaved rounds (default 15)
  --sample-ms N   let each sample take about N milliseconds (default 40)
  --case NAME     run only this case, and write no report
  --prove         compare the answers only
  --suite         run the cases through benny and print operations per second
  --json          print the report as JSON instead of Markdown

Reports go to bench/report/NAME.json, .md and .svg; progress goes to stderr.
Exit status: 0 done, 1 an answer differed or something is missing, 64 usage.
`

const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`)

/** @param {string} complaint @returns {64} */
function usageError(complaint) {
  say(`${complaint}\n\n${help}`)
  return 64
}

/**
 * @param {string | undefined} text
 * @param {number} fallback - used if there is no text
 * @returns {number} NaN unless the text is a whole number above 0
 */
function positiveInteger(text, fallback) {
  const value = text === undefined ? fallback : Number(text)
  return Number.isInteger(value) && value > 0 ? value : Number.NaN
}

/** @param {string[]} args @returns {Promise<number>} exit status */
async function main(args) {
  let values
  try {
    ;({ values } = parseArgs({
      args,
      options: {
        task: { type: 'string' },
        case: { type: 'string' },
        rounds: { type: 'string' },
        'sample-ms': { type: 'string' },
        list: { type: 'boolean' },
        report: { type: 'boolean' },
        prove: { type: 'boolean' },
        suite: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }))
  } catch (error) {
    return usageError(error.message)
  }
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const rounds = positiveInteger(values.rounds, 15)
  const sampleMs = positiveInteger(values['sample-ms'], 40)
  if (Number.isNaN(rounds + sampleMs))
    return usageError('--rounds, --sample-ms: expected whole numbers above 0')
  if (values.list) {
    if (!checkBuild(say)) return 1
    for (const name of taskNames()) {
      const { question } = await loadTask(name)
      process.stdout.write(`${name}\n    ${question}\n    ${peerNames(name).join(', ')}\n`)
    }
    return 0
  }
  if (values.report) {
    const target = new URL('../out/benchmarks.html', import.meta.url)
    mkdirSync(new URL('.', target), { recursive: true })
    writeFileSync(target, reportPage(readReports(reportFolder)))
    say(`wrote ${fileURLToPath(target)}`)
    return 0
  }
  if (values.task === undefined) return usageError('--task NAME is missing')
  const names = tasksMatching(values.task)
  if (names.length === 0) return usageError(`no task is called ${values.task}; --list names them`)
  if (!checkBuild(say) || !installPeers(say)) return 1

  const mode = values.prove ? 'prove' : values.suite ? 'suite' : 'measure'
  const command = ['npm run bench --', ...args].join(' ')
  let differed = false
  for (const name of names) {
    const task = await loadTask(name)
    const options = { rounds, sampleMs, command, onlyCase: values.case, mode, say }
    const report = await benchTask(task, options)
    if (report.cases.length === 0) return usageError(`${name} has no case called ${values.case}`)
    differed ||= report.cases.some(({ refused }) => refused.length > 0)
    if (mode !== 'measure') continue
    process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : `${markdown(report)}\n`)
    if (values.case !== undefined) continue
    const files = writeReport(report, reportFolder)
    say(`wrote ${files.map((file) => `bench/report/${file}`).join(', ')}`)
  }
  return differed ? 1 : 0
}

process.exitCode = await main(process.argv.slice(2))
