// Shells complete commands, options and their values by the scripts of the command line.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect } from 'vitest'

import { catalogue } from '../../../src/cli/catalogue.ts'
import { decode } from '../../../src/cli/decode.ts'
import { runCommand } from '../../support/cli.ts'
import { testUnless } from '../../support/skip.ts'

const folder = mkdtempSync(`${tmpdir()}/antara-tx-completion-`)
afterAll(() => rmSync(folder, { recursive: true }))

function hasShell(name: string): boolean {
  return spawnSync(name, ['-c', 'true']).status === 0
}

async function scriptOf(shell: string): Promise<string> {
  const { output } = await runCommand(['completion', shell])
  const path = `${folder}/${shell}`
  writeFileSync(path, output)
  return path
}

describe('completion', () => {
  testUnless(!hasShell('bash') && 'bash is not installed').each([
    [['ver'], ['verify']],
    [['help', 'cond'], ['condition']],
    [['decode', '--le'], ['--legacy']],
    [['decode', '--network', 'as'], ['assetChain']],
    [['condition', 'enc'], ['encode']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['verify', ''], []],
  ])('completion in bash completes %j to %j', async (words, expected) => {
    const script = `source '${await scriptOf('bash')}'
      COMP_WORDS=(antara-tx ${words.map((word) => `'${word}'`).join(' ')})
      COMP_CWORD=${words.length}
      _antara_tx
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout.split('\n').filter((line) => line !== '')).toEqual(expected)
  })

  testUnless(!hasShell('fish') && 'fish is not installed').each([
    ['ver', ['verify']],
    ['decode --le', ['--legacy']],
    ['decode --network as', ['assetChain']],
    ['completion z', ['zsh']],
  ])('completion in fish completes %j to %j', async (line, expected) => {
    const script = `source ${await scriptOf('fish')}; complete -C 'antara-tx ${line}'`
    const { stdout } = spawnSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' })
    const words = stdout.split('\n').map((candidate) => candidate.split('\t')[0])
    expect(words.filter((word) => word !== '')).toEqual(expected)
  })

  // Zsh completes on a terminal only; here it reads the script and runs what it defines.
  testUnless(!hasShell('zsh') && 'zsh is not installed')(
    'completion in zsh loads, and knows every command and option',
    async () => {
      const path = await scriptOf('zsh')
      const script = `autoload -U compinit; compinit -u -d ${folder}/dump; source ${path}
      _arguments() { printf '%s\\n' "$@" }
      _describe() { printf '%s\\n' $commands }
      words=(antara-tx ''); CURRENT=2; _antara_tx
      words=(antara-tx decode ''); CURRENT=3; _antara_tx`
      const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8' })
      expect(stderr).toBe('')
      const lines = stdout.split('\n')
      for (const { name, summary } of catalogue) expect(lines).toContain(`${name}:${summary}`)
      for (const { name } of decode.options) expect(stdout).toContain(`--${name}[`)
      // This text has an apostrophe, which the script must quote.
      const { about } = decode.options.find(({ name }) => name === 'json')!
      expect(about).toContain("daemon's")
      expect(lines).toContain(`--json[${about}]`)
      expect(stdout).toContain(':NAME|FILE:(komodo assetChain tokel')
    },
  )
})
