// Measures the cost of a queue per case. It runs examples/scale on loopback with one worker, and
// prints the processor time of each process. Linux only, because it reads /proc.
//
//   node bench/queue.mjs [CASES]     default 5000

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { readCount } from './lib/arguments.mjs'

const count = readCount(import.meta.url, 'CASES', 5000)
const example = fileURLToPath(new URL('../examples/scale', import.meta.url))
const folder = mkdtempSync(`${tmpdir()}/antara-tx-queue-`)
const port = 20_000 + (process.pid % 20_000)
const env = { ...process.env, NATS_URL: `nats://127.0.0.1:${port}` }
const start = (command, args) => spawn(command, args, { cwd: example, env })

/** Milliseconds: utime and stime, in ticks of 10 ms. */
function cpuOf({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

async function outputOf(program, ...args) {
  const child = start(process.execPath, [program, ...args])
  let output = ''
  let cpu = 0
  const watch = setInterval(() => {
    if (child.exitCode === null) cpu = cpuOf(child)
  }, 20)
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  await once(child, 'close')
  clearInterval(watch)
  return { output, cpu }
}

const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder]
const server = start('nats-server', args)
let worker
try {
  let output = ''
  server.stderr.on('data', (text) => {
    output += text
  })
  while (!output.includes('Server is ready')) await sleep(20)
  const given = JSON.parse(readFileSync(`${example}/../transfer.json`, 'utf8'))
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ ...given, intent: { ...given.intent, amount: String(at + 1) } }),
  )
  writeFileSync(`${folder}/cases`, `${lines.join('\n')}\n`)
  const published = await outputOf('publish.mjs', `${folder}/cases`)
  worker = start(process.execPath, ['worker.mjs'])
  for (let reports = 0; reports < count; ) {
    await sleep(500)
    ;({ reports } = JSON.parse((await outputOf('status.mjs')).output))
  }
  const each = (ms) => `${((1000 * ms) / count).toFixed(0)} us`
  console.log(
    `${count} cases, processor each: publisher ${each(published.cpu)}, ` +
      `worker ${each(cpuOf(worker))}, server ${each(cpuOf(server))}`,
  )
} finally {
  worker?.kill('SIGKILL')
  server.kill('SIGKILL')
  await once(server, 'close')
  rmSync(folder, { recursive: true })
}
