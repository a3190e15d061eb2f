// Puts the portable binary of this machine into prebuilds/, stripped, and fails if it asks for a newer
// system than we promise. npm runs it before packing. Those of other platforms, which `npm run build:platform`
// makes, stay as they are.

import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Debian 12, Ubuntu 22.04, RHEL 9. std::shared_ptr of the compiler here asks for 2.32. */
const glibcFloor = [2, 34]
/** Libraries of every system with that glibc. */
const everySystem = /^(lib(c|m|dl|pthread|gcc_s|stdc\+\+)|ld-linux-[\w-]+)\.so\.\d+$/

const root = fileURLToPath(new URL('..', import.meta.url))
const { platformTarget } = await import('../dist/engine/loader-node.js')
const folder = `${root}prebuilds/${platformTarget()}`
const staged = `${folder}/antara_tx.node`

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
copyFileSync(`${root}out/portable.node`, staged)
if (process.platform !== 'win32') {
  const flags = process.platform === 'darwin' ? ['-Sx'] : ['--strip-unneeded']
  execFileSync('strip', [...flags, staged])
}
console.log(`prebuilds/${platformTarget()}/antara_tx.node: ${statSync(staged).size} bytes`)

if (process.platform === 'linux') {
  const stdout = objdump('-T')
  const needed = [...stdout.matchAll(/GLIBC_(\d+)\.(\d+)/g)].map(([, major, minor]) => [
    Number(major),
    Number(minor),
  ])
  const newest = needed.sort((a, b) => a[0] - b[0] || a[1] - b[1]).at(-1)
  console.log(`needs glibc ${newest.join('.')}, promised ${glibcFloor.join('.')}`)
  if (newest[0] > glibcFloor[0] || newest[1] > glibcFloor[1]) process.exit(1)

  const libraries = [...objdump('-p').matchAll(/NEEDED +(\S+)/g)].map(([, library]) => library)
  const missing = libraries.filter((library) => !everySystem.test(library))
  if (missing.length > 0) {
    console.error(`needs ${missing.join(', ')}, which not every system has`)
    process.exit(1)
  }
}

function objdump(option) {
  const { status, stdout } = spawnSync('objdump', [option, staged], { encoding: 'utf8' })
  if (status !== 0) throw new Error('objdump is needed to see what the binary asks of a system')
  return stdout
}
