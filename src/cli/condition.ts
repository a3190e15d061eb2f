import { didYouMean } from '../primitives/closest.ts'
import { redactKey } from '../primitives/redact-key.ts'
import {
  type Command,
  exitAgrees,
  jsonText,
  type ParsedArguments,
  type Terminal,
  UsageError,
} from './command.ts'
import {
  type ConditionAction,
  conditionActions,
  conditionAnswer,
  conditionUriOf,
} from './condition-answer.ts'
import { linesNotes, linesOptions, linesUsage, requireNoLines } from './lines/options.ts'
import { readSource } from './read.ts'

export const condition: Command = {
  usage: [
    'decode [HEX | URI | FILE | -]',
    'encode [FILE | -]',
    'uri [HEX | FILE | -]',
    `decode | encode | uri ${linesUsage}`,
  ],
  about: `  decode   shows a condition, a fulfillment or the URI of a condition
  encode   prints the condition of a tree in JSON, and its fulfillment if it is complete. The tree
           has the form of this library ({ "type": "threshold-sha-256", "threshold": 2,
           "subconditions": [ … ] }) or of the daemon's C library ("subfulfillments", base64). A
           single preimage, eval, RSA or Ed25519 key has no such member: its bytes are read as hex
  uri      prints the URI of a condition, a fulfillment or a tree`,
  options: [
    { name: 'json', about: 'print JSON, for programs; decode and encode always do' },
    ...linesOptions,
  ],
  notes: linesNotes,
  actions: conditionActions,
  async run(parsed, terminal) {
    const action = actionOf(parsed)
    if (parsed.flags.has('lines')) {
      const { runLines } = await import('./lines/run.ts')
      return runLines({ command: 'condition', action }, inputOf(parsed), parsed, terminal)
    }
    requireNoLines(parsed)
    const text = await readArgument(parsed, terminal)
    const isText = action === 'uri' && !parsed.flags.has('json')
    terminal.print(isText ? `${conditionUriOf(text)}\n` : jsonText(conditionAnswer(action, text)))
    return exitAgrees
  },
}

function actionOf({ positionals: [action] }: ParsedArguments): ConditionAction {
  const known = conditionActions.find((name) => name === action)
  if (known !== undefined) return known
  const got =
    action === undefined ? 'nothing' : redactKey(action) + didYouMean(action, conditionActions)
  throw new UsageError(`expected decode, encode or uri, got ${got}`)
}

function inputOf({ positionals }: ParsedArguments): string | undefined {
  if (positionals.length > 2) {
    throw new UsageError(`expected one argument, got ${positionals.length - 1}`)
  }
  return positionals[1]
}

async function readArgument(parsed: ParsedArguments, terminal: Terminal): Promise<string> {
  const given = inputOf(parsed)
  return given?.startsWith('ni:') === true ? given : readSource(given, terminal)
}
