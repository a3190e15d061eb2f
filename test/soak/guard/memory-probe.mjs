// Loaded into the process of a guard before its command: answers how much memory it holds. Run Node
// with --expose-gc and a channel.

process.on('message', () => {
  // The second collection frees what the finalizers of the first left.
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  process.send({ heapUsed, external, arrayBuffers, rss, cpu: process.cpuUsage() })
})
process.channel.unref()
