import v8 from 'node:v8'
import vm from 'node:vm'

// `timed` collects the young garbage of the peer before it, so that no peer pays for another's.
v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc')
const collectYoung = () => collect({ type: 'minor' })

/** Keeps the last output of a run reachable, so that V8 cannot remove a run as unused. */
export const sink = { last: undefined }

/**
 * Returns a loop over a peer's inputs that goes on where it stopped, so that samples shorter than a
 * pass use all inputs alike.
 *
 * Each peer has a loop of its own, compiled from text. V8 inlines a call that always has the same
 * target, as it would in a program that uses one library. In a loop that all peers share, it would
 * inline no call.
 *
 * @param {Function} run
 * @param {unknown[]} inputs
 * @param {boolean} isAsync
 * @returns {(runs: number) => void | Promise<void>}
 */
function loopFor(run, inputs, isAsync) {
  const source = `let next = 0
  return ${isAsync ? 'async' : ''} (runs) => {
    for (let count = 0; count < runs; count++) {
      sink.last = ${isAsync ? 'await' : ''} run(inputs[next])
      if (++next === inputs.length) next = 0
    }
  }`
  return new Function('run', 'inputs', 'sink', source)(run, inputs, sink)
}

/** Runs a peer once, and returns whether its answer is a promise. It waits for that answer. */
async function isAsynchronous(run, input) {
  const output = run(input)
  if (!(output instanceof Promise)) return false
  await output
  return true
}

/** @typedef {{ cpuNs: number, wallNs: number }} Sample nanoseconds for one unit of the task */

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
 * Returns how many runs take about `sampleMs`. It runs the peer for at least `warmUpMs`, which the
 * optimising compiler needs. Both are times of the task's clock: a busy machine delays the compiler
 * as much as the peer.
 *
 * @param {(runs: number) => void | Promise<void>} loop
 * @param {{ sampleMs: number, warmUpMs: number, clock: 'cpu' | 'wall' }} options
 */
async function calibrate(loop, { sampleMs, warmUpMs, clock }) {
  let runs = 1
  let spentMs = 0
  for (;;) {
    const { cpuNs, wallNs } = await timed(() => loop(runs), 1)
    const tookMs = (clock === 'cpu' ? cpuNs : wallNs) / 1e6
    spentMs += tookMs
    if (tookMs < sampleMs / 2) runs *= 2
    else if (spentMs >= warmUpMs) return Math.max(1, Math.round((runs * sampleMs) / tookMs))
  }
}

/**
 * Times peers in interleaved rounds. Each round times every peer once, and begins with the next one.
 * So other work of the machine slows all peers alike.
 *
 * @param {{ peer: import('./define.mjs').Peer<any, any, any, any>, inputs: unknown[] }[]} contenders
 * @param {{ rounds: number, sampleMs: number, warmUpMs: number, unitsPerItem: number, clock: 'cpu' | 'wall' }} options
 * @returns {Promise<Sample[][]>} per contender, one sample a round
 */
export async function measure(contenders, { rounds, unitsPerItem, ...options }) {
  const runners = []
  for (const { peer, inputs } of contenders) {
    const loop = loopFor(peer.run, inputs, await isAsynchronous(peer.run, inputs[0]))
    const runs = await calibrate(loop, options)
    runners.push({ work: () => loop(runs), units: runs * unitsPerItem, samples: [] })
  }
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < runners.length; turn++) {
      const runner = runners[(round + turn) % runners.length]
      runner.samples.push(await timed(runner.work, runner.units))
    }
  }
  return runners.map(({ samples }) => samples)
}
