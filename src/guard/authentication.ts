// Users and secrets of a guard. Functions of the caller return them, so each value is checked before
// it is compared: an empty or a missing secret would let in a client that has none.

import { argumentError, requireObject, requireString } from '../primitives/arguments.ts'
import type { DaemonCredentials } from '../rpc/daemon/protocol.ts'
import type { Users } from './decision.ts'

/** Returns the user of `USER:PASSWORD`; `undefined` if the user or the password is wrong. */
export async function userOf(users: Users, given: string): Promise<string | undefined> {
  const [name = '', ...rest] = given.split(':')
  const user: unknown = await users.authenticate(name, rest.join(':'))
  // Plain JavaScript may return null or false, which would pass as a user.
  if (user !== undefined) requireString(user, 'options.users.authenticate()')
  return user
}

/**
 * Returns a function for the credentials of a daemon, which rejects if the option returns none.
 *
 * @throws {TypeError} for an option that is no function
 */
export function checkedCredentials(
  credentials: () => DaemonCredentials | Promise<DaemonCredentials>,
): () => Promise<DaemonCredentials> {
  const option = 'options.daemon.credentials'
  if (typeof credentials !== 'function') throw argumentError(option, 'a function', credentials)
  const name = `${option}()`
  return async () => {
    const given: unknown = await credentials()
    requireObject(given, name)
    const { user, password } = given as Partial<DaemonCredentials>
    requireString(user, `${name}.user`)
    requireSecret(password, `${name}.password`)
    return { user, password }
  }
}

/**
 * Returns a function for the password of a framework, which rejects if the option returns none.
 *
 * @throws {TypeError} for a password that is empty or no text
 */
export function checkedUserpass(
  userpass: string | (() => string | Promise<string>),
): () => string | Promise<string> {
  const name = 'options.framework.userpass'
  if (typeof userpass !== 'function') {
    requireSecret(userpass, name)
    return () => userpass
  }
  return async () => {
    const given: unknown = await userpass()
    requireSecret(given, `${name}()`)
    return given
  }
}

function requireSecret(value: unknown, name: string): asserts value is string {
  requireString(value, name)
  if (value === '') throw new TypeError(`${name}: expected a password, got an empty string`)
}
