// Preloaded into the processes that bench/start.mjs starts. Writes the process's CPU time to
// descriptor 3 when it ends or has answered its first request: all of it, or since `cpuSince`.
// It loads what it needs after that, because `node:fs` alone is 5 % of a start.

process.on('exit', () => {
  const { user, system } = process.cpuUsage(globalThis.cpuSince)
  require('node:fs').writeSync(3, String((user + system) / 1000))
})
if (process.argv.includes('node')) {
  require('node:diagnostics_channel').subscribe('http.server.response.finish', () => process.exit())
}
