// Recognizes JSON that is indented, such as a case file, where a text on each line is expected.

const opened = /^\s*\{\s*\r?\n/
/** Bytes that are read for it: a line that is longer does more than open an object. */
const firstBytes = 64

/** Returns true if the first line of an input only opens an object. */
export function isIndented(input: Uint8Array): boolean {
  return opened.test(new TextDecoder().decode(input.subarray(0, firstBytes)))
}

export const indentedHint: string =
  'The input is one JSON text over several lines, like a case file, and --lines takes a text on each\n' +
  'line. antara-tx verify takes such a file without --lines. To make one line of it: jq -c . FILE\n'
