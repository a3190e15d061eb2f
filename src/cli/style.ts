import { printable } from '../primitives/printable.ts'
import { type Style, styleOf } from '../primitives/style.ts'
import type { Terminal } from './command.ts'

/** Colors where the terminal has them, plain text elsewhere. */
export function styleFor(terminal: Terminal, stream: 'output' | 'errors' = 'output'): Style {
  return styleOf(isColored(terminal, stream))
}

export function isColored(
  { hasColor, hasErrorColor = false }: Terminal,
  stream: 'output' | 'errors',
): boolean {
  return stream === 'output' ? hasColor : hasErrorColor
}

/** Any value as safe text on one line. */
export function show(value: unknown): string {
  return printable(typeof value === 'bigint' ? value.toString() : String(value))
}

/**
 * Whether a stream gets colors: FORCE_COLOR and NO_COLOR decide before its kind does, empty they
 * decide nothing.
 *
 * @see https://no-color.org, https://force-color.org
 */
export function wantsColor(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR: force = '', NO_COLOR: refuse = '', TERM: term } = env
  if (force !== '') return force !== '0' && force !== 'false'
  return refuse === '' && isTerminal && term !== 'dumb'
}
