// npm run verify:third-party [-- --keyring FILE]
//
// Compares third_party/secp256k1 with the release that it comes from, byte by byte. The release is
// fetched from Debian's archive. Its hash has to be the one in Debian's description of it, which a
// maintainer of Debian signed, and the one in third_party/secp256k1/README.md. gpgv checks the signature
// if the keys are there: package debian-keyring. Upstream signs the tags of its git history, and
// publishes no hashes of archives.

import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const folder = fileURLToPath(new URL('../third_party/secp256k1/', import.meta.url))
const { values } = parseArgs({
  options: {
    keyring: { type: 'string', default: '/usr/share/keyrings/debian-keyring.gpg' },
    from: { type: 'string', default: 'http://deb.debian.org/debian/pool/main/libs/libsecp256k1' },
  },
})
const page = readFileSync(`${folder}README.md`, 'utf8')
const [, archive] = /`(libsecp256k1_[\d.]+\.orig\.tar\.\w+)`/.exec(page)
const [, recorded] = /SHA-256 `([0-9a-f]{64})`/.exec(page)
const [, description] = /`(libsecp256k1_[\d.]+-\d+\.dsc)`/.exec(page)

const work = mkdtempSync(join(tmpdir(), 'antara-tx-third-party-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))

const signed = join(work, description)
writeFileSync(signed, await bytesOf(description))
const text = signedTextOf(signed)
const [, published] =
  new RegExp(`^ ([0-9a-f]{64}) \\d+ ${archive}$`, 'm').exec(text) ?? fail('no hash', description)
const tarball = join(work, archive)
writeFileSync(tarball, await bytesOf(archive))
const hash = createHash('sha256').update(readFileSync(tarball)).digest('hex')
if (hash !== published) fail(`SHA-256 ${hash}, published is ${published}`, archive)
if (hash !== recorded) fail(`SHA-256 ${hash}, README.md has ${recorded}`, archive)

const unpacked = join(work, 'unpacked')
mkdirSync(unpacked)
execFileSync('tar', ['-xf', tarball, '-C', unpacked, '--strip-components=1', '--no-same-owner'])
const lines = readFileSync(`${folder}SHA256SUMS`, 'utf8').trimEnd().split('\n')
const paths = lines.map((line) => line.split('  ')[1])
for (const path of paths) {
  if (!existsSync(join(unpacked, path))) fail('not in the release', path)
  const same = readFileSync(join(unpacked, path)).equals(readFileSync(folder + path))
  if (!same) fail('differs from the release', path)
}
console.log(`${archive}: SHA-256 ${hash}, as published and as recorded`)
console.log(`third_party/secp256k1: ${paths.length} files, all as in the release`)

/** The part of a description that is signed; all of it if the keys are not there. */
function signedTextOf(path) {
  if (!existsSync(values.keyring)) {
    console.log(`${description}: the signature was not checked, there is no ${values.keyring}`)
    return readFileSync(path, 'utf8')
  }
  const args = ['--keyring', values.keyring, '--output', '-', path]
  const { status, stdout, stderr, error } = spawnSync('gpgv', args, { encoding: 'utf8' })
  if (status !== 0) fail(`signature: ${error?.message ?? stderr}`, description)
  console.log(`${description}: signed by ${/Good signature from "(.*)"/.exec(stderr)[1]}`)
  return stdout
}

async function bytesOf(name) {
  const response = await fetch(`${values.from}/${name}`)
  if (!response.ok) fail(`${response.status} ${response.statusText}`, name)
  return Buffer.from(await response.arrayBuffer())
}

function fail(reason, name) {
  console.error(`${name}: ${reason}`)
  process.exit(1)
}
