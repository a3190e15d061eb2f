// Runs each test once without a change, and then once for each change that it reached and that no
// test has noticed yet.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'
import { fileURLToPath } from 'node:url'
import { TestRunner } from 'vitest'

const folder = fileURLToPath(new URL('../../out/mutate/in-process', import.meta.url))
const tell = (word, text) => appendFileSync(`${folder}/results`, `${word} ${text}\n`)
const { ids, testMs } = JSON.parse(readFileSync(`${folder}/plan.json`, 'utf8'))
/** A loop over a change ends after so many times of what is usual. */
const hitFactor = 100

// The name is Stryker's: its switches in the sources read this.
globalThis.__stryker__ ??= {}
const switches = globalThis.__stryker__
const wanted = new Set(ids)
/** Changes with tests, from before a change ended the process. */
const tried = new Set()
const pathOfResults = `${folder}/results`
if (existsSync(pathOfResults)) {
  for (const line of readFileSync(pathOfResults, 'utf8').split('\n')) {
    if (line.startsWith('killed ')) wanted.delete(line.slice(7))
    if (line.startsWith('begun ')) tried.add(line.slice(6))
  }
}

/** Tests that take long, which are left until others have noticed most. */
const later = []
/** Milliseconds of the processor that one test may take at once, for all changes together. */
const budgetMs = 1000

export default class MutantRunner extends TestRunner {
  async runTask(test) {
    const run = TestRunner.getTestFn(test)
    const before = process.cpuUsage()
    const idleMs = performance.eventLoopUtilization().idle
    const reached = await reachedBy(run, test.id)
    const { user, system } = process.cpuUsage(before)
    const ms = (user + system) / 1000
    if (ms > testMs) return
    const idle = performance.eventLoopUtilization().idle - idleMs
    const task = {
      run: () => ended(run, idle),
      ms,
      reached,
      name: `${test.file.name} ${test.fullName ?? test.name}`,
    }
    if (ms * openOf(reached).length > budgetMs) later.push(task)
    else await tryChanges(task)
  }

  async onAfterRunFiles() {
    super.onAfterRunFiles?.()
    for (const task of later.splice(0).sort((one, other) => one.ms - other.ms)) {
      // A test may need what its file has closed by now.
      if (await fails(task.run)) tell('broken', task.name)
      else await tryChanges(task)
    }
    for (const id of Object.keys(switches.mutantCoverage?.static ?? {})) tell('loaded', id)
    appendFileSync(pathOfResults, 'done\n')
  }
}

const openOf = (reached) => Object.entries(reached).filter(([id]) => wanted.has(id))

async function tryChanges({ run, name, reached }) {
  for (const [id, hits] of openOf(reached)) {
    const trial = `${id} ${name.replaceAll(/\s+/g, ' ')}`
    if (tried.has(trial)) continue
    tell('begun', trial)
    if (!(await isNoticed(run, id, hits))) continue
    // A change may leave something in memory, which must not count for the next ones.
    if (await fails(run)) {
      tell('broken', name)
      return
    }
    wanted.delete(id)
    tell('killed', id)
  }
}

async function reachedBy(run, testId) {
  switches.currentTestId = testId
  try {
    await run()
  } finally {
    switches.currentTestId = undefined
  }
  const reached = switches.mutantCoverage?.perTest[testId] ?? {}
  for (const id of Object.keys(reached)) tell('reached', id)
  return reached
}

async function isNoticed(run, id, hits) {
  switches.hitCount = 0
  switches.hitLimit = hits * hitFactor
  switches.activeMutant = id
  // Code that runs outside of a test counts as run while a module is loaded.
  switches.currentTestId = 'changed'
  try {
    return await fails(run)
  } finally {
    switches.activeMutant = undefined
    switches.hitCount = undefined
    switches.currentTestId = undefined
  }
}

/** A test that waits this many milliseconds more for a change than without it never ends. */
const idleMsMax = 3000

/** Rejects if a test waits too long. Time in which other processes have the processor does not count. */
async function ended(run, idleMs) {
  const before = performance.eventLoopUtilization()
  let timer
  const waits = new Promise((_, reject) => {
    timer = setInterval(() => {
      const { idle } = performance.eventLoopUtilization(before)
      if (idle > idleMsMax + 2 * idleMs) reject(new Error('the test waits for ever'))
    }, 250)
  })
  try {
    await Promise.race([run(), waits])
  } finally {
    clearInterval(timer)
  }
}

async function fails(run) {
  try {
    await run()
    return false
  } catch {
    return true
  }
}
