// npm run release:check [-- --target linux-x64[,...]|all] [--out FILE] [--keep]
//
// Builds the binary of each platform twice and compares the bytes. The two copies of the sources are in
// folders of different names and lengths, each with a compiler and a cache of its own. A path, an order
// of files or a time that gets into a binary therefore shows. Prints each hash in the form of sha256sum
// as soon as it is known, and appends it to FILE, so a run that was killed loses one platform.
// With --keep, prebuilds/ gets the binaries that were compared, for the packer.

import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { platformsRequested } from './platforms.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    target: { type: 'string', default: 'all' },
    out: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
const targets = platformsRequested(values.target)
const work = mkdtempSync(join(tmpdir(), 'antara-tx-check-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))

const compiler = '.cache/platforms'
const folders = [join(work, 'a'), join(work, 'another/folder of the same sources')]
for (const folder of folders) copySources(folder)
if (values.out !== undefined) {
  mkdirSync(dirname(values.out), { recursive: true })
  rmSync(values.out, { force: true })
}
const hashes = targets.map((name) => [name, ...twoHashes(name)])
const differing = hashes.filter(([, one, other]) => one !== other)
for (const [name, one, other] of differing) console.error(`${name}: ${one} and ${other}`)
if (differing.length > 0) process.exit(1)
if (values.keep) for (const name of targets) keep(name)
console.error(`${targets.length} of ${targets.length} binaries have the same bytes twice`)

/** Copies the tracked files as they are now, without results of earlier builds. */
function copySources(folder) {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  const needed = /^(?:native|third_party|scripts|src\/engine)\/|^[^/]+$/
  for (const path of listed.split('\0').filter((name) => needed.test(name))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
}

/** Returns the hashes of both builds. Prints each result at once, because all platforms take long. */
function twoHashes(target) {
  const start = performance.now()
  const [first, second] = folders
  const one = hashOfBuild(first, target)
  // The compiler is fetched once; the second folder has it under a path of its own all the same.
  if (existsSync(join(first, compiler)) && !existsSync(join(second, compiler))) {
    cpSync(join(first, compiler), join(second, compiler), { recursive: true })
  }
  const other = hashOfBuild(second, target)
  const seconds = Math.round((performance.now() - start) / 1000)
  console.error(`${target}: ${one === other ? 'the same' : 'other'} bytes, ${seconds} s`)
  const line = `${one}  ${target}/antara_tx.node\n`
  process.stdout.write(line)
  if (values.out !== undefined) appendFileSync(values.out, line)
  return [one, other]
}

/** Copies a binary, and what the packer reads of its interface, into this checkout. */
function keep(name) {
  for (const path of [`prebuilds/${name}`, `out/prebuild/${name}/abi`]) {
    cpSync(join(folders[0], path), join(root, path), { recursive: true })
  }
}

function hashOfBuild(folder, target) {
  const args = ['scripts/build-platform.mjs', '--target', target]
  const env = {
    ...process.env,
    ZIG_LOCAL_CACHE_DIR: join(folder, 'cache'),
    ZIG_GLOBAL_CACHE_DIR: join(folder, 'cache'),
  }
  const { status } = spawnSync(process.execPath, args, {
    cwd: folder,
    env,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) process.exit(1)
  const binary = readFileSync(join(folder, 'prebuilds', target, 'antara_tx.node'))
  return createHash('sha256').update(binary).digest('hex')
}
