// The packed tarball, installed where a user would: outside the repository, by npm alone.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { platformTarget } from '../../src/engine/loader-node.ts'
import * as library from '../../src/index.ts'
import { answersOf } from '../consumers/answers.mjs'
import { bundlers } from '../consumers/bundlers.mjs'
import { vectors } from '../consumers/vectors.ts'
import { testUnless } from '../support/skip.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'antara-tx-'))
let tarball = ''
let installOutput = ''

beforeAll(() => {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!)
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true }')
  const { stdout, stderr, status } = spawnSync('npm', ['install', tarball], {
    cwd: folder,
    encoding: 'utf8',
  })
  installOutput = stdout + stderr
  expect(status, installOutput).toBe(0)
}, 600_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }), 120_000)

function node(code: string, type = 'module'): string {
  return execFileSync(process.execPath, [`--input-type=${type}`, '-e', code], {
    cwd: folder,
    encoding: 'utf8',
  }).trim()
}

const empty = '0400008085202f89000000000000000000000000000000000000000000'

test('installing it runs no script and says nothing of one', () => {
  expect(installOutput).not.toMatch(/allowScripts|install-scripts|gyp|deprecated|antara-tx.*warn/i)
})

test('it holds what a user needs, and nothing of how it is made', () => {
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n')
  for (const needed of [
    'package/dist/index.js',
    'package/dist/index.d.ts',
    'package/dist/cli/main.js',
    'package/LICENSE',
    'package/README.md',
    'package/CMakeLists.txt',
    'package/native/sources.txt',
    'package/third_party/secp256k1/COPYING',
    'package/examples/transfer.json',
    'package/dist/licenses.txt',
  ]) {
    expect(files).toContain(needed)
  }
  expect(files.some((name) => /prebuilds\/.*\/antara_tx\.node$/.test(name))).toBe(true)
  expect(
    files.filter((name) => /binding\.gyp|\/test\/|\/inside\/|\/bench\/|\.ci|\.test\./.test(name)),
  ).toEqual([])
})

test('it loads as a module, by require and in a worker', () => {
  const txid = 'e22daacccd32e2335184e5604d86742609cf4ee106884a0603dbedf736ddd782'
  const print = `console.log(transactionId('${empty}'))`
  expect(node(`import { transactionId } from 'antara-tx'; ${print}`)).toBe(txid)
  expect(node(`const { transactionId } = require('antara-tx'); ${print}`, 'commonjs')).toBe(txid)
  const worker = `import { Worker } from 'node:worker_threads'
    new Worker(\`import('antara-tx').then(({ transactionId }) => ${print})\`, { eval: true })`
  expect(node(worker)).toBe(txid)
})

// By other bundlers, in browsers and other runtimes: npm run test:consumers.
test.each([
  ['node', 'esm'],
  ['node', 'cjs'],
  ['browser', 'esm'],
] as const)('bundled for %s as %s, it gives the same answers in Node', async (platform, format) => {
  for (const name of ['answers.mjs', 'entry-node.mjs']) {
    cpSync(join(root, 'test/consumers', name), join(folder, name))
  }
  writeFileSync(join(folder, 'vectors.mjs'), `export default ${JSON.stringify(vectors)}`)
  const entry = join(folder, 'entry-node.mjs')
  const target = mkdtempSync(join(folder, 'bundle-'))
  const how = { entry, folder: target, root: folder, platform, format }
  const { file, warnings } = await bundlers.esbuild!(how)
  expect(warnings).toEqual([])
  const output = execFileSync(process.execPath, [file], { encoding: 'utf8', maxBuffer: 1 << 26 })
  expect(JSON.parse(output)).toEqual(await answersOf(library, vectors))
})

test('its command verifies a case, from a copy of the example that it ships', () => {
  const run = (name: string) =>
    spawnSync(
      join(folder, 'node_modules/.bin/antara-tx'),
      ['verify', join(folder, 'node_modules/antara-tx/examples', name)],
      { encoding: 'utf8' },
    )
  expect(run('transfer.json').stdout).toMatch(/^AGREES/)
  expect(run('transfer.json').status).toBe(0)
  expect(run('transfer-wrong-destination.json').status).toBe(1)
})

const noCmake = spawnSync('cmake', ['--version']).error !== undefined && 'CMake is not installed'

testUnless(noCmake)('compiles without -Werror, because of warnings of unknown compilers', () => {
  const configured = (source: string) => {
    const build = mkdtempSync(join(folder, 'cmake-'))
    const { status } = spawnSync('cmake', ['-S', source, '-B', build], { stdio: 'ignore' })
    expect(status).toBe(0)
    const flags = join(build, 'CMakeFiles/antara_core.dir/flags.make')
    return execFileSync('cat', [flags], { encoding: 'utf8' })
  }
  const shipped = configured(join(folder, 'node_modules/antara-tx'))
  expect(shipped).toContain('-Wconversion')
  expect(shipped).not.toContain('-Werror')
  expect(configured(root)).toContain('-Werror')
})

