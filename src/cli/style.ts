import { printable } from '../primitives/printable.ts'
import type { Terminal } from './command.ts'

export interface Style {
  readonly bold: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly dim: (text: string) => string
}

/** Colors where the terminal has them, plain text elsewhere. */
export function styleFor(
  { hasColor, hasErrorColor = false }: Terminal,
  stream: 'output' | 'errors' = 'output',
): Style {
  const isColored = stream === 'output' ? hasColor : hasErrorColor
  const wrap = (code: number) => (text: string) =>
    isColored ? `\u001b[${code}m${text}\u001b[0m` : text
  return { bold: wrap(1), red: wrap(31), green: wrap(32), yellow: wrap(33), dim: wrap(2) }
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
