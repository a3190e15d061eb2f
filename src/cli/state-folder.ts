import { isAbsolute, join } from 'node:path'

/**
 * Returns the folder for what runs of this program keep for later runs; `undefined` where the home
 * directory is unknown.
 *
 * @see XDG Base Directory Specification: a relative path is ignored
 */
export function stateFolder(): string | undefined {
  const { XDG_STATE_HOME: state, HOME: home, LOCALAPPDATA: local } = process.env
  if (state !== undefined && isAbsolute(state)) return join(state, 'antara-tx')
  if (home !== undefined && isAbsolute(home)) return join(home, '.local', 'state', 'antara-tx')
  return process.platform === 'win32' && local ? join(local, 'antara-tx') : undefined
}
