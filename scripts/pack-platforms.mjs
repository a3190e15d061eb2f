// npm run pack:platforms -- [--target linux-x64[,...]|all] [--out FOLDER]
//
// Makes the packages of a release: @antara-tx/PLATFORM with nothing but the binary in prebuilds/PLATFORM,
// and antara-tx without binaries, which names them as optional. Only what is made here names them: they
// have to be in a registry before `npm ci` of a checkout could look for them. The package of a platform
// belongs to the scope, so that nobody else can publish one under a name that the loader trusts.

import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { engineAbi, platforms, platformsRequested } from './platforms.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: { target: { type: 'string', default: 'all' }, out: { type: 'string' } },
})
const requested = platformsRequested(values.target)
const out = resolve(values.out ?? `${root}out/packages`)
const { version, license, engines, ...main } = read(`${root}package.json`)

const { platformTarget } = await import('../dist/engine/loader-node.js')
const missing = requested.filter((name) => abiOf(name) !== engineAbi())
if (missing.length > 0) {
  console.error(
    `not built, or of other sources: npm run build:platform -- --target ${missing.join(',')}`,
  )
  process.exit(1)
}
const work = mkdtempSync(join(tmpdir(), 'antara-tx-pack-'))
try {
  mkdirSync(out, { recursive: true })
  for (const name of requested) packPlatform(name)
  packMain()
} finally {
  rmSync(work, { recursive: true, force: true })
}

function binaryOf(name) {
  return `${root}prebuilds/${name}/antara_tx.node`
}

/**
 * Returns the ABI of a binary: from the binary itself where it runs, elsewhere from the script that
 * built it.
 */
function abiOf(name) {
  if (!existsSync(binaryOf(name))) return undefined
  if (name === platformTarget()) return `${createRequire(import.meta.url)(binaryOf(name)).abi}`
  const abiFile = `${root}out/prebuild/${name}/abi`
  return existsSync(abiFile) ? readFileSync(abiFile, 'utf8') : undefined
}

function packPlatform(name) {
  const { os, cpu, libc } = platforms[name]
  const folder = join(work, name)
  mkdirSync(folder)
  copyFileSync(binaryOf(name), join(folder, 'antara_tx.node'))
  copyFileSync(`${root}LICENSE`, join(folder, 'LICENSE'))
  writeFileSync(
    join(folder, 'README.md'),
    `The native engine of antara-tx for ${name}. antara-tx asks for it by itself.\n`,
  )
  write(join(folder, 'package.json'), {
    ...{ name: `@antara-tx/${name}`, version, description: `antara-tx: binary for ${name}` },
    ...{ license, engines, os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) },
    // No system can load a binary from Yarn's archive.
    ...{ files: ['antara_tx.node'], preferUnplugged: true },
  })
  pack(folder)
}

/** Packs the files of `npm pack` with another package.json. */
function packMain() {
  const [tarball] = npmPack(root, work)
  execFileSync('tar', ['-xzf', join(work, tarball), '-C', work])
  const folder = join(work, 'package')
  rmSync(join(folder, 'prebuilds'), { recursive: true, force: true })
  write(join(folder, 'package.json'), {
    ...read(join(folder, 'package.json')),
    optionalDependencies: Object.fromEntries(
      requested.map((name) => [`@antara-tx/${name}`, version]),
    ),
  })
  console.log(`${main.name}, with ${requested.join(', ')} as optional`)
  pack(folder)
}

function pack(folder) {
  for (const name of npmPack(folder, out)) {
    console.log(`${join(out, name)}: ${statSync(join(out, name)).size} bytes`)
  }
}

/** The names of the tarballs that npm made. It must run no script: what is packed is made already. */
function npmPack(folder, destination) {
  const before = mkdtempSync(join(work, 'packed-'))
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', before]
  execFileSync('npm', args, { cwd: folder, shell: process.platform === 'win32' })
  return readdirSync(before).map((name) => {
    copyFileSync(join(before, name), join(destination, name))
    return name
  })
}

function read(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function write(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
