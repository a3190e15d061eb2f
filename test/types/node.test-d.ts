// Checked by `tsc -p test`: each marked line must be refused by the compiler, each other accepted.
// This file never runs.
import { expectTypeOf } from 'vitest'
import type { DevIdentity, DevNode } from '../../src/node/index.ts'
import { createDevNode } from '../../src/node/index.ts'
import { useDevNode } from '../../src/node/vitest.ts'

declare const count: number
declare const text: string

export async function identities(): Promise<void> {
  const [alice, bob] = (await createDevNode()).identities
  expectTypeOf(alice).toEqualTypeOf<DevIdentity>()
  expectTypeOf(bob).toEqualTypeOf<DevIdentity>()
  const [, second] = (await createDevNode({ mine: 'manual', onCall: ({ method }) => method }))
    .identities
  expectTypeOf(second).toEqualTypeOf<DevIdentity>()
  const [, , third] = (await createDevNode({ identities: 3, listen: false })).identities
  expectTypeOf(third).toEqualTypeOf<DevIdentity>()
  const [, named] = (await createDevNode({ identities: [{}, { pubkey: false }] })).identities
  expectTypeOf(named).toEqualTypeOf<DevIdentity>()
  const [, ofVitest] = useDevNode()().identities
  expectTypeOf(ofVitest).toEqualTypeOf<DevIdentity>()

  const one = await createDevNode({ identities: 1 })
  expectTypeOf(one.identities[0]).toEqualTypeOf<DevIdentity>()
  // @ts-expect-error there is only one
  one.identities[1]
  const [first, other] = (await createDevNode({ identities: count })).identities
  expectTypeOf(first).toEqualTypeOf<DevIdentity>()
  expectTypeOf(other).toEqualTypeOf<DevIdentity | undefined>()
  const [, loaded] = (await createDevNode({ load: text })).identities
  expectTypeOf(loaded).toEqualTypeOf<DevIdentity | undefined>()
  expectTypeOf(one).toExtend<DevNode>()
  // @ts-expect-error a node without an identity answers nobody
  await createDevNode({ identities: 'two' })
}
