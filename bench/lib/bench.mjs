import { loadPeers } from './discover.mjs'
import { machine, versionOf } from './machine.mjs'
import { measure } from './measure.mjs'
import { prove } from './prove.mjs'
import { ratioSpread, spread } from './statistics.mjs'

export const ourName = 'antara-tx'

/**
 * Proves every peer of a case; those that answer as the reference does are ready to be timed.
 *
 * @param {import('./define.mjs').Task<any, any>} task
 * @param {import('./define.mjs').Case<any>} benchCase
 * @param {import('./define.mjs').Peer<any, any, any, any>[]} peers
 */
async function proveAll(task, benchCase, peers) {
  const contenders = []
  const absent = []
  const refused = []
  for (const peer of peers) {
    const reason = benchCase.items.map(peer.cannot).find((why) => why !== undefined)
    if (reason !== undefined) {
      absent.push({ peer: peer.name, reason })
      continue
    }
    const proof = await prove(task, benchCase, peer)
    if ('refused' in proof) refused.push({ peer: peer.name, difference: proof.refused })
    else contenders.push({ peer, inputs: proof.inputs })
  }
  return { contenders, absent, refused }
}

/**
 * @param {import('./define.mjs').Task<any, any>} task
 * @param {string} caseName
 * @param {{ peer: { name: string, package: string, note?: string } }[]} contenders
 * @param {import('./measure.mjs').Sample[][]} samples per contender
 * @returns {import('./report.mjs').Result[]}
 */
function summarise(task, caseName, contenders, samples) {
  const clock = task.clock === 'cpu' ? 'cpuNs' : 'wallNs'
  const column = (/** @type {number} */ index, /** @type {'cpuNs' | 'wallNs'} */ key) =>
    samples[index].map((sample) => sample[key])
  const ours = contenders.findIndex(({ peer }) => peer.name === ourName)
  return contenders.map(({ peer }, index) => {
    const result = {
      peer: peer.name,
      note: peer.note,
      ...(peer.package === ourName && { isOurs: true }),
      cpuNs: spread(column(index, 'cpuNs')),
      wallNs: spread(column(index, 'wallNs')),
    }
    if (ours < 0 || ours === index) return result
    const timesOurs = ratioSpread(column(index, clock), column(ours, clock))
    const goal = task.goals.find((wanted) => wanted.case === caseName && wanted.peer === peer.name)
    return {
      ...result,
      timesOurs,
      ...(goal && { goal: { ratio: goal.ratio, met: timesOurs.median >= goal.ratio } }),
    }
  })
}

/**
 * Proves and times one task.
 *
 * @param {import('./define.mjs').Task<any, any>} task
 * @param {{
 *   rounds: number, sampleMs: number, command: string, onlyCase?: string,
 *   mode: 'measure' | 'prove' | 'suite', say: (line: string) => void,
 * }} options
 * @returns {Promise<import('./report.mjs').Report>}
 */
export async function benchTask(task, { rounds, sampleMs, command, onlyCase, mode, say }) {
  const peers = await loadPeers(task.name)
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const cases = []
  for (const benchCase of task.cases()) {
    if (onlyCase !== undefined && benchCase.name !== onlyCase) continue
    const { contenders, absent, refused } = await proveAll(task, benchCase, peers)
    const names = contenders.map(({ peer }) => peer.name).join(', ')
    say(`${task.name} ${benchCase.name}: equal answers from ${names || 'nobody'}`)
    for (const { peer, difference } of refused)
      say(`  NOT EQUAL, not timed: ${peer}: ${difference}`)
    let results = []
    if (mode === 'suite') {
      const { runSuite } = await import('./suite.mjs')
      await runSuite(`${task.name}: ${benchCase.name}`, contenders)
    } else if (mode === 'measure') {
      const { unitsPerItem = 1 } = benchCase
      const { clock, warmUpMs } = task
      const options = { rounds, sampleMs, warmUpMs, unitsPerItem, clock }
      const samples = await measure(contenders, options)
      results = summarise(task, benchCase.name, contenders, samples)
    }
    const { name, description, bytes } = benchCase
    cases.push({ name, description, bytes, results, absent, refused })
  }
  for (const peer of peers) await peer.close()
  const versions = Object.fromEntries(peers.map((peer) => [peer.package, versionOf(peer.package)]))
  return {
    task: task.name,
    question: task.question,
    unit: task.unit,
    clock: task.clock,
    command,
    date: `${date} UTC`,
    rounds,
    sampleMs,
    machine: machine(),
    versions,
    cases,
  }
}
