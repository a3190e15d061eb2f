// Tests that cannot run everywhere. A skipped test carries its reason in its title, so that the
// summary of `npm test` names both; house.test.ts refuses every other way to skip a test.

import { describe, test } from 'vitest'

import { isMutationRun } from './mutation.ts'
import { isQuick } from './share.ts'

/** Why a test is skipped, in a few words without parentheses. False means that it runs. */
type Reason = string | false

type Register = (title: string, ...rest: never[]) => unknown
interface Skipping {
  each: (...cases: never[]) => Register
}

/** Appends the reason to every title that `skip` registers, also by way of `each`. */
function titled<Api>(skip: Register & Skipping, reason: string): Api {
  const withReason =
    (register: Register): Register =>
    (title, ...rest) =>
      register(`${title} (skipped: ${reason})`, ...rest)
  const each: Skipping['each'] = (...cases) => withReason(skip.each(...cases))
  return Object.assign(withReason(skip), { each }) as Api
}

/** `test`, or `test.skip` for the first reason that applies. */
export function testUnless(...reasons: Reason[]): typeof test {
  const reason = reasons.find((given) => given !== false)
  return reason ? titled(test.skip as never, reason) : test
}

/** `describe`, or `describe.skip` for the first reason that applies. */
export function describeUnless(...reasons: Reason[]): typeof describe {
  const reason = reasons.find((given) => given !== false)
  return reason ? titled(describe.skip as never, reason) : describe
}

export const onWindows: Reason = process.platform === 'win32' && 'Windows has no such pipes'
export const inMutationRun: Reason =
  isMutationRun && 'mutation runs leave out what takes longer than all other tests'
export const inQuickRun: Reason = isQuick && 'quick runs leave out what takes longest'
