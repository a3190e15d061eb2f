// Preloaded into the processes that bench/start.mjs starts. Writes the process's CPU time to
// descriptor 3 when it ends or has answered its first request: all of it, or since `cpuSince`.

const { subscribe } = require('node:diagnostics_channel')
const { writeSync } = require('node:fs')

process.on('exit', () => {
  const { user, system } = process.cpuUsage(globalThis.cpuSince)
  writeSync(3, String((user + system) / 1000))
})
subscribe('http.server.response.finish', () => process.exit())
