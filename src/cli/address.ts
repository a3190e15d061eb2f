import { isCompressedKey, isPublicKey } from '../primitives/hex-forms.ts'
import { decodeScript, scriptOfAddress } from '../script/script.ts'
import { addressOf } from '../signing/key.ts'
import { type Command, exitAgrees, jsonOption, jsonText, onePositional } from './command.ts'
import { chosenNetwork, networkOption } from './network.ts'
import { readSource } from './read.ts'
import { tokenAddressesOf } from './token-addresses.ts'

export const address: Command = {
  usage: ['[PUBKEY | SCRIPT | ADDRESS | -]'],
  about: `Shows the script of an address, the addresses of a script, or the address and the token address of a
public key. A key of 65 bytes holds no tokens.`,
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
      const pubkey = source.toLowerCase()
      if (isPublicKey(pubkey)) {
        // This refuses a key that is no point, because coins at its address would be unspendable.
        const address = addressOf(pubkey, network)
        const mayHoldTokens = isCompressedKey(pubkey) && network.conditions !== 'none'
        return { pubkey, address, ...(mayHoldTokens && tokenAddressesOf(pubkey, network)) }
      }
      if (/^[0-9a-f]*$/i.test(source)) {
        const { type, addresses = [], asm } = decodeScript(source, network)
        return { type, addresses, asm }
      }
      return { address: source, script: scriptOfAddress(source, network) }
    }
  },
}
