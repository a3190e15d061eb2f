// The declarations of a release: one file for each entry of the package, and shared ones for what
// several entries declare, so that a class is the same type everywhere. A checkout keeps a file for
// each file of src/, which docs/reference is made from.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

/**
 * Bundles the declarations of the package in a folder.
 *
 * @param {string} root - the folder, with a slash; its dist/ has a declaration of each file of src/
 * @returns {Promise<Map<string, string>>} each text by its path below the folder
 */
export async function bundledTypes(root) {
  const { exports, imports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const inputs = Object.values(exports).flatMap(({ types }) => (types ? [types] : []))
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      inputs.map((path) => [path.replace(/^\.\/dist\/|\.d\.ts$/g, ''), root + path.slice(2)]),
    ),
    // Types of other packages stay where they are.
    external: (id) => !/^[./#]/.test(id),
    plugins: [platformModules(root, imports), dts({ dtsInput: true, tsconfig: false })],
  })
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].ts',
    chunkFileNames: 'types/[name].d.ts',
    minifyInternalExports: false,
  })
  await bundle.close()
  return new Map(output.map(({ fileName, code }) => [`dist/${fileName}`, withoutOrphans(code)]))
}

/**
 * Writes a map of texts below a folder.
 *
 * @param {string} folder - with a slash
 * @param {Map<string, string>} texts
 */
export function writeTexts(folder, texts) {
  for (const [path, text] of texts) {
    mkdirSync(dirname(folder + path), { recursive: true })
    writeFileSync(folder + path, text)
  }
}

/** The bundler leaves the comment of a declaration that it drops; a comment follows it. */
function withoutOrphans(text) {
  return text.replace(/^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=\/\*\*)/gm, '')
}

/** A module that depends on the platform has the same declarations everywhere. */
function platformModules(root, imports) {
  return {
    name: 'platform-modules',
    resolveId: (id) =>
      id.startsWith('#') ? root + imports[id].node.slice(2).replace(/\.js$/, '.d.ts') : null,
  }
}
