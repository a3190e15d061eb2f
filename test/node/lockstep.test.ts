// The calls in which two real daemons and this node differed, made again. The chain of that run is
// not known any more. So a call that does not depend on it has to get the recorded answer. For
// others the node is brought into the state that matters, and held to what the daemon did.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { readVectors } from '../support/vectors.ts'
import { checks, open } from './support/lockstep-checks.ts'
import { createWorld, type Example, type World } from './support/lockstep-world.ts'

interface Class {
  readonly class: string
  readonly count: number
  readonly examples: readonly Example[]
}

const { classes } = readVectors<{ classes: readonly Class[] }>('komodod/lockstep.json')
const callsOf = (some: readonly Class[]) => some.reduce((sum, { count }) => sum + count, 0)
const openReason = ({ class: name }: Class) => open.find(([what]) => what.test(name))?.[1]

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  await world.fresh.close()
})

test('differences that are closed stay closed, and others have a reason', async () => {
  const wrong: Class[] = []
  for (const it of classes.filter((one) => openReason(one) === undefined)) {
    if (!(await isClosed(it).catch(() => false))) wrong.push(it)
  }
  const explained = classes.filter((it) => openReason(it) !== undefined)
  console.log(
    `${classes.length - wrong.length - explained.length} of ${classes.length} classes are closed, ` +
      `${callsOf(classes) - callsOf(wrong) - callsOf(explained)} of ${callsOf(classes)} calls`,
  )
  expect(wrong.map(({ class: name, count }) => `${count} ${name}`)).toEqual([])
  expect(open.filter(([what]) => !classes.some(({ class: name }) => what.test(name)))).toEqual([])
})

async function isClosed({ class: name, examples }: Class): Promise<boolean> {
  const [method = ''] = name.replace('BAD ', '').split(' ')
  const check = checks.find(([what]) => what.test(name))![1]
  for (const example of examples) {
    if (!(await check(world, method, example))) return false
  }
  return true
}
