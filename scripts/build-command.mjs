// The command line as CommonJS, in dist/cli: `main.js` is what users start, and `one-verdict.js` is
// the program of most runs, in one file. Node loads it quicker than the modules of the library. What
// it rarely needs is in `rarely.js`, which the first use loads. All other commands are ECMAScript
// modules in dist/shared. Only one of the two programs runs in a process, so no class is there
// twice. docs/adr/0041-no-own-code-cache.md has the numbers.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { rolldown } from 'rolldown'

import { asText } from './as-text.mjs'
import { calledFunctions, compiledAtOnce } from './compiled-at-once.mjs'
import { sourceOfImports } from './entries.mjs'
import { quickSpreads } from './quick-spreads.mjs'
import { isRare } from './rarely.mjs'
import { replaced } from './replaced.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

const example = `${root}examples/transfer.json`

const commonJs = '{ "type": "commonjs" }\n'

/** Name of the chunk with the modules that are rarely needed. */
const rarely = 'rarely'

/**
 * Writes the files.
 *
 * @param {string} folder - dist
 * @param {object[]} plugins - further ones for the program
 */
export async function buildCommand(folder, plugins) {
  const target = `${folder}/cli`
  const elsewhere = {
    './one-verdict.ts': './one-verdict.js',
    './program.ts': '../shared/program.js',
  }
  await build(target, 'main', [leaving(elsewhere)])
  const program = [finding(sourceOfImports()), asText, ...plugins]
  const called = await functionsOfAVerdict(program)
  await buildVerdict(target, [...program, compiledAtOnce('one-verdict', called)])
  await finishCode(`${target}/main.js`, startedByRequire)
  await finishCode(`${target}/one-verdict.js`, (text) =>
    withUrlMadeOnce(sharedWhenUsed(loadedWhenUsed(text))),
  )
  await finishCode(`${target}/${rarely}.js`, withSharedNames)
  // The package.json of the package says that its files are ECMAScript modules.
  writeFileSync(`${target}/package.json`, commonJs)
}

const buildVerdict = (folder, plugins) =>
  build(folder, 'one-verdict', plugins, [{ name: rarely, test: isRare }, { name: 'one-verdict' }])

/**
 * Verifies an example with the program, and returns the functions that it called. The machine must
 * not change the answer, because others make a release again and compare it. So the engine is
 * WebAssembly, which each checkout has, and no variable of the builder reaches the program. A few
 * functions that load an addon are therefore not in the answer.
 */
