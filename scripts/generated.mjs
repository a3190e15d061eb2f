// Shared by generators: writes their files or, with --check, fails if one is stale.

import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('..', import.meta.url)

/** Each file by its path from the root, and the text that it must have. */
export function writeGenerated(files) {
  const stale = []
  for (const [path, text] of files) {
    const url = new URL(path, root)
    if (process.argv.includes('--check')) {
      if (readFileSync(url, 'utf8') !== text) stale.push(path)
    } else {
      writeFileSync(url, text)
    }
  }
  if (stale.length > 0) {
    console.error(`stale: ${stale.join(', ')}; run npm run generate`)
    process.exit(1)
  }
}

/** A literal as the formatter would write it, so that formatting never makes a file stale. */
export function quoted(text) {
  return text.includes("'") ? `"${text}"` : `'${text}'`
}
