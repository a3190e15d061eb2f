// The binary for Windows is linked by a release only, so a test reads what it needs.

import { expect, test } from 'vitest'

import { filesBelow, textOf } from '../../support/files.ts'

const list = 'native/addon/windows_node_api.cpp'

test('the binary for Windows finds every function of Node-API that the addon calls', () => {
  const sources = ['native/addon', 'native/seam']
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => /\.(?:cpp|h)$/.test(path) && path !== list)
  const called = sources.flatMap((path) => textOf(path).match(/\bnapi_\w+(?=\()/g) ?? [])
  const listed = textOf(list).match(/(?<=\bEACH\()napi_\w+/g)
  expect(listed).toEqual([...new Set(called)].sort())
})
