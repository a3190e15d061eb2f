// A WebAssembly module of which one function traps.
// WebAssembly Core Specification 2.0, 5.4 (instructions) and 5.5 (modules).

const exportSection = 7
const codeSection = 10
/** No locals; unreachable; end. */
const trap = [0x00, 0x00, 0x0b]

/** The same module, which must import nothing, with `unreachable` for the body of an export. */
export function trapping(source: Uint8Array, name: string): Uint8Array {
  const sections = sectionsOf(source)
  const index = functionIndex(sections.find(({ id }) => id === exportSection)!.bytes, name)
  const changed = sections.map(({ id, bytes }) => {
    const content = id === codeSection ? replaceBody(bytes, index) : [...bytes]
    return [id, ...leb128(content.length), ...content]
  })
  return Uint8Array.from([...source.subarray(0, 8), ...changed.flat()])
}

function readerOf(bytes: Uint8Array, from = 0) {
  let at = from
  const take = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const u32 = (): number => {
    const [byte] = take(1)
    return byte! < 0x80 ? byte! : byte! - 0x80 + 128 * u32()
  }
  return { take, u32, isAtEnd: () => at >= bytes.length }
}

function sectionsOf(source: Uint8Array): { id: number; bytes: Uint8Array }[] {
  const reader = readerOf(source, 8)
  const sections = []
  while (!reader.isAtEnd()) sections.push({ id: reader.u32(), bytes: reader.take(reader.u32()) })
  return sections
}

function functionIndex(exports: Uint8Array, name: string): number {
  const reader = readerOf(exports)
  for (let left = reader.u32(); left > 0; left -= 1) {
    const text = new TextDecoder().decode(reader.take(reader.u32()))
    const kind = reader.u32()
    const index = reader.u32()
    if (kind === 0 && text === name) return index
  }
  throw new Error(`no function is exported as ${name}`)
}

function replaceBody(code: Uint8Array, index: number): number[] {
  const reader = readerOf(code)
  const bodies = Array.from({ length: reader.u32() }, () => [...reader.take(reader.u32())])
  bodies[index] = trap
  return [...leb128(bodies.length), ...bodies.flatMap((body) => [...leb128(body.length), ...body])]
}

function leb128(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...leb128(Math.floor(value / 0x80))]
}
