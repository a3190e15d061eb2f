// Reads and writes the subnets of IPv4 that a daemon bans.

/** An address and its mask, each four bytes as a number. */
interface Subnet {
  readonly network: number
  readonly mask: number
}

const whole = 0xffffffff

/**
 * Reads `a.b.c.d`, or the same with `/bits` or `/mask`.
 *
 * @see komodo src/netbase.cpp, CSubNet
 */
export function subnetOf(text: string): Subnet | undefined {
  const [address, range, ...more] = text.split('/')
  const network = addressOf(address!)
  const mask = range === undefined ? whole : maskOf(range)
  if (network === undefined || mask === undefined || more.length > 0) return undefined
  return { network: (network & mask) >>> 0, mask }
}

function addressOf(text: string): number | undefined {
  const bytes = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number)
  if (bytes === undefined || bytes.some((byte) => byte > 255)) return undefined
  return bytes.reduce((address, byte) => address * 256 + byte, 0)
}

function maskOf(text: string): number | undefined {
  if (!/^\d{1,2}$/.test(text)) return addressOf(text)
  const bits = Number(text)
  if (bits > 32) return undefined
  return bits === 0 ? 0 : (whole << (32 - bits)) >>> 0
}

export function matches({ network, mask }: Subnet, address: number): boolean {
  return (address & mask) >>> 0 === network
}

/** Reads `a.b.c.d` or `a.b.c.d:port`; undefined for a name. */
export function serviceText(text: string, defaultPort: number): string | undefined {
  const [address, port = String(defaultPort), ...more] = text.split(':')
  if (addressOf(address!) === undefined || !/^\d{1,5}$/.test(port) || more.length > 0)
    return undefined
  return `${address}:${port}`
}

/** Returns a key that sorts subnets as the daemon does. */
export function keyOfSubnet({ network, mask }: Subnet): string {
  return [network, mask].map((it) => it.toString(16).padStart(8, '0')).join('')
}

export function subnetOfKey(key: string): Subnet {
  return {
    network: Number.parseInt(key.slice(0, 8), 16),
    mask: Number.parseInt(key.slice(8), 16),
  }
}

/** @see komodo src/netbase.cpp, CSubNet::ToString */
export function subnetText({ network, mask }: Subnet): string {
  return `${dotted(network)}/${dotted(mask)}`
}

function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.')
}
