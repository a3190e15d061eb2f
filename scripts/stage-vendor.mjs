// Puts libsecp256k1's sources and licence into vendor/, so that the tarball can be built from
// without the npm package that they come from. cmake/secp256k1.cmake looks there first.

import { cpSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'node_modules/secp256k1/src/secp256k1')
const target = join(root, 'vendor/secp256k1')

/** Tests, benchmarks, generators and optional modules are not part of what is compiled. */
function isCompiled(path) {
  const name = basename(path)
  if (dirname(path) !== join(source, 'src')) return true
  return name === 'secp256k1.c' || (name.endsWith('.h') && !/^(bench|testrand)/.test(name))
}

rmSync(target, { recursive: true, force: true })
for (const part of ['COPYING', 'include', 'src']) {
  cpSync(join(source, part), join(target, part), { recursive: true, filter: isCompiled })
}
