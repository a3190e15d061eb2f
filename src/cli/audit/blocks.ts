// The blocks that `antara-tx audit` reads: a folder, a file, a pipe or standard input.

import {
  closeSync,
  createReadStream,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { blocksOfFiles, isBlockFile, type Orphans } from '../../audit/block-files.ts'
import { blockBytesMax } from '../../audit/block-records.ts'
import { blocksOfDump, blocksOfLines, type ChainBlock } from '../../audit/sources.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import { type Terminal, UsageError } from '../command.ts'
import { unreadable } from '../read.ts'

export type Blocks = AsyncIterable<ChainBlock> | Iterable<ChainBlock>

/** Returns a reader for the input, by its name or its first character. */
export function sourceOf(path: string, terminal: Terminal): () => Blocks {
  if (path === '-') {
    return () => linesOf(Readable.from(terminal.streams?.stdin() ?? Readable.from([])))
  }
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) requireBlocks(path)
    // The file begins with the chain's magic bytes, which may be any characters.
    const ofFiles = () =>
      blocksOfFiles(path, (orphans) => terminal.printError(orphansText(orphans)))
    if (stats.isFile() && isBlockFile(basename(path))) return ofFiles
    // A pipe can be read only once, so its first character is not examined.
    const first = stats.isDirectory() ? '' : stats.isFile() ? firstCharacter(path) : '0'
    if (first === '{' || first === '[') {
      const text = readFileSync(path, 'utf8')
      return () => blocksOfDump(text)
    }
    if (/^["0-9a-fA-F]$/.test(first)) return () => linesOf(createReadStream(path))
    return ofFiles
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw unreadable(path, error)
    throw error
  }
}

function orphansText({ count, missing }: Orphans): string {
  const blocks = count === 1 ? '1 block is' : `${count} blocks are`
  return `antara-tx audit: ${blocks} left out: the files lack block ${missing}, which is before them\n`
}

function linesOf(input: Readable): Blocks {
  return blocksOfLines(boundedLines(input))
}

/** Length of a block in hex, with quotes and a line end. */
const lineCharactersMax = 2 * blockBytesMax + 4

/** @throws {AntaraError} `input_over_limit` for a line that is longer than any block */
async function* boundedLines(input: Readable): AsyncGenerator<string> {
  let parts: string[] = []
  let length = 0
  let index = 0
  for await (const chunk of input.setEncoding('latin1') as AsyncIterable<string>) {
    const [rest, ...more] = chunk.split('\n') as [string, ...string[]]
    for (const [at, part] of [rest, ...more].entries()) {
      if (at > 0) {
        yield parts.join('')
        parts = []
        length = 0
        index += 1
      }
      parts.push(part)
      length += part.length
      if (length > lineCharactersMax) {
        const expected = `at most ${blockBytesMax} bytes`
        throw new AntaraError('input_over_limit', { path: `blocks[${index}]`, expected })
      }
    }
  }
  if (length > 0) yield parts.join('')
}

function requireBlocks(folder: string): void {
  if (readdirSync(folder).some(isBlockFile)) return
  const name = redactKey(folder)
  throw new UsageError(`no blk*.dat in ${name}: a daemon keeps them in its folder "blocks"`)
}

function firstCharacter(path: string): string {
  const bytes = Buffer.alloc(1)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, bytes, 0, 1, 0)
  } finally {
    closeSync(descriptor)
  }
  return bytes.toString('latin1')
}
