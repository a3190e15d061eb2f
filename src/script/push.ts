/**
 * The shortest push of data, as daemons write it.
 *
 * @param data - hex, 2 to 65535 bytes: for a single byte the shortest push may be an opcode
 * @see komodo src/script/script.h, CScript::operator<<
 */
export function pushOf(data: string): string {
  const bytes = data.length / 2
  if (bytes < 0x4c) return `${hexByte(bytes)}${data}`
  if (bytes <= 0xff) return `4c${hexByte(bytes)}${data}`
  return `4d${hexByte(bytes & 0xff)}${hexByte(bytes >> 8)}${data}`
}

function hexByte(value: number): string {
  return value.toString(16).padStart(2, '0')
}
