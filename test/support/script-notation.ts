// The notation of Bitcoin's script_valid.json: decimal numbers, 'text', opcodes without their OP_,
// and raw bytes as 0x.. that need not respect the borders of opcodes.

export interface Assembled {
  readonly hex: string
  /** The assembly that a daemon shows for it; absent when raw bytes make more than whole pushes. */
  readonly asm?: string
}

/** The names of opcodes in the order of their numbers, from 0x61 on. */
const namesFromNop =
  'NOP VER IF NOTIF VERIF VERNOTIF ELSE ENDIF VERIFY RETURN TOALTSTACK FROMALTSTACK 2DROP 2DUP 3DUP 2OVER 2ROT 2SWAP IFDUP DEPTH DROP DUP NIP OVER PICK ROLL ROT SWAP TUCK CAT SUBSTR LEFT RIGHT SIZE INVERT AND OR XOR EQUAL EQUALVERIFY RESERVED1 RESERVED2 1ADD 1SUB 2MUL 2DIV NEGATE ABS NOT 0NOTEQUAL ADD SUB MUL DIV MOD LSHIFT RSHIFT BOOLAND BOOLOR NUMEQUAL NUMEQUALVERIFY NUMNOTEQUAL LESSTHAN GREATERTHAN LESSTHANOREQUAL GREATERTHANOREQUAL MIN MAX WITHIN RIPEMD160 SHA1 SHA256 HASH160 HASH256 CODESEPARATOR CHECKSIG CHECKSIGVERIFY CHECKMULTISIG CHECKMULTISIGVERIFY NOP1 NOP2 NOP3 NOP4 NOP5 NOP6 NOP7 NOP8 NOP9 NOP10'.split(
    ' ',
  )

const opcodes = new Map(namesFromNop.map((name, index) => [name, 0x61 + index]))
opcodes.set('RESERVED', 0x50)

export function assemble(notation: string): Assembled {
  const tokens = notation.split(' ').filter((token) => token !== '')
  const bytes: Buffer[] = []
  const shown: string[] = []
  let isWhole = true
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!
    if (token.startsWith('0x')) {
      const { taken, text } = rawToken(tokens.slice(index, index + 3))
      for (const raw of tokens.slice(index, index + taken)) bytes.push(rawBytes(raw))
      if (text === undefined) isWhole = false
      else shown.push(text)
      index += taken - 1
    } else if (/^-?[0-9]+$/.test(token)) {
      bytes.push(pushOfNumber(BigInt(token)))
      const data = numberBytes(BigInt(token))
      shown.push(data.length > 4 ? data.toString('hex') : token)
    } else if (token.startsWith("'")) {
      const text = Buffer.from(token.slice(1, -1))
      bytes.push(push(text))
      shown.push(dataText(text))
    } else {
      const opcode = opcodes.get(token)
      if (opcode === undefined) throw new Error(`no opcode is called ${token}`)
      bytes.push(Buffer.of(opcode))
      shown.push(`OP_${token}`)
    }
  }
  const hex = Buffer.concat(bytes).toString('hex')
  return isWhole ? { hex, asm: shown.join(' ') } : { hex }
}

/** Returns how many words a raw opcode takes with its data, and the assembly of them. */
function rawToken([first = '', second, third]: string[]): { taken: number; text?: string } {
  const opcode = Number(first)
  if (first.length !== 4) return { taken: 1 }
  if (opcode > 0x4e) return { taken: 1, text: opcodeText(opcode) }
  const isPushData = opcode > 0x4b
  const length = rawBytes(isPushData ? second : first)
  const data = rawBytes(isPushData ? third : second)
  const isWhole =
    length.length === (isPushData ? 1 << (opcode - 0x4c) : 1) &&
    length.readUIntLE(0, length.length) === data.length
  if (!isWhole) return { taken: 1 }
  return { taken: (isPushData ? 2 : 1) + (data.length > 0 ? 1 : 0), text: dataText(data) }
}

function opcodeText(opcode: number): string {
  if (opcode === 0x50) return 'OP_RESERVED'
  if (opcode < 0x61) return String(opcode - 0x50)
  if (opcode === 0xcc) return 'OP_CHECKCRYPTOCONDITION'
  if (opcode === 0xcd) return 'OP_CHECKCRYPTOCONDITIONVERIFY'
  if (opcode === 0xff) return 'OP_INVALIDOPCODE'
  return opcode < 0xba ? `OP_${namesFromNop[opcode - 0x61]}` : 'OP_UNKNOWN'
}

function rawBytes(token: string | undefined): Buffer {
  return Buffer.from(token?.startsWith('0x') ? token.slice(2) : '', 'hex')
}

function push(data: Buffer): Buffer {
  const { length } = data
  if (length < 0x4c) return Buffer.concat([Buffer.of(length), data])
  if (length <= 0xff) return Buffer.concat([Buffer.of(0x4c, length), data])
  return Buffer.concat([Buffer.of(0x4d, length & 0xff, length >> 8), data])
}

function pushOfNumber(value: bigint): Buffer {
  if (value === 0n) return Buffer.of(0)
  if (value >= -1n && value <= 16n) return Buffer.of(0x50 + Number(value))
  return push(numberBytes(value))
}

/** Returns sign and magnitude, little-endian, in as few bytes as possible. */
function numberBytes(value: bigint): Buffer {
  const bytes: number[] = []
  for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 8n) {
    bytes.push(Number(rest & 0xffn))
  }
  if (bytes.length > 0 && (bytes.at(-1)! & 0x80) !== 0) bytes.push(0)
  if (value < 0n) bytes[bytes.length - 1]! |= 0x80
  return Buffer.from(bytes)
}

/** Returns hex; for up to four bytes the number that they encode, as daemons show it. */
function dataText(data: Buffer): string {
  if (data.length > 4) return data.toString('hex')
  if (data.length === 0) return '0'
  const magnitude = Buffer.from(data)
  const isNegative = (data.at(-1)! & 0x80) !== 0
  magnitude[magnitude.length - 1]! &= 0x7f
  const value = magnitude.readUIntLE(0, magnitude.length)
  return String(isNegative && value !== 0 ? -value : value)
}
