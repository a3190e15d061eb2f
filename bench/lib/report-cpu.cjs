// Preloaded into what bench/start.mjs starts: tells on descriptor 3 what the process has cost, when it
// ends or has answered its first request; all of it, or since a moment that it keeps in `cpuSince`.

const { subscribe } = require('node:diagnostics_channel')
const { writeSync } = require('node:fs')

process.on('exit', () => {
  const { user, system } = process.cpuUsage(globalThis.cpuSince)
  writeSync(3, String((user + system) / 1000))
})
subscribe('http.server.response.finish', () => process.exit())
