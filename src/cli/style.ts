import { printable } from '../primitives/printable.ts'
import { type Style, styleOf } from '../primitives/style.ts'
import type { Terminal } from './command.ts'

/** Returns colors if the terminal has them, plain text otherwise. */
export function styleFor(terminal: Terminal, stream: 'output' | 'errors' = 'output'): Style {
  return styleOf(isColored(terminal, stream))
}

export function isColored(
  { hasColor, hasErrorColor = false }: Terminal,
  stream: 'output' | 'errors',
): boolean {
  return stream === 'output' ? hasColor : hasErrorColor
}

/** Formats any value as safe text on one line. */
export function show(value: unknown): string {
  return printable(String(value))
}

/**
 * Returns true if a stream gets colors. FORCE_COLOR and NO_COLOR take precedence over the kind of
 * the stream; if empty, they have no effect.
 *
 * @see https://no-color.org, https://force-color.org
 */
export function wantsColor(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR: force = '', NO_COLOR: refuse = '' } = env
  if (force !== '') return force !== '0' && force !== 'false'
  return refuse === '' && isTerminal && !isDumb(env)
}

/** Deno throws for a variable that its permissions hide, but for the two above. */
function isDumb(env: NodeJS.ProcessEnv): boolean {
  try {
    return env.TERM === 'dumb'
  } catch {
    return false
  }
}
