// Recognizes indented JSON, such as a case file, in an input that should have one text on each line.

const opened = /^\s*\{\s*\r?\n/
/** Bytes that are read for it: a line that is longer does more than open an object. */
const firstBytes = 64

/** Returns true if the first line of an input only opens an object. */
export function isIndented(input: Uint8Array): boolean {
  return opened.test(new TextDecoder().decode(input.subarray(0, firstBytes)))
}

export const indentedHint: string =
  'The input is one JSON text over several lines, like a case file. --lines expects one text on each\n' +
  'line. Give antara-tx verify such a file without --lines, or make one line of it: jq -c . FILE\n'
