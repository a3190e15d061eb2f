// One build by each bundler, without configuration but for the input, the output and the platform.
// Each returns the file to run, and throws where it warned.

import { readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

export const bundlers = {
  async esbuild({ entry, folder, platform, format }) {
    const outfile = join(folder, format === 'cjs' ? 'out.cjs' : 'out.mjs')
    const { build } = require('esbuild')
    const { warnings } = await build({
      ...{ entryPoints: [entry], bundle: true, outfile, platform, format },
      logLevel: 'silent',
    })
    return { file: outfile, warnings: warnings.map(({ text }) => text) }
  },

  async rollup({ entry, folder }) {
    const { rollup } = require('rollup')
    const { default: resolve } = require('@rollup/plugin-node-resolve')
    const warnings = []
    const onwarn = ({ message }) => warnings.push(message)
    const bundle = await rollup({ input: entry, plugins: [resolve()], onwarn })
    await bundle.write({ file: join(folder, 'out.mjs'), inlineDynamicImports: true })
    return { file: join(folder, 'out.mjs'), warnings }
  },

  async vite({ entry, folder, platform, root }) {
    const { build } = await import('vite')
    const warnings = []
    const customLogger = {
      info() {},
      warn: (text) => warnings.push(text),
      warnOnce: (text) => warnings.push(text),
      error: (text) => warnings.push(text),
      clearScreen() {},
      hasErrorLogged: () => false,
      hasWarned: false,
    }
    const isNode = platform === 'node'
    if (!isNode)
      writeFileSync(join(root, 'index.html'), `<script type="module" src="${entry}"></script>`)
    await build({
      ...{ root, configFile: false, customLogger },
      build: { outDir: folder, emptyOutDir: false, ...(isNode && { ssr: entry }) },
      ...(isNode && { ssr: { noExternal: true } }),
    })
    const made = readdirSync(folder, { recursive: true })
      .filter((name) => /\.m?js$/.test(name))
      .find((name) => isNode || /\bindex-/.test(name))
    // Warnings about a large chunk concern the page, and those about slow plugins this machine.
    return {
      file: join(folder, made),
      warnings: warnings.filter((text) => !/larger than|PLUGIN_TIMINGS/.test(text)),
    }
  },

  webpack: ({ entry, folder, platform, externals }) =>
    new Promise((done, fail) => {
      const webpack = require('webpack')
      const config = {
        ...{
          mode: 'production',
          entry,
          ...(externals && { externals, externalsType: 'commonjs' }),
        },
        ...(platform === 'node' && { target: 'node' }),
        output: { path: folder, filename: 'out.cjs' },
      }
      webpack(config, (error, stats) => {
        if (error) return fail(error)
        const { errors, warnings } = stats.toJson({ errors: true, warnings: true })
        if (errors.length > 0) return fail(new Error(errors[0].message))
        // The size of an entry is the page's business.
        const reported = warnings
          .map(({ message }) => message)
          .filter((text) => !/size|code splitting/.test(text))
        done({ file: join(folder, 'out.cjs'), warnings: reported })
      })
    }),
}
