import v8 from 'node:v8'
import vm from 'node:vm'

// Young garbage of one peer is collected before the next is timed, not on the next one's account.
v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc')
const collectYoung = () => collect({ type: 'minor' })

/** Keeps the last answer reachable, so that no run can be optimised away. */
export const sink = { last: undefined }

/**
 * A loop compiled for one peer alone. Shared by all, its call would be the same for none: the
 * engine inlines a call site that has one target, as in a program that uses one library.
 *
 * @param {Function} run
 * @param {boolean} isAsync
 * @returns {(inputs: unknown[], runs: number) => void | Promise<void>}
 */
function loopFor(run, isAsync) {
  const source = `return ${isAsync ? 'async' : ''} (inputs, runs) => {
    for (let count = 0, next = 0; count < runs; count++) {
      sink.last = ${isAsync ? 'await' : ''} run(inputs[next])
      if (++next === inputs.length) next = 0
    }
  }`
  return new Function('run', 'sink', source)(run, sink)
}

/** @typedef {{ cpuNs: number, wallNs: number }} Sample per unit */

/** @param {() => void | Promise<void>} work @param {number} units @returns {Promise<Sample>} */
async function timed(work, units) {
  collectYoung()
  const cpu = process.cpuUsage()
  const start = process.hrtime.bigint()
  const pending = work()
  if (pending !== undefined) await pending
  const wallNs = Number(process.hrtime.bigint() - start)
  const { user, system } = process.cpuUsage(cpu)
  return { cpuNs: ((user + system) * 1000) / units, wallNs: wallNs / units }
}

/**
 * Finds how many runs make one sample, warming the peer up meanwhile: as long as the optimising
 * compiler needs, on the task's clock, as a busy machine delays both.
 *
 * @param {(inputs: unknown[], runs: number) => void | Promise<void>} loop
 * @param {unknown[]} inputs
 * @param {{ sampleMs: number, warmUpMs: number, clock: 'cpu' | 'wall' }} options
 */
async function calibrate(loop, inputs, { sampleMs, warmUpMs, clock }) {
  let runs = 1
  let spentMs = 0
  for (;;) {
    const { cpuNs, wallNs } = await timed(() => loop(inputs, runs), 1)
    const tookMs = (clock === 'cpu' ? cpuNs : wallNs) / 1e6
    spentMs += tookMs
    if (tookMs < sampleMs / 2) runs *= 2
    else if (spentMs >= warmUpMs) return Math.max(1, Math.round((runs * sampleMs) / tookMs))
  }
}

/**
 * Times peers in interleaved rounds: in each round every peer once, starting with another each
 * time, so that whatever else the machine does meets all of them alike.
 *
 * @param {{ peer: import('./define.mjs').Peer<any, any, any, any>, inputs: unknown[] }[]} contenders
 * @param {{ rounds: number, sampleMs: number, warmUpMs: number, unitsPerItem: number, clock: 'cpu' | 'wall' }} options
 * @returns {Promise<Sample[][]>} per contender, one sample a round
 */
export async function measure(contenders, { rounds, unitsPerItem, ...options }) {
  const runners = []
  for (const { peer, inputs } of contenders) {
    const loop = loopFor(peer.run, peer.run(inputs[0]) instanceof Promise)
    const runs = await calibrate(loop, inputs, options)
    runners.push({ work: () => loop(inputs, runs), units: runs * unitsPerItem, samples: [] })
  }
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < runners.length; turn++) {
      const runner = runners[(round + turn) % runners.length]
      runner.samples.push(await timed(runner.work, runner.units))
    }
  }
  return runners.map(({ samples }) => samples)
}
