import { describe, expect, test } from 'vitest'
import { hashPassword, isPasswordHash, passwordUsers } from '../../../src/guard/users.ts'

/** Users whose checks are counted instead of computed: the derived key is the password. */
function counted(passwords: Readonly<Record<string, string>>) {
  const hashOf = (password: string) =>
    `$scrypt$ln=15,r=8,p=1$${'A'.repeat(22)}$${Buffer.from(password.padEnd(32)).toString('base64').replace(/=+$/, '')}`
  const rows = new Map(Object.entries(passwords).map(([name, it]) => [name, hashOf(it)]))
  const counts = { derived: 0, running: 0, runningMax: 0, paused: 0 }
  const users = passwordUsers((name) => rows.get(name), {
    async derive(password) {
      counts.derived += 1
      counts.running += 1
      counts.runningMax = Math.max(counts.runningMax, counts.running)
      await new Promise((resolve) => setImmediate(resolve))
      counts.running -= 1
      return new TextEncoder().encode(password.padEnd(32).slice(0, 32))
    },
    async pause() {
      counts.paused += 1
    },
  })
  return {
    users,
    counts,
    change: (name: string, password: string) => rows.set(name, hashOf(password)),
    remove: (name: string) => rows.delete(name),
  }
}

describe('a stored password', () => {
  test('is accepted, and another one is not', async () => {
    const stored = await hashPassword('correct horse')
    expect(isPasswordHash(stored)).toBe(true)
    expect(stored).not.toContain('correct')
    const users = passwordUsers((name) => (name === 'alice' ? stored : undefined), {
      pause: async () => undefined,
    })
    expect(await users.authenticate('alice', 'correct horse')).toBe('alice')
    expect(await users.authenticate('alice', 'correct horsf')).toBeUndefined()
    expect(await users.authenticate('bob', 'correct horse')).toBeUndefined()
  })

  test('has another form each time', async () => {
    expect(await hashPassword('a')).not.toBe(await hashPassword('a'))
  })

  test.each(['', 'x'.repeat(257)])('cannot be made of %j', async (password) => {
    await expect(hashPassword(password)).rejects.toThrow(TypeError)
  })

  test.each([
    ['of more memory than a guard spends', '$scrypt$ln=20,r=8,p=1$'],
    ['of too little work', '$scrypt$ln=4,r=8,p=1$'],
    ['of another function', '$argon2id$ln=15,r=8,p=1$'],
  ])('%s is refused', (_, head) => {
    expect(isPasswordHash(`${head}${'A'.repeat(22)}$${'A'.repeat(43)}`)).toBe(false)
  })
})

/** RFC 7914, section 12: scrypt (P="pleaseletmein", S="SodiumChloride", N=16384, r=8, p=1). */
test('is computed as RFC 7914 says', async () => {
  const key = '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2'
  const salt = Buffer.from('SodiumChloride')
  const stored = [
    '$scrypt$ln=14,r=8,p=1',
    // A salt of 14 bytes is shorter than ours, and the stored form does not take it.
    salt.toString('base64').replace(/=+$/, ''),
    Buffer.from(key, 'hex').toString('base64').replace(/=+$/, ''),
  ].join('$')
  expect(isPasswordHash(stored)).toBe(false)
  const { derived } = await import('../../../src/guard/users.ts')
  const hash = { ln: 14, r: 8, p: 1, salt, hash: new Uint8Array(32) }
  expect((await derived('pleaseletmein', hash)).toString('hex')).toBe(key)
})

describe('a flood of passwords', () => {
  test('is answered after one check each: a right password is computed once', async () => {
    const { users, counts } = counted({ alice: 'a' })
    for (let at = 0; at < 100; at += 1) expect(await users.authenticate('alice', 'a')).toBe('alice')
    expect(counts.derived).toBe(1)
  })

  test('runs one check at a time, and refuses the rest at once', async () => {
    const { users, counts } = counted({ alice: 'a', bob: 'b' })
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, at) => users.authenticate(`user${at}`, 'guess')),
    )
    expect(answers.every((it) => it === undefined)).toBe(true)
    expect(counts).toMatchObject({ derived: 1, runningMax: 1, paused: 1 })
  })

  test('a flood of passwords of unknown names lets a user in meanwhile', async () => {
    const { users } = counted({ alice: 'a' })
    const flood = Array.from({ length: 100 }, (_, at) => users.authenticate(`user${at}`, 'guess'))
    expect(await users.authenticate('alice', 'a')).toBe('alice')
    await Promise.all(flood)
  })

  test('a flood of passwords for one user does not keep out that user, once known', async () => {
    const { users, counts } = counted({ alice: 'a' })
    await users.authenticate('alice', 'a')
    const flood = Array.from({ length: 100 }, () => users.authenticate('alice', 'guess'))
    expect(await users.authenticate('alice', 'a')).toBe('alice')
    await Promise.all(flood)
    expect(counts.derived).toBe(2)
  })

  test('two first calls at once with the right password share a check', async () => {
    const { users, counts } = counted({ alice: 'a' })
    const both = [users.authenticate('alice', 'a'), users.authenticate('alice', 'a')]
    expect(await Promise.all(both)).toEqual(['alice', 'alice'])
    expect(counts.derived).toBe(1)
  })

  test('a guess that is checked just now does not keep out the right password', async () => {
    const { users, counts } = counted({ alice: 'a' })
    const guess = users.authenticate('alice', 'guess')
    expect(await users.authenticate('alice', 'a')).toBe('alice')
    expect(await guess).toBeUndefined()
    expect(counts.runningMax).toBe(1)
  })

  test('has at most eight guesses of one user wait, and another user waits for one', async () => {
    const { users, counts } = counted({ alice: 'a', bob: 'b' })
    const flood = Array.from({ length: 100 }, (_, at) => users.authenticate('alice', `guess ${at}`))
    expect(await users.authenticate('bob', 'b')).toBe('bob')
    // The next guess may have begun already.
    expect(counts.derived).toBeLessThanOrEqual(3)
    await Promise.all(flood)
    expect(counts).toMatchObject({ derived: 9, runningMax: 1, paused: 8 })
  })

  test('a flood of passwords of long texts costs no check', async () => {
    const { users, counts } = counted({ alice: 'a' })
    await users.authenticate('alice', 'x'.repeat(257))
    await users.authenticate('x'.repeat(257), 'a')
    await users.authenticate('alice', '')
    expect(counts.derived).toBe(0)
  })

  test('costs as much for a name that does not exist', async () => {
    const { users, counts } = counted({ alice: 'a' })
    await users.authenticate('alice', 'guess')
    await users.authenticate('nobody', 'guess')
    expect(counts).toMatchObject({ derived: 2, paused: 2 })
  })
})

test('a password that was changed by a reload no longer works', async () => {
  const { users, change } = counted({ alice: 'a' })
  expect(await users.authenticate('alice', 'a')).toBe('alice')
  change('alice', 'b')
  expect(await users.authenticate('alice', 'a')).toBeUndefined()
  expect(await users.authenticate('alice', 'b')).toBe('alice')
})

test.each(['changed', 'removed'])(
  'a password that is %s while it is checked is wrong',
  async (how) => {
    const { users, counts, change, remove } = counted({ alice: 'a' })
    const answer = users.authenticate('alice', 'a')
    while (counts.running === 0) await Promise.resolve()
    if (how === 'changed') change('alice', 'b')
    else remove('alice')
    expect(await answer).toBeUndefined()
    expect(await users.authenticate('alice', 'a')).toBeUndefined()
  },
)
