import { requireOrigin } from '../server/addresses.ts'
import { UsageError } from './command.ts'

/** Messages for the system's errors about an unavailable address or port. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: '--port: something listens there already; --port 0 takes any free one',
  EACCES: '--port: this user may not listen there',
  EADDRNOTAVAIL: '--host: this machine has no such address',
  ENOTFOUND: '--host: nothing has that name',
  ERR_SOCKET_BAD_PORT: '--port: there are no more ports after it for the other identities',
}

/** Returns the origins that --allow-origin names. */
export function originsOf(options: ReadonlyMap<string, string>): readonly string[] {
  const given = options.get('allow-origin')
  try {
    return given?.split(',').map(requireOrigin) ?? []
  } catch (error) {
    throw new UsageError((error as Error).message.replace('allowedOrigins', '--allow-origin'))
  }
}

/** Starts a server. Reports a failure to listen as a wrong option. */
export async function listening<Server>(start: () => Promise<Server>): Promise<Server> {
  try {
    return await start()
  } catch (error) {
    const { code = '', message } = error as Error & { code?: unknown }
    const reason =
      typeof code === 'string' && Object.hasOwn(reasons, code) ? reasons[code] : undefined
    if (reason === undefined) throw error
    throw new UsageError(`${reason} (${message})`)
  }
}
