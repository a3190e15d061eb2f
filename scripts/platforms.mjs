// The platforms that have a binary, by the name that the loader looks for. Each has zig's name, the
// options of its linker, and npm's name.

import { readFileSync } from 'node:fs'

const macos = { os: 'darwin', link: ['-Wl,-undefined,dynamic_lookup'] }
const linux = { os: 'linux' }

export const platforms = {
  'linux-x64': { ...linux, cpu: 'x64', libc: 'glibc', triple: 'x86_64-linux-gnu.2.28' },
  'linux-x64-musl': { ...linux, cpu: 'x64', libc: 'musl', triple: 'x86_64-linux-musl' },
  'linux-arm64': { ...linux, cpu: 'arm64', libc: 'glibc', triple: 'aarch64-linux-gnu.2.28' },
  'linux-arm64-musl': { ...linux, cpu: 'arm64', libc: 'musl', triple: 'aarch64-linux-musl' },
  'darwin-x64': { ...macos, cpu: 'x64', triple: 'x86_64-macos.11.0' },
  'darwin-arm64': { ...macos, cpu: 'arm64', triple: 'aarch64-macos.11.0' },
  'win32-x64': {
    ...{ os: 'win32', cpu: 'x64', triple: 'x86_64-windows-gnu' },
    // Without it the header imports the functions, as from a DLL.
    flags: ['-DSECP256K1_STATIC'],
  },
}

/** The words and functions that a binary must be built for, as the loader compares them. */
export function engineAbi() {
  const source = readFileSync(new URL('../src/engine/native.ts', import.meta.url), 'utf8')
  return `${Number(/^export const engineAbi = (\w+)$/m.exec(source)[1])}`
}

/** The names in `--target NAME,NAME` or `--target all`; ends the program if a name is unknown. */
export function platformsRequested(text) {
  const requested = text === 'all' ? Object.keys(platforms) : (text?.split(',') ?? [])
  const unknown = requested.filter((name) => !(name in platforms))
  if (requested.length > 0 && unknown.length === 0) return requested
  const names = Object.keys(platforms).join(', ')
  console.error(`--target: all, or of ${names}; found ${unknown.join(', ') || 'none'}`)
  process.exit(2)
}
