import { requireObject, requireString } from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { checkedUrl } from '../rpc/transport.ts'

/**
 * Checks the options of the server behind a guard, and returns its URL.
 *
 * @param own - the members of this kind of server, besides `url` and `allowedHosts`
 * @param name - of the options, for messages
 * @throws {TypeError}
 */
export function checkedServer(
  server: { readonly url: string; readonly allowedHosts?: readonly string[] | undefined },
  own: readonly string[],
  name: string,
): string {
  requireObject(server, name)
  requireKnownMembers(server, ['url', 'allowedHosts', ...own], name)
  requireString(server.url, `${name}.url`)
  return checkedUrl(server.url, server.allowedHosts ?? [], `${name}.allowedHosts`)
}
