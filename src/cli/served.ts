import type { ParsedArguments, Terminal } from './command.ts'

/**
 * Prints the first line of a server, and resolves at the first interrupt or termination signal.
 *
 * @param facts - the line for programs, which --json selects
 */
export async function served(
  { flags }: ParsedArguments,
  { print }: Pick<Terminal, 'print'>,
  { facts, text }: { readonly facts: object; readonly text: string },
  ended: () => Promise<unknown> = untilEnded,
): Promise<void> {
  // Set up before the first line, because its reader may interrupt at once.
  const interrupted = ended()
  print(flags.has('json') ? `${JSON.stringify(facts)}\n` : text)
  await interrupted
}

/**
 * Resolves at the first interrupt or termination signal; the second one ends the process at once.
 */
function untilEnded(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      for (const signal of signals) process.removeListener(signal, end)
      resolve()
    }
    for (const signal of signals) process.on(signal, end)
  })
}

const signals = ['SIGINT', 'SIGTERM'] as const