async function functionsOfAVerdict(plugins) {
  // Two folders below the root, because the program finds WebAssembly from there.
  const folder = mkdtempSync(`${root}dist.verdict-`)
  try {
    await buildVerdict(`${folder}/cli`, plugins)
    const path = `${folder}/cli/one-verdict.js`
    const code = loadedWhenUsed(readFileSync(path, 'utf8'))
    writeFileSync(path, code)
    writeFileSync(`${folder}/cli/package.json`, commonJs)
    const args = [
      '-e',
      `require(${JSON.stringify(path)}).runProgram()`,
      'antara-tx',
      'verify',
      example,
    ]
    const coverage = `${folder}/coverage`
    const env = { ANTARA_TX_ENGINE: 'wasm', NODE_V8_COVERAGE: coverage }
    const { error, stdout, stderr } = spawnSync(process.execPath, args, { env })
    if (!String(stdout).startsWith('AGREES')) throw error ?? new Error(`no verdict: ${stderr}`)
    const [file] = readdirSync(coverage)
    const { result } = JSON.parse(readFileSync(`${coverage}/${file}`, 'utf8'))
    const { functions } = result.find(({ url }) => url.endsWith('/one-verdict.js'))
    const called = functions.map(({ ranges: [whole] }) => whole).filter(({ count }) => count > 0)
    const places = called.map(({ startOffset, endOffset }) => `${startOffset}-${endOffset}`)
    const keys = calledFunctions(code, new Set(places))
    // The bundle has no such function yet when the plugin reads it.
    keys.delete(`require_${rarely} 0`)
    if (keys.size === 0) throw new Error('no function stands where V8 counted a call')
    return keys
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const leaving = (places) => ({
  name: 'leaving',
  resolveId: (id) => (id in places ? { id: places[id], external: true } : null),
})

const finding = (places) => ({ name: 'finding', resolveId: (id) => places[id] ?? null })

async function build(folder, name, plugins, groups) {
  const bundle = await rolldown({
    cwd: root,
    input: { [name]: `${root}src/cli/${name}.ts` },
    external: (id) => id.startsWith('node:'),
    plugins,
    tsconfig: false,
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    resolve: { mainFields: ['module', 'main'] },
  })
  await bundle.write({
    dir: folder,
    format: 'cjs',
    sourcemap: 'inline',
    sourcemapExcludeSources: true,
    comments: { legal: true, annotation: true, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    ...(groups && { codeSplitting: { includeDependenciesRecursively: false, groups } }),
  })
  await bundle.close()
}

/** Characters of a line, so that a stack trace shows a short one. */
const columns = 120

/**
 * Makes a file smaller, because Node reads all of it at each start. Functions, classes and members
 * keep their names, for stack traces: without a format, esbuild shortens only the names inside
 * functions. All changes before that keep lines, so the source map still fits. The sources are
 * modules, which are strict: without the banner, a write to a frozen object would do nothing.
 */
async function finishCode(path, change) {
  const changed = change(readFileSync(path, 'utf8'))
  const { code, map } = await transform(quickSpreads(changed), {
    ...{ minifyWhitespace: true, minifySyntax: true, minifyIdentifiers: true },
    ...{ lineLimit: columns, platform: 'node', banner: '"use strict";' },
    ...{ target: 'node20', sourcemap: 'external', sourcesContent: false, legalComments: 'inline' },
  })
  const name = path.slice(path.lastIndexOf('/') + 1)
  writeFileSync(path, `${code}//# sourceMappingURL=${name}.map\n`)
  writeFileSync(`${path}.map`, map)
}

/** With `require`, Node does not start its loader of ECMAScript modules. */
const startedByRequire = (text) =>
  replaced(text, 'import("./one-verdict.js")', () => 'require("./one-verdict.js")')

/** Turns the import of the other chunk into a call, `(require_rarely()).name`, where a name is used. */
function loadedWhenUsed(text) {
  const loading = `require("./${rarely}.js")`
  const called = replaced(text, `require_${rarely}.`, () => `(require_${rarely}()).`)
  return replaced(
    called,
    `const require_${rarely} = ${loading};`,
    () => `let ${rarely}; const require_${rarely} = () => (${rarely} ??= ${loading});`,
  )
}

/** Makes the value of `import.meta.url` once, where rolldown makes it at each use. */
function withUrlMadeOnce(text) {
  const url = 'require("url").pathToFileURL(__filename).href'
  return `const fileUrl = ${url};${replaced(text, url, () => 'fileUrl')}`
}

/** `main.js` takes these from the program. All other exports are for the other chunk. */
const ownExports = ['faultText', 'runProgram']

/**
 * Lets the other chunk make the object of the names that it takes, because most runs need none of them.
 * A variable that may change is a getter of `exports`, and stays one.
 */
function sharedWhenUsed(text) {
  const names = []
  const kept = replaced(text, /^exports\.([\w$]+) = \1;$/gm, (line, name) => {
    if (ownExports.includes(name)) return line
    names.push(name)
    return ''
  })
  if (names.length === 0) throw new Error('the program has no names for the other chunk')
  // It stands on the last line, so the source map still fits the others.
  return replaced(
    kept,
    /\n(?=\/\/# sourceMappingURL)/g,
    () => ` exports.shared = () => ({ __proto__: exports, ${names} });\n`,
  )
}

const withSharedNames = (text) =>
  replaced(text, 'require("./one-verdict.js");', () => 'require("./one-verdict.js").shared();')
