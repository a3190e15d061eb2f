import { readFileSync } from 'node:fs'

import { createDevFramework } from '../node/framework/dev-framework.ts'
import { type FrameworkPresetName, frameworkPresets } from '../node/framework/presets.ts'
import { printable } from '../primitives/printable.ts'
import { exitAgrees, type ParsedArguments, type Terminal, UsageError } from './command.ts'
import { untilEnded } from './until-ended.ts'

/** Serves the framework's interface as a script tells; a preset's name stands for its own script. */
export async function serveFramework(
  script: string,
  { options, flags }: ParsedArguments,
  terminal: Terminal,
): Promise<number> {
  const host = options.get('host')
  const server = await createDevFramework({
    ...scripted(script),
    port: Number(options.get('port') ?? 0),
    exposeToNetwork: flags.has('expose'),
    ...(host !== undefined && { host }),
    onCall: (call) => terminal.printError(`${printable(JSON.stringify(call))}\n`),
  })
  const { url, userpass } = server
  terminal.print(
    flags.has('json')
      ? `${JSON.stringify({ url, userpass })}\n`
      : `A development framework, as scripted.\n\nurl       ${url}\nuserpass  ${userpass}\n\n`,
  )
  await untilEnded()
  await server.close()
  return exitAgrees
}

function scripted(name: string): object {
  if (Object.hasOwn(frameworkPresets, name)) return { preset: name as FrameworkPresetName }
  try {
    const { preset, coins, script = {} } = JSON.parse(readFileSync(name, 'utf8'))
    return { script, ...(preset && { preset }), ...(coins && { coins }) }
  } catch (error) {
    throw new UsageError(`--framework: ${(error as Error).message}`)
  }
}
