import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'guard-call',
  question:
    'One call that reads, tokeninfo, from a development node in another process: through a guard, ' +
    'through a proxy that passes requests on, and directly. CPU of this process, which has the ' +
    'caller, and the guard or the proxy: what the direct line takes is the caller alone.',
  unit: 'call',
  warmUpMs: 2000,
  cases: () => [
    {
      name: 'read',
      description: 'tokeninfo over kept connections, one call after the other',
      items: [{ method: 'tokeninfo', params: (tokenid) => [tokenid] }],
    },
  ],
  reference: () => ({ error: null, name: 'GOLD', supply: 1_000_000 }),
  compare: ({ error, name, supply }, actual) =>
    actual.error === error && actual.name === name && actual.supply === supply
      ? undefined
      : `expected ${name} of ${supply}, got ${JSON.stringify(actual)}`,
})
