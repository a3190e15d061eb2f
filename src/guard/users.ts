// The guard's own users. scrypt is slow on purpose, so cheap checks come first, and passwords are
// compared one after another.

import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { Users } from './decision.ts'

interface PasswordHash {
  /** Logarithm of the cost, to base 2. */
  readonly ln: number
  readonly r: number
  readonly p: number
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

/** 32 MiB of memory and about 100 ms. RFC 7914 describes the parameters. */
const cost = { ln: 15, r: 8, p: 1 }
const hashBytes = 32
const saltBytes = 16
const stored = /^\$scrypt\$ln=(1[4-7]),r=8,p=([1-4])\$([A-Za-z0-9+/]{22,43})\$([A-Za-z0-9+/]{43})$/

/** The longest name and password that are read: what an attacker sends must stay cheap. */
const textCharactersMax = 256
/** Names whose passwords may wait. Those of further ones are refused at once. */
const waitingMax = 8
/** Passwords of one user that may wait. Further ones are refused at once. */
const waitingOfUserMax = 8
/** Pause after a wrong password. The daemon pauses as long: komodo src/httprpc.cpp, HTTPReq_JSONRPC */
const pauseMs = 250

/** Returns whether a text is a stored form of a password. */
export function isPasswordHash(text: string): boolean {
  return stored.test(text)
}

/**
 * Returns the form in which a policy file stores a password: the text form that scrypt has in the
 * PHC string format.
 *
 * @throws {TypeError} for a password that is empty or too long
 */
export async function hashPassword(password: string): Promise<string> {
  if (password === '' || password.length > textCharactersMax) {
    throw new TypeError(`password: expected 1 to ${textCharactersMax} characters`)
  }
  const salt = randomBytes(saltBytes)
  const hash = await derived(password, { ...cost, salt, hash: new Uint8Array(hashBytes) })
  const { ln, r, p } = cost
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(hash)}`
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}

function readHash(text: string): PasswordHash {
  const [, ln, p, salt, hash] = stored.exec(text)!
  return {
    ln: Number(ln),
    r: 8,
    p: Number(p),
    salt: Buffer.from(salt!, 'base64'),
    hash: Buffer.from(hash!, 'base64'),
  }
}

export function derived(password: string, { ln, r, p, salt, hash }: PasswordHash): Promise<Buffer> {
  const N = 2 ** ln
  const options = { N, r, p, maxmem: 256 * N * r }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, hash.length, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

/** Derives a key from a password. Tests replace it to count what it costs. */
type Derive = (password: string, hash: PasswordHash) => Promise<Uint8Array>

/**
 * Users with the stored forms of their passwords.
 *
 * A password that was right before is recognised by its HMAC, so that a client pays for scrypt
 * once. All other checks run one after another, and each wrong one is followed by a pause. Equal
 * passwords that come at once share a check, and names take turns.
 *
 * @param passwordOf - returns the stored form now, because a policy can be reloaded
 */
export function passwordUsers(
  passwordOf: (user: string) => string | undefined,
  {
    derive = derived,
    pause = waitMs,
  }: { derive?: Derive; pause?: (ms: number) => Promise<void> } = {},
): Users {
  const key = randomBytes(32)
  /** The HMAC of the right password and its stored form, by user. */
  const known = new Map<string, Uint8Array>()
  /**
   * A user that does not exist costs as much as one that does. One call does not show whether a name
   * exists; two at once do.
   */
  const nobody = `$scrypt$ln=15,r=8,p=1$${base64(randomBytes(saltBytes))}$${base64(randomBytes(hashBytes))}`
  /**
   * The checks that run or wait, by HMAC, of each user and of all unknown names together: a flood of
   * one does not fill the queue of the others.
   */
  const checks = new Map<string, Map<string, Promise<string | undefined>>>()
  let last: Promise<unknown> = Promise.resolve()

  const macOf = (text: string, password: string): Uint8Array =>
    createHmac('sha256', key).update(`${text}\0`).update(password).digest()

  const check = async (user: string, password: string) => {
    const text = passwordOf(user)
    const hash = readHash(text ?? nobody)
    const key = await derive(password, hash)
    // A reload may have removed the user meanwhile, or changed the password.
    const isStored = text !== undefined && passwordOf(user) === text
    if (!timingSafeEqual(key, hash.hash) || !isStored) {
      await pause(pauseMs)
      return undefined
    }
    known.set(user, macOf(text, password))
    return user
  }
  const inTurn = (user: string, password: string) => {
    const turn = last.then(() => check(user, password))
    last = turn.catch(() => undefined)
    return turn
  }

  return {
    async authenticate(user, password) {
      if (user.length > textCharactersMax || password.length > textCharactersMax) return undefined
      if (user === '' || password === '') return undefined
      const text = passwordOf(user)
      const mac = known.get(user)
      if (text !== undefined && mac !== undefined && timingSafeEqual(mac, macOf(text, password))) {
        return user
      }
      const isUser = text !== undefined
      const place = isUser ? user : ''
      const waiting = checks.get(place) ?? new Map<string, Promise<string | undefined>>()
      const name = Buffer.from(macOf(text ?? nobody, password)).toString('hex')
      const same = waiting.get(name)
      if (same !== undefined && isUser) return same
      if (waiting.size >= (isUser ? waitingOfUserMax : 1)) return undefined
      if (waiting.size === 0 && checks.size >= waitingMax) return undefined
      const before = [...waiting.values()].at(-1)?.catch(() => undefined)
      const turn = (before ?? Promise.resolve()).then(() => inTurn(user, password))
      waiting.set(name, turn)
      checks.set(place, waiting)
      try {
        return await turn
      } finally {
        waiting.delete(name)
        if (waiting.size === 0) checks.delete(place)
      }
    },
  }
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
