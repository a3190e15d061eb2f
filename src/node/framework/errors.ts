// Errors as the framework answers them: words for people, a type and data for programs, and where
// in the server they came up.

import type { FailureScript } from './script.ts'

/** The parts of an error besides its text. */
interface MmErrorFacts {
  readonly status: number
  readonly type: string
  /** Absent from the answer if undefined. */
  readonly data?: unknown
  /** `file:line]` items joined by blanks; lines that are documented nowhere are 0. */
  readonly trace: string
}

/** Thrown by whatever finds the error, answered by the dispatcher or kept as the end of a task. */
export class MmError extends Error {
  override readonly name = 'MmError'
  readonly facts: MmErrorFacts
  constructor(message: string, facts: MmErrorFacts) {
    super(message)
    this.facts = facts
  }

  /** The members of the answer, in the server's order; `names` are other names of types. */
  members(names: Readonly<Record<string, string>>): Record<string, unknown> {
    const { type, data, trace } = this.facts
    return {
      error: this.message,
      error_path: pathOf(trace),
      error_trace: trace,
      error_type: names[type] ?? type,
      ...(data !== undefined && { error_data: data }),
    }
  }
}

/** The files of a trace, each named once where they follow one another. */
function pathOf(trace: string): string {
  const stems = trace.split(' ').map((item) => item.replace(/:\d+\]$/, ''))
  return stems.filter((stem, at) => stem !== stems[at - 1]).join('.')
}

/** The framework's words for a coin on a device that `task::init_trezor` did not make known. */
export const noHardwareContext = 'Hardware Wallet context is not initialized'

/** No scenario answers this request: the one error that no framework gives. */
export function notScripted(what: string, remedy: string): MmError {
  return new MmError(`antara-tx development framework: ${what} is not scripted; ${remedy}`, {
    status: 501,
    type: 'NotScripted',
    data: what,
    trace: 'dev_framework:0]',
  })
}

/** An error as a script has it. */
export function scriptedError(failure: FailureScript): MmError {
  const { error, error_type: type, error_data: data, status = 500 } = failure
  return new MmError(error, { status, type, data, trace: failure.error_trace ?? 'script:0]' })
}

const dispatcher = 'dispatcher:0]'

export const invalidRequest = (text: string): MmError =>
  new MmError(`Error parsing request: ${text}`, {
    status: 400,
    type: 'InvalidRequest',
    data: text,
    trace: dispatcher,
  })

export const noSuchMethod = (): MmError =>
  new MmError('No such method', { status: 400, type: 'NoSuchMethod', trace: dispatcher })

export const invalidVersion = (text: string): MmError =>
  new MmError(`Error parsing mmrpc version: ${text}`, {
    status: 400,
    type: 'InvalidMmRpcVersion',
    data: text,
    trace: 'rpc:0]',
  })

export const userpassIsNotSet = (): MmError =>
  new MmError('Userpass is not set!', {
    status: 403,
    type: 'UserpassIsNotSet',
    trace: dispatcher,
  })

export const userpassIsInvalid = (attemptsLeft: number): MmError =>
  new MmError(`Userpass is invalid! - Rate Limit attempts left: ${attemptsLeft}`, {
    status: 403,
    type: 'UserpassIsInvalid',
    data: { error_type: 'NbAttemptsLeft', error_data: attemptsLeft },
    trace: 'dispatcher:0] rate_limiter:0]',
  })

export const banned = (): MmError =>
  new MmError('Your ip is banned.', { status: 403, type: 'Banned', trace: dispatcher })

export const localHostOnly = (): MmError =>
  new MmError('Selected method can be called from localhost only!', {
    status: 403,
    type: 'LocalHostOnly',
    trace: dispatcher,
  })
