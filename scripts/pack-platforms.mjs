// npm run pack:platforms -- [--target linux-x64[,...]|all] [--out FOLDER]
//
// Makes the packages of a release: @antara-tx/PLATFORM with nothing but the binary in prebuilds/PLATFORM,
// @antara-tx/source with the sources of the engine, and antara-tx without binaries and sources, which
// names the platforms as optional. The bill of materials, sbom.cdx.json, is in antara-tx and beside it. Only what is made here names them: they
// have to be in a registry before `npm ci` of a checkout could look for them. The package of a platform
// belongs to the scope, so that nobody else can publish one under a name that the loader trusts.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
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
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { bundledTypes, writeTexts } from './bundle-types.mjs'
import { engineAbi, platforms, platformsRequested } from './platforms.mjs'
import { engineLicense, isSource, releasedPage, releasedPaths } from './release-files.mjs'
import { billOfMaterials } from './sbom.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: { target: { type: 'string', default: 'all' }, out: { type: 'string' } },
})
const requested = platformsRequested(values.target)
const out = resolve(values.out ?? `${root}out/packages`)
const { version, license, engines, ...main } = read(`${root}package.json`)

const { platformTarget } = await import('../dist/engine/loader-node.js')
const billName = `antara-tx-${version}.cdx.json`
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
  await packMain()
  writeSums()
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Lists the hashes of all packages and of the bill of materials, in the form of sha256sum. */
function writeSums() {
  const names = readdirSync(out).filter(
    (name) => name.endsWith(`-${version}.tgz`) || name === billName,
  )
  const sums = names.sort().map((name) => {
    const hash = createHash('sha256').update(readFileSync(join(out, name)))
    return `${hash.digest('hex')}  ${name}\n`
  })
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
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
  copyFileSync(root + engineLicense, join(folder, 'LICENSE.secp256k1'))
  writeFileSync(
    join(folder, 'README.md'),
    `The native engine of antara-tx for ${name}. antara-tx asks for it by itself.\n`,
  )
  write(join(folder, 'package.json'), {
    ...{ name: `@antara-tx/${name}`, version, description: `antara-tx: binary for ${name}` },
    ...{ license, engines, os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) },
    // No system can load a binary from Yarn's archive.
    ...{ files: ['antara_tx.node', 'LICENSE.secp256k1'], preferUnplugged: true },
  })
  pack(folder)
}

/** Packs the files of `npm pack` in two packages, each with a package.json of its own. */
async function packMain() {
  const [tarball] = npmPack(root, work)
  execFileSync('tar', ['-xzf', join(work, tarball), '-C', work])
  const folder = join(work, 'package')
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
  packSource(folder, paths.filter(isSource))
  const types = await bundledTypes(root)
  const released = new Set(releasedPaths(paths))
  for (const path of paths) {
    if (!released.has(path)) rmSync(join(folder, path))
    else if (path.endsWith('.js')) removeMapLink(join(folder, path))
    else if (path.endsWith('.md')) rewriteLinks(folder, path, (file) => released.has(file))
  }
  writeTexts(`${folder}/`, types)
  const bill = billOfMaterials(root)
  for (const path of [join(folder, 'sbom.cdx.json'), join(out, billName)]) write(path, bill)
  const packed = read(join(folder, 'package.json'))
  write(join(folder, 'package.json'), {
    ...packed,
    files: [...packed.files, 'sbom.cdx.json'],
    optionalDependencies: Object.fromEntries(
      requested.map((name) => [`@antara-tx/${name}`, version]),
    ),
  })
  console.log(`${main.name}, with ${requested.join(', ')} as optional`)
  pack(folder)
}

/** The maps are not in the package, and tools warn of a link to a file that is not there. */
function removeMapLink(path) {
  const text = readFileSync(path, 'utf8')
  const without = text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n')
  if (without !== text) writeFileSync(path, without)
}

/** The pages of the repository link to some that are not in the package. */
function rewriteLinks(folder, page, isReleased) {
  const text = readFileSync(join(folder, page), 'utf8')
  writeFileSync(join(folder, page), releasedPage(page, text, isReleased))
}

/** Files that `cmake-js compile --directory node_modules/@antara-tx/source` needs. */
function packSource(from, paths) {
  const folder = join(work, 'source')
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(from, path), join(folder, path))
  }
  writeFileSync(
    join(folder, 'README.md'),
    `The sources of the native engine of antara-tx. To build it for a platform without a package:

    npm install --no-save @antara-tx/source@${version}
    npx -y cmake-js@8 compile --directory node_modules/@antara-tx/source --out node_modules/antara-tx/build
`,
  )
  write(join(folder, 'package.json'), {
    ...{ name: '@antara-tx/source', version, description: 'antara-tx: sources of the engine' },
    ...{ license, engines, binary: main.binary, gypfile: false },
  })
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