test('both build systems read the one list of sources', () => {
  const read = (path: string) => execFileSync('cat', [join(root, path)], { encoding: 'utf8' })
  expect(read('CMakeLists.txt')).toContain('file(STRINGS native/sources.txt')
  expect(read('binding.gyp')).toContain("readFileSync('native/sources.txt'")
})

describe('the packages of a release, installed from files and nothing else', () => {
  const target = platformTarget()
  const packed = join(folder, 'release')

  beforeAll(() => {
    const args = ['scripts/pack-platforms.mjs', '--target', target, '--out', packed]
    execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  }, 120_000)

  const packages = (isOfPlatform: (name: string) => boolean): string[] =>
    readdirSync(packed)
      .filter((name) => name.endsWith('.tgz') && isOfPlatform(name))
      .map((name) => join(packed, name))
  const isOfPlatform = (name: string): boolean => name.startsWith(`antara-tx-${target}-`)

  function install(tarballs: string[]): string {
    const fresh = mkdtempSync(join(folder, 'fresh-'))
    writeFileSync(join(fresh, 'package.json'), '{ "private": true }')
    const args = ['install', '--offline', '--no-audit', '--no-fund', ...tarballs]
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: fresh, encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
    return fresh
  }

  function run(fresh: string, args: string[], engine = '') {
    const { ANTARA_TX_ENGINE: _, ...env } = process.env
    return spawnSync(join(fresh, 'node_modules/.bin/antara-tx'), args, {
      encoding: 'utf8',
      env: { ...env, ...(engine !== '' && { ANTARA_TX_ENGINE: engine }) },
    })
  }
  const transfer = join(root, 'examples/transfer.json')

  test('with the package of this platform, its binary verifies', () => {
    const fresh = install(packages(() => true))
    const { engine, looked } = JSON.parse(run(fresh, ['doctor', '--json']).stdout)
    expect(engine).toBe(`@antara-tx/${target}/antara_tx.node`)
    expect(looked.map(({ failure }: { failure?: string }) => failure)).toEqual([
      'no such file',
      'no such file',
      undefined,
    ])
    expect(run(fresh, ['verify', transfer], 'native').stdout).toMatch(/^AGREES/)
  })

  test('without the package of this platform, WebAssembly verifies, and doctor says why', () => {
    const fresh = install(packages((name) => !isOfPlatform(name)))
    const { stdout } = run(fresh, ['doctor'])
    expect(stdout).toMatch(/^engine +\S+antara_tx\.wasm$/m)
    expect(stdout).toContain(`@antara-tx/${target}/antara_tx.node: not installed\n`)
    expect(run(fresh, ['verify', transfer]).stdout).toMatch(/^AGREES/)
    expect(run(fresh, ['verify', transfer], 'native').status).toBe(69)
  })

  describe('its types', () => {
    const modules = ['node16', 'nodenext', 'esnext']
    let fresh = ''

    beforeAll(() => {
      fresh = install(packages(() => true))
      for (const name of ['vitest', '@types/node']) {
        mkdirSync(join(fresh, 'node_modules', dirname(name)), { recursive: true })
        symlinkSync(join(root, 'node_modules', name), join(fresh, 'node_modules', name))
      }
      for (const name of ['errors', 'node', 'rpc']) {
        const text = readFileSync(join(root, `test/types/${name}.test-d.ts`), 'utf8')
        const renamed = text
          .replaceAll("'../../src/index.ts'", "'antara-tx'")
          .replace(/'\.\.\/\.\.\/src\/(.*?)(?:\/index)?\.ts'/g, "'antara-tx/$1'")
        writeFileSync(join(fresh, `${name}.mts`), renamed)
      }
    }, 120_000)

    test.each(modules)('hold with every strict option under module %s', (module) => {
      const compilerOptions = {
        ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
        ...{ noPropertyAccessFromIndexSignature: true, skipLibCheck: false, noEmit: true },
        ...{ verbatimModuleSyntax: true, isolatedModules: true, module },
        ...{ target: 'es2023', lib: ['es2023'], types: ['node'] },
        ...(module === 'esnext' && { moduleResolution: 'bundler' }),
      }
      writeFileSync(join(fresh, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
      const compiler = join(root, 'node_modules/typescript/bin/tsc')
      const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', fresh], {
        encoding: 'utf8',
      })
      expect(stdout).toBe('')
      expect(status).toBe(0)
    })
  })

  // A compiler with `moduleResolution: node10` reads only the second list.
  test('both lists of its modules are the same', () => {
    const { exports, typesVersions } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const named = Object.entries<{ types?: string }>(exports)
      .filter(([name, { types }]) => name !== '.' && types !== undefined)
      .map(([name, { types }]) => [name.slice('./'.length), [types]])
    expect(typesVersions).toEqual({ '*': Object.fromEntries(named) })
  })

  test('npm installs each only where it fits', () => {
    const [tarball] = packages(isOfPlatform)
    const text = execFileSync('tar', ['-xzOf', tarball!, 'package/package.json'], {
      encoding: 'utf8',
    })
    const { os, cpu, name, scripts } = JSON.parse(text)
    expect({ os, cpu, name, scripts }).toEqual({
      ...{ os: [process.platform], cpu: [process.arch] },
      ...{ name: `@antara-tx/${target}`, scripts: undefined },
    })
  })
})
