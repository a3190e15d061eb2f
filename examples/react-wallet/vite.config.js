import { fileURLToPath } from 'node:url'

// The page asks its own server for /rpc, which passes the call on to the daemon with its password:
// no browser learns that password.

const { DAEMON_URL = 'http://127.0.0.1:7771', DAEMON_LOGIN = 'user:password' } = process.env

/** This checkout. In a project of your own, install antara-tx and leave this out. */
const entry = (name) => fileURLToPath(new URL(`../../dist/${name}/index.js`, import.meta.url))

export default {
  resolve: { alias: { 'antara-tx/rpc': entry('rpc'), 'antara-tx/wallet': entry('wallet') } },
  server: {
    proxy: {
      '/rpc': {
        target: DAEMON_URL,
        rewrite: () => '/',
        changeOrigin: true,
        headers: { authorization: `Basic ${Buffer.from(DAEMON_LOGIN).toString('base64')}` },
        configure: (proxy) => proxy.on('proxyReq', (request) => request.removeHeader('origin')),
      },
    },
  },
  // The engine of antara-tx is one text of 150 kB.
  build: { chunkSizeWarningLimit: 1000 },
}
