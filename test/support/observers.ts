// Observers that fail in every way a caller's function can: none may change what it observes.

import { setTimeout } from 'node:timers/promises'

const fail = (): never => {
  throw new Error('the observer failed')
}

/** In a variable, because a thenable is what is wanted here. */
const member = 'then'
const thenable = (then: (...done: ((value?: unknown) => void)[]) => unknown) => ({ [member]: then })

/** By what they do. Each settles in the end: a flow may wait for its observer. */
export const hostileObservers: Readonly<Record<string, (event: object) => unknown>> = {
  'does as it should': () => undefined,
  throws: fail,
  'throws what is not an error': () => {
    throw undefined
  },
  rejects: () => Promise.reject(new Error('the observer failed')),
  'rejects with what is not an error': () => Promise.reject(undefined),
  'rejects later': async () => {
    await setTimeout(1)
    fail()
  },
  'answers a thenable that throws': () => thenable(fail),
  'answers a thenable whose member throws': () =>
    Object.defineProperty({}, member, { get: fail, enumerable: true }),
  'answers a thenable that rejects': () => thenable((_, no) => no!(new Error('no'))),
  'answers a thenable that settles in both ways, and throws': () =>
    thenable((yes, no) => {
      yes!(1)
      no!(new Error('no'))
      fail()
    }),
  'answers a thenable of another that rejects': () =>
    thenable((yes) => yes!(thenable((_, no) => no!(new Error('no'))))),
  'answers false': () => false,
  'answers a proxy that answers nothing': () => new Proxy({}, { get: fail, has: fail }),
  'answers a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  'overwrites what it is told': (event) => {
    for (const name of Object.keys(event)) Reflect.set(event, name, undefined)
  },
  'empties the findings that it is told': (event) => {
    const { report } = event as { report?: { findings: object[] } }
    for (const found of report?.findings ?? []) Reflect.set(found, 'severity', 'info')
    if (report !== undefined) report.findings.length = 0
  },
  'overwrites the report that it is told': (event) => {
    const { report } = event as { report?: object }
    for (const name of Object.keys(report ?? {})) Reflect.set(report!, name, 'other')
  },
}
