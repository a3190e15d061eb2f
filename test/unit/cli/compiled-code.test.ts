import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

import { compiledCodeFolder } from '../../../src/cli/compiled-code.ts'
import { describeUnless, testUnless } from '../../support/skip.ts'

const user = process.getuid?.()
const stranger = 54_321

function home(mode = 0o700): string {
  const path = mkdtempSync(join(realpathSync(tmpdir()), 'antara-tx-home-'))
  chmodSync(path, mode)
  return path
}

test('where modes do not tell who can write, no code is kept', () => {
  const HOME = home()
  expect(compiledCodeFolder({ HOME }, undefined)).toBeUndefined()
  expect(readdirSync(HOME)).toEqual([])
})

describeUnless(user === undefined && 'Windows has no user numbers')('compiled code', () => {
  test('is kept in a folder that only its owner can enter', () => {
    const HOME = home()
    const folder = compiledCodeFolder({ HOME }, user)
    expect(folder).toBe(join(HOME, '.cache/antara-tx/compiled'))
    expect(statSync(folder!).mode & 0o777).toBe(0o700)
    expect(statSync(join(HOME, '.cache/antara-tx')).mode & 0o777).toBe(0o700)
    expect(compiledCodeFolder({ HOME }, user)).toBe(folder)
  })

  test('is kept below XDG_CACHE_HOME, unless that is a relative path', () => {
    const [HOME, XDG_CACHE_HOME] = [home(), home()]
    expect(compiledCodeFolder({ HOME, XDG_CACHE_HOME }, user)).toBe(
      join(XDG_CACHE_HOME, 'antara-tx/compiled'),
    )
    expect(compiledCodeFolder({ HOME, XDG_CACHE_HOME: 'caches' }, user)).toBe(
      join(HOME, '.cache/antara-tx/compiled'),
    )
  })

  test.each([[{}], [{ HOME: '' }], [{ HOME: 'home' }], [{ XDG_CACHE_HOME: '.' }]])(
    'is not kept without an absolute path: %o',
    (environment) => {
      expect(compiledCodeFolder(environment, user)).toBeUndefined()
    },
  )

  test.each(['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE'])(
    'is left to the user who sets %s',
    (name) => {
      const HOME = home()
      expect(compiledCodeFolder({ HOME, [name]: '1' }, user)).toBeUndefined()
      expect(readdirSync(HOME)).toEqual([])
    },
  )

  test.each([0o770, 0o707])('is not kept in a folder that others can write: %o', (mode) => {
    const HOME = home()
    chmodSync(compiledCodeFolder({ HOME }, user)!, mode)
    expect(compiledCodeFolder({ HOME }, user)).toBeUndefined()
  })

  test.each(['.cache', '.cache/antara-tx', ''])(
    'is not kept where others can replace a folder above it: %j',
    (above) => {
      const HOME = home()
      expect(compiledCodeFolder({ HOME }, user)).toBeDefined()
      chmodSync(join(HOME, above), 0o777)
      expect(compiledCodeFolder({ HOME }, user)).toBeUndefined()
    },
  )

  test('is kept below a folder where others can only add', () => {
    const HOME = home()
    mkdirSync(join(HOME, '.cache'))
    chmodSync(join(HOME, '.cache'), 0o1777)
    expect(compiledCodeFolder({ HOME }, user)).toBeDefined()
  })

  test('is not made in a home that others can write', () => {
    const HOME = home(0o777)
    mkdirSync(join(HOME, 'inner'))
    expect(compiledCodeFolder({ HOME: join(HOME, 'inner') }, user)).toBeUndefined()
    expect(existsSync(join(HOME, 'inner/.cache'))).toBe(false)
  })

  test('is not kept where a link leads to a folder that others can write', () => {
    const [HOME, open] = [home(), home(0o777)]
    mkdirSync(join(HOME, '.cache/antara-tx'), { recursive: true })
    symlinkSync(open, join(HOME, '.cache/antara-tx/compiled'))
    expect(compiledCodeFolder({ HOME }, user)).toBeUndefined()
  })

  test('is not kept where a file has the place of the folder', () => {
    const HOME = home()
    writeFileSync(join(HOME, '.cache'), '')
    expect(compiledCodeFolder({ HOME }, user)).toBeUndefined()
  })

  test('is not kept where the system finds no folder, not even the root', () => {
    const find = vi.spyOn(realpathSync, 'native').mockImplementation(() => {
      throw Object.assign(new Error('no /proc'), { code: 'ENOENT' })
    })
    try {
      expect(compiledCodeFolder({ HOME: home() }, user)).toBeUndefined()
    } finally {
      find.mockRestore()
    }
  })

  const unlessRoot = user !== 0 && 'only root can give a folder to another user'

  testUnless(unlessRoot)('is not kept in a folder of another user', () => {
    const HOME = home()
    chownSync(compiledCodeFolder({ HOME }, user)!, stranger, stranger)
    expect(compiledCodeFolder({ HOME }, user)).toBeUndefined()
  })

  testUnless(unlessRoot)('is not kept below a folder of another user', () => {
    const HOME = home()
    expect(compiledCodeFolder({ HOME }, user)).toBeDefined()
    chownSync(join(HOME, '.cache'), stranger, stranger)
    expect(compiledCodeFolder({ HOME }, user)).toBeUndefined()
  })

  testUnless(unlessRoot)('is not made by root in the home of another user', () => {
    const HOME = home()
    chownSync(HOME, stranger, stranger)
    expect(compiledCodeFolder({ HOME }, user)).toBeUndefined()
    expect(readdirSync(HOME)).toEqual([])
  })
})
