// Once without a word about antara-tx, once with what docs/browsers.md says for the addon.

const root = import.meta.dirname

export default {
  output: 'standalone',
  outputFileTracingRoot: root,
  turbopack: { root },
  ...(process.env.EXTERNAL && { serverExternalPackages: [process.env.EXTERNAL] }),
}
