import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Network } from '../chain/network.ts'
import { realDisk } from '../journal/disk.ts'
import { didYouMean } from '../primitives/closest.ts'
import { hexFromBytes } from '../primitives/hex.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { mayHoldPrivateKey, redactKey } from '../primitives/redact-key.ts'
import { isPrivateKey } from '../primitives/secp256k1.ts'
import { addressOf, publicKeyOf } from '../signing/key.ts'
import { encodeWif, readPrivateKeyForm } from '../signing/wif.ts'
import {
  type Command,
  exitAgrees,
  jsonOption,
  jsonText,
  type ParsedArguments,
  type Terminal,
  UsageError,
} from './command.ts'
import { chosenNetwork, networkOption } from './network.ts'
import { type GivenKey, givenKey, keyFileOption, namingKey } from './private-key.ts'
import { tokenAddressesOf } from './token-addresses.ts'

const actions: readonly string[] = ['show', 'wif', 'hex', 'new']

export const key: Command = {
  usage: ['[show | wif | hex] [--key-file FILE]', 'new [--out FILE]'],
  about: `  show   prints the public key of a private key, its address and its token address, and nothing of
         the private key
  wif    prints the private key in wallet import format
  hex    prints the private key in hex
  new    makes a new private key; with --out it goes to a new file that only you can read, and the
         output has nothing secret

The private key, in either form, comes from a file, the environment, standard input or a prompt. It
never comes from the command line, which other users can read and the shell keeps.`,
  options: [
    keyFileOption,
    { name: 'out', value: 'FILE', about: 'with new: the file for the private key' },
    jsonOption,
    networkOption,
  ],
  actions,
  async run(parsed, terminal) {
    const [action = 'show', ...more] = parsed.positionals
    if (more.length > 0 || !actions.includes(action)) throw unexpected(parsed.positionals)
    const network = chosenNetwork(parsed)
    const parts =
      action === 'new'
        ? await made(parsed, network)
        : await shown(action, await read(parsed, terminal), network)
    const lines = Object.entries(parts).map(([name, value]) => `${name.padEnd(12)}  ${value}\n`)
    const isSingle = action === 'wif' || action === 'hex'
    if (parsed.flags.has('json')) terminal.print(jsonText(parts))
    else terminal.print(isSingle ? `${Object.values(parts)[0]}\n` : lines.join(''))
    return exitAgrees
  },
}

function unexpected(given: readonly string[]): UsageError {
  if (given.some(mayHoldPrivateKey)) {
    return new UsageError(
      'a private key is never an argument: others can read it, and your shell has kept it; use --key-file',
    )
  }
  return new UsageError(
    `expected ${actions.join(', ')} alone, got ${given.map(redactKey).join(' ')}${didYouMean(given[0] ?? '', actions)}`,
  )
}

/** Reads the key from where `sign` does, or from a pipe. */
async function read({ options }: ParsedArguments, terminal: Terminal): Promise<GivenKey> {
  if (options.has('out')) throw new UsageError('--out is only for new')
  const file = options.get('key-file')
  const isPiped = file === undefined && !terminal.isInteractive && !process.env.ANTARA_TX_KEY
  if (!isPiped) return givenKey(file, terminal)
  return { text: (await terminal.readStdin()).trim(), source: 'standard input' }
}

type Parts = Readonly<Record<string, string>>

function shown(action: string, given: GivenKey, network: Network): Parts {
  return namingKey(given.source, () => {
    const { secretKey, isCompressed } = readPrivateKeyForm(given.text, network, given.source)
    const hex = hexFromBytes(secretKey)
    if (action === 'hex') return { privateKey: hex }
    const wif = encodeWif(hex, network, { isCompressed })
    return action === 'wif' ? { wif } : publicPartsOf(wif, network)
  })
}

function publicPartsOf(wif: string, network: Network): Parts {
  const publicKey = publicKeyOf(wif, network)
  // Only keys of 33 bytes can hold tokens, and only on chains with conditions.
  const mayHoldTokens = isCompressedKey(publicKey) && network.conditions !== 'none'
  return {
    publicKey,
    address: addressOf(publicKey, network),
    ...(mayHoldTokens && { tokenAddress: tokenAddressesOf(publicKey, network).tokenAddress }),
  }
}

async function made({ options }: ParsedArguments, network: Network): Promise<Parts> {
  if (options.has('key-file'))
    throw new UsageError('--key-file cannot be combined with new: use --out')
  const wif = encodeWif(hexFromBytes(randomKey()), network)
  const publicParts = publicPartsOf(wif, network)
  const out = options.get('out')
  if (out === undefined) return { wif, ...publicParts }
  await writeDurably(out, `${wif}\n`).catch(({ code }) => {
    const name = redactKey(out)
    throw new UsageError(
      code === 'EEXIST' ? `--out: ${name} exists already` : `--out: cannot write ${name}: ${code}`,
    )
  })
  return publicParts
}

/**
 * Writes a new file and syncs it with its folder. The address is printed next, and coins that are
 * paid to it would be lost with a file that a power failure takes.
 */
async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await realDisk.syncDirectory(dirname(path))
}

function randomKey(): Uint8Array {
  for (;;) {
    const bytes = randomBytes(32)
    if (isPrivateKey(bytes)) return bytes
  }
}
