// Any text. The unit `binary` of fast-check has the same, but it first lists all code points, which
// takes each worker more than a second.

import fc from 'fast-check'

/** All but the halves of surrogate pairs. */
const codePoint = fc.oneof(
  fc.integer({ min: 0, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0x10ffff }),
)

/** Also names such as `__proto__`, which fast-check mixes into its strings. */
export function anyText(constraints: { maxLength?: number } = {}): fc.Arbitrary<string> {
  const points = fc.array(codePoint, constraints)
  return fc.oneof(
    { weight: 4, arbitrary: points.map((all) => String.fromCodePoint(...all)) },
    { weight: 1, arbitrary: fc.string(constraints) },
  )
}
