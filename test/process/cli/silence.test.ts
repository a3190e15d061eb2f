// Importing and verifying ask nobody: no name is looked up and no socket is opened.

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

import { compileSources, root, runProgram } from '../../support/built.ts'
import { testUnless } from '../../support/skip.ts'

const { entry, env } = compileSources('silence')

/** Imports everything that needs no server, and verifies a transfer. */
const work = `
  import { readFileSync } from 'node:fs'
  const { parseCase, verifyCase } = await import('${entry}')
  const text = readFileSync('${root}examples/transfer.json', 'utf8')
  console.log(verifyCase(parseCase(text)).ok)`

test('no function of Node that could reach for the network is called', () => {
  const traps = `
    import dgram from 'node:dgram'
    import dns from 'node:dns'
    import net from 'node:net'
    const trap = (object, name) => {
      object[name] = () => { console.error('called: ' + name); process.exit(3) }
    }
    trap(process.report, 'getReport')
    for (const name of Object.keys(dns)) {
      if (/^(lookup|resolve|reverse)/.test(name)) trap(dns, name)
    }
    trap(net.Socket.prototype, 'connect')
    trap(net.Server.prototype, 'listen')
    trap(dgram, 'createSocket')`
  const preload = `data:text/javascript,${encodeURIComponent(traps)}`
  const args = ['--import', preload, '--input-type=module', '-e', work]
  expect(runProgram(process.execPath, args, { env }).stdout).toBe('true\n')
})

// Containers often forbid to trace programs.
const canTrace = spawnSync('strace', ['-f', '-e', 'trace=network', 'true']).status === 0

testUnless(!canTrace && 'strace is not installed or may not trace here')(
  'no system call opens a socket',
  () => {
    const command = ['-f', '-qq', '-e', 'trace=socket,connect,sendto,sendmsg', process.execPath]
    const args = [...command, '--input-type=module', '-e', work]
    const { stdout, stderr } = runProgram('strace', args, { env })
    expect(stdout).toBe('true\n')
    expect(stderr.split('\n').filter((line) => /\b(socket|connect|send\w+)\(/.test(line))).toEqual(
      [],
    )
  },
)
