import { didYouMean } from '../primitives/closest.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { hasSignatureForm, signMessage, verifyMessage } from '../signing/message.ts'
import {
  type Command,
  exitAgrees,
  exitFindings,
  jsonOption,
  jsonText,
  type ParsedArguments,
  type Terminal,
  UsageError,
} from './command.ts'
import { chosenNetwork, networkOption } from './network.ts'
import { givenKey, keyFileOption, namingKey } from './private-key.ts'

const actions: readonly string[] = ['sign', 'verify']

export const message: Command = {
  usage: ['sign [TEXT | -] [--key-file FILE]', 'verify ADDRESS SIGNATURE [TEXT | -]'],
  about: `  sign    signs a text for the address of a key, like a daemon's signmessage
  verify  checks that the key of an address signed a text

TEXT is the exact text. Without it, or as a dash, it comes from standard input, where a byte order
mark and a final line end do not count.`,
  options: [keyFileOption, jsonOption, networkOption],
  notes: 'Exit status of verify 0: the signature is valid; 1: it is not.',
  actions,
  async run(parsed, terminal) {
    const [action = ''] = parsed.positionals
    if (action === 'sign') return sign(parsed, terminal)
    if (action === 'verify') return verify(parsed, terminal)
    const got = action === '' ? 'nothing' : redactKey(action)
    throw new UsageError(
      `expected ${actions.join(' or ')}, got ${got}${didYouMean(action, actions)}`,
    )
  },
}

async function sign(parsed: ParsedArguments, terminal: Terminal): Promise<number> {
  const [, given, ...more] = parsed.positionals
  if (more.length > 0) throw new UsageError('expected one text: put it between quotes')
  const network = chosenNetwork(parsed)
  const text = await textOf(given, terminal)
  const key = await givenKey(parsed.options.get('key-file'), terminal)
  const signature = namingKey(key.source, () => signMessage(text, key.text, network))
  terminal.print(parsed.flags.has('json') ? jsonText({ signature }) : `${signature}\n`)
  return exitAgrees
}

async function verify(parsed: ParsedArguments, terminal: Terminal): Promise<number> {
  const [, address, signature, given, ...more] = parsed.positionals
  if (address === undefined || signature === undefined || more.length > 0) {
    throw new UsageError('expected ADDRESS SIGNATURE and one text, between quotes')
  }
  if (parsed.options.has('key-file')) throw new UsageError('--key-file is only for sign')
  const network = chosenNetwork(parsed)
  const text = await textOf(given, terminal)
  const verified = verifyMessage(text, signature, address, network)
  // A signature is often copied with a blank, or without its last character.
  const why = hasSignatureForm(signature) ? '' : ': a signature has 88 characters of Base64'
  const answer = verified ? 'signed by the key of this address' : `NOT signed by that key${why}`
  terminal.print(parsed.flags.has('json') ? jsonText({ verified }) : `${answer}\n`)
  return verified ? exitAgrees : exitFindings
}

async function textOf(given: string | undefined, terminal: Terminal): Promise<string> {
  if (given !== undefined && given !== '-') return given
  if (given === undefined && terminal.isInteractive) throw new UsageError('the text is missing')
  return (await terminal.readStdin()).replace(/\r?\n$/, '')
}
