import { hash160 } from '../engine/calls.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { encodeAddress } from '../script/base58.ts'
import { decodeScript, scriptOfAddress } from '../script/script.ts'
import {
  type Command,
  chosenNetwork,
  exitAgrees,
  jsonOption,
  jsonText,
  networkOption,
  onePositional,
} from './command.ts'
import { readSource } from './read.ts'
import { tokenAddressesOf } from './token-addresses.ts'

export const address: Command = {
  usage: ['[PUBKEY | SCRIPT | ADDRESS | -]'],
  about: `Shows the script of an address, the addresses of a script, or the address and the token address of a
compressed public key.`,
  options: [jsonOption, networkOption],
  async run(parsed, terminal) {
    const network = chosenNetwork(parsed)
    const given = onePositional(parsed)
    const text =
      given === undefined || given === '-' ? await readSource(given, terminal) : given.trim()
    const described = describe(text)
    if (parsed.flags.has('json')) {
      terminal.print(jsonText(described))
    } else {
      const lines = Object.entries(described).map(([name, value]) => `${name}: ${value}\n`)
      terminal.print(lines.join(''))
    }
    return exitAgrees

    function describe(source: string): Record<string, unknown> {
      if (isCompressedKey(source.toLowerCase())) {
        const pubkey = source.toLowerCase()
        return {
          pubkey,
          address: encodeAddress(network.pubKeyHashPrefix, hash160(pubkey)),
          ...(network.conditions !== 'none' && tokenAddressesOf(pubkey, network)),
        }
      }
      if (/^[0-9a-f]*$/i.test(source)) {
        const { type, addresses = [], asm } = decodeScript(source, network)
        return { type, addresses, asm }
      }
      return { address: source, script: scriptOfAddress(source, network) }
    }
  },
}
