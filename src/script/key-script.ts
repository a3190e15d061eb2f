import { hash160 } from '../engine/hash160.ts'

/** `push(pubkey) OP_CHECKSIG`: where komodod sends native change. */
export function pubkeyScript(pubkey: string): string {
  return `21${pubkey}ac`
}

/** The script that the address of `pubkey` stands for. */
export function pubkeyHashScript(pubkey: string): string {
  return `76a914${hash160(pubkey)}88ac`
}

/** Pay-to-pubkey or pay-to-pubkey-hash of a key, in every push form that the daemon's templates match. */
export function paysKey(script: string, pubkey: string): boolean {
  if (!/^(?:0[23].{64}|0[467].{128})$/.test(pubkey)) return false
  if (!script.startsWith('76a9')) return pushes(pubkey).some((push) => script === `${push}ac`)
  return pushes(hash160(pubkey)).some((push) => script === `76a9${push}88ac`)
}

function pushes(data: string): string[] {
  const length = (data.length / 2).toString(16)
  return ['', '4c', '4d', '4e'].map((opcode, form) => {
    const width = form === 3 ? 8 : form === 2 ? 4 : 2
    return opcode + length.padEnd(width, '0') + data
  })
}
