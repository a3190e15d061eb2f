// The consent of a person, before something that cannot be taken back.

import { canAsk, type ParsedArguments, type Terminal, UsageError } from './command.ts'

/**
 * @param remedy - the options that a command without a terminal can have
 * @throws {UsageError} where a person would have to confirm and nobody can
 */
export function requireConsent(
  { flags }: ParsedArguments,
  terminal: Terminal,
  remedy = '--yes or --dry-run',
): void {
  if (flags.has('yes') || flags.has('dry-run') || canAsk(terminal)) return
  throw new UsageError(`no terminal for your consent: give ${remedy}`)
}

/** Asks a person to type a word, and returns whether it was typed. */
export async function isTyped(
  word: string,
  question: string,
  { ask }: Pick<Terminal, 'ask'>,
): Promise<boolean> {
  const answer = await ask?.(`${question} Type ${word}: `, false)
  return answer?.trim() === word
}
