// The actions of `antara-tx guard` on files of the operator. They start no guard.

import { createReadStream, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AntaraError } from '../errors/antara-error.ts'
import { readPolicy } from '../guard/policy/read-policy.ts'
import type { PolicyRules } from '../guard/policy/rules.ts'
import { anchorPath, readAnchor } from '../guard/record/anchor.ts'
import type { Head } from '../guard/record/line.ts'
import { verifyRecord } from '../guard/record/verify-record.ts'
import { hashPassword } from '../guard/users.ts'
import { canAsk, exitAgrees, exitFindings, type Terminal, UsageError } from './command.ts'
import { readTextFile, unreadable } from './read.ts'

/** Reads a policy file with its byte order mark, which the policy refuses. */
export async function readPolicyText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new AntaraError('malformed_policy', { path: 'policy', expected: 'UTF-8' })
  }
}

/** Checks a policy file. @throws {AntaraError} `malformed_policy` */
export async function checkPolicy(path: string, terminal: Terminal): Promise<number> {
  const rules = readPolicy(await readPolicyText(path))
  terminal.print(`${summaryOf(rules)}\n`)
  return exitAgrees
}

function summaryOf({ recipients, coins, tokens, users, confirm }: PolicyRules): string {
  const allowed = recipients?.allow
  const parts = [
    allowed === undefined ? 'any recipient' : `${allowed.size} recipients`,
    ...(recipients === undefined ? [] : [`${recipients.deny.size} denied`]),
    coins === undefined ? 'coins without limits' : 'limits of coins',
    tokens === undefined ? 'any token' : `${tokens.size} tokens`,
    users === undefined ? 'no users of its own' : `${users.size} users`,
    confirm === undefined ? 'no confirmation' : 'a confirmation',
  ]
  return `The policy is valid: ${parts.join(', ')}.`
}

/**
 * Verifies the chain of a record through its files.
 *
 * @param anchor - `COUNT:HASH` that was noted elsewhere; by default that of the file beside it
 */
export async function verifyLog(
  path: string,
  anchor: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const names = [...olderFiles(path), path]
  const files = names.map((name) => ({ name, bytes: bytesOf(name) }))
  const expected = anchor === undefined ? await anchorBeside(path) : readAnchor(anchor)
  if (anchor !== undefined && expected === undefined) {
    throw new UsageError('--anchor: expected COUNT:HASH, as --verify-log prints it')
  }
  const report = await verifyRecord(files, expected)
  const { fault, head, first, torn } = report
  if (fault !== undefined) {
    terminal.print(`${fault.name}, line ${fault.line}: ${fault.fault}\n`)
    return exitFindings
  }
  const lines = [
    `Lines ${first} to ${head.count} follow each other.`,
    ...(expected === undefined ? ['No anchor was given, so the end may have been cut.'] : []),
    ...(first > 1 ? [`Earlier lines are in files that are not here.`] : []),
    ...(torn > 0 ? [`A last line of ${torn} bytes is not finished.`] : []),
    `anchor ${head.count}:${head.hash}`,
  ]
  terminal.print(`${lines.join('\n')}\n`)
  return exitAgrees
}

/** Opens a file when it is read: a stream that nobody reads yet would end the program if it fails. */
async function* bytesOf(path: string): AsyncIterable<Uint8Array> {
  try {
    yield* createReadStream(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** Returns the complete files of a record, the oldest first: their names have their line numbers. */
function olderFiles(path: string): string[] {
  const folder = dirname(path)
  const name = basename(path)
  try {
    return readdirSync(folder)
      .filter(
        (entry) =>
          entry.startsWith(`${name}.`) && /^\d{12}-\d{12}$/.test(entry.slice(name.length + 1)),
      )
      .sort()
      .map((entry) => join(folder, entry))
  } catch (error) {
    throw unreadable(folder, error)
  }
}

async function anchorBeside(path: string): Promise<Head | undefined> {
  try {
    return readAnchor(await readTextFile(anchorPath(path)))
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** Reads a password, and prints the form in which a policy stores it. */
export async function printPasswordHash(terminal: Terminal): Promise<number> {
  const given = canAsk(terminal)
    ? await terminal.ask('password: ', true)
    : (await terminal.readStdin()).replace(/\r?\n$/, '')
  if (given === '' || given.length > 256) throw new UsageError('expected 1 to 256 characters')
  terminal.print(`${await hashPassword(given)}\n`)
  return exitAgrees
}
