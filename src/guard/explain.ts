import { classOfMethod } from '../rpc/daemon/method-classes.ts'
import { classOfFrameworkMethod, isLegacyMethod } from '../rpc/framework/method-classes.ts'
import { failureText, type RpcFailure } from '../server/json-rpc.ts'
import { carriedOutMethods, carriedOutWithdrawals } from './carried-out.ts'
import type { MethodClass } from './decision.ts'
import { errorOf, errorReply } from './framework/answers.ts'
import { adviceFor, reasonOfClass, refusedMethod } from './refusals.ts'

type Words = Readonly<Record<MethodClass, string>>

/** Methods that the guard does not carry out: passed on if they read, and refused otherwise. */
const about: Words = {
  read: `The guard passes the call on and returns the daemon's answer byte for byte. It does not
verify what the daemon says: a balance or a number of confirmations is the daemon's claim.`,
  build: `The daemon returns a transaction that it signed, or a part of one. The guard does not verify
this method.`,
  send: `The call broadcasts a transaction. The guard does not verify this method.`,
  'build-and-send': `The call spends coins in one step, so nothing could be verified in between. The
guard does not carry this method out in steps.`,
  secret: 'The call takes or reveals private keys, or signs a text with one.',
  administration: 'The call changes the daemon, its peers or the settings of its wallet.',
  unknown: `The method is in no command table of komodod, of tokeld or of the framework. Before a
framework, the guard takes such a method only with mmrpc 2.0, even if a policy allows it.`,
}

/** Where a framework differs from a daemon. */
const aboutFramework: Words = {
  ...about,
  read: `The guard passes the call on and returns the framework's answer byte for byte. It does not
verify what the framework says: a balance or a number of confirmations is its claim.`,
  build: `The framework returns a transaction that it signed. The guard does not verify this method.`,
  'build-and-send': `The call spends coins, now or when an order meets another one, so nothing could
be verified in between.`,
  administration: `The call changes the framework, its orders, its coins or the servers that it asks.
An activation can also merge coins in the background.`,
}

/** Methods that the guard carries out, by their class or by a name of their own. */
const aboutCarriedOut: Readonly<Record<string, string>> = {
  build: `The call's own parameters are the request. The guard lets the daemon build the transaction,
fetches everything that it spends, and verifies it. It returns the daemon's answer only if the
transaction does exactly what the call requested. It cannot know whether other programs have
another way to the daemon, or whether a coin is still unspent.`,
  send: `The guard sends only a transaction that it handed over itself, byte for byte, and that still
passes verification. Hex from elsewhere needs guard_submit with its case.`,
  'build-and-send': `The call spends coins in one step, so nothing could be verified in between. The
guard carries it out in steps: create, fund, sign, verify, send.`,
  guard_submit: `This is a method of the guard, not of the daemon: guard_submit HEX CASE. The guard
sends the signed transaction only if it does exactly what its case requests. No class includes the
method, so a policy with a list of methods has to name it.`,
}

const aboutFrameworkCarriedOut: Readonly<Record<string, string>> = {
  build: `The call's own parameters are the request. The guard lets the framework build the
transaction, fetches everything that it spends, and verifies it and what the answer says about it.
It returns the answer only if both agree with the call. It cannot know whether other programs have
another way to the framework, or whether a coin is still unspent.`,
  send: `The guard sends only a transaction that it handed over itself, byte for byte, and that still
passes verification. Hex from elsewhere is refused.`,
  'task::withdraw::init': `The call's own parameters are the request. The guard passes the call on,
and keeps the request until task::withdraw::status returns the transaction.`,
  'task::withdraw::status': `The request is that of task::withdraw::init. When the task has built its
transaction, the guard fetches everything that it spends, and verifies it and what the answer says
about it. It returns the answer only if both agree with the request. It cannot know whether other
programs have another way to the framework, or whether a coin is still unspent.`,
  'task::withdraw::user_action': passedTask('user_action'),
  'task::withdraw::cancel': passedTask('cancel'),
}

function passedTask(verb: string): string {
  return `The guard passes task::withdraw::${verb} on only for a task that the same user began through
the guard. It returns the answer only if no transaction is in it. Nothing else in it is verified.`
}

const noMarker =
  'It refuses `remove` other than `false`, because a spent marker cannot be verified.'

/** The parameters of a verified method that a guard refuses. */
const limits: ReadonlyMap<string, string> = new Map([
  ['tokenburn', noMarker],
  ['tokenv2burn', noMarker],
  [
    'tokenv2transferMofN',
    `It refuses \`ccaddressMofN\`: what several keys own needs their signatures. Submit the signed
transaction by guard_submit HEX CASE, with fromKeys in its intent.`,
  ],
])

/** Explains in lines for people what a guard does with a method. */
export function explainMethod(method: string): string {
  const ofDaemon = classOfMethod(method)
  const isFramework = ofDaemon === 'unknown' && classOfFrameworkMethod(method) !== 'unknown'
  const methodClass = isFramework ? classOfFrameworkMethod(method) : ofDaemon
  const isCarriedOut = (isFramework ? carriedOutWithdrawals : carriedOutMethods).has(method)
  const lines = isCarriedOut
    ? carriedOutLines(method, methodClass, isFramework)
    : otherLines(method, methodClass, isFramework)
  return `${[`class: ${methodClass}`, ...lines].join('\n')}\n`
}

function carriedOutLines(method: string, methodClass: MethodClass, isFramework: boolean): string[] {
  const words = isFramework ? aboutFrameworkCarriedOut : aboutCarriedOut
  const answersInResult = methodClass === 'build' && !isFramework
  const answer = answersInResult
    ? 'that of the server, or a failure in the form of the method: guard: rejected: …'
    : 'that of the server, or an error: guard: …'
  return [words[method] ?? words[methodClass]!, ...limitsOf(method), `answer: ${answer}`]
}

function otherLines(method: string, methodClass: MethodClass, isFramework: boolean): string[] {
  const words = isFramework ? aboutFramework : about
  if (methodClass === 'read') {
    const outcome = `The guard passes on ${method}.`
    return [words.read, outcome, 'answer: that of the server, byte for byte']
  }
  const name = methodClass === 'unknown' ? 'this method' : method
  const outcome = `The guard refuses ${name}: ${reasonOfClass[methodClass]}. A policy can allow it by name; the
guard then passes it on unverified.`
  const refusal = refusedMethod({ user: '', method, methodClass })
  const answer = `answer: ${refusedAnswer(method, refusal, isFramework)}`
  return [words[methodClass], outcome, ...limitsOf(method), answer]
}

/** Returns the whole answer to a call that is refused, with 1 as its id if its form has one. */
function refusedAnswer(method: string, refusal: RpcFailure, isFramework: boolean): string {
  if (!isFramework) return failureText(refusal, '1')
  const dispatcher = isLegacyMethod(method) ? 'legacy' : 'mmrpc'
  return String(errorReply(errorOf(refusal), { dispatcher, id: '1' }).body)
}

/** Returns what a guard refuses of a verified method, and what helps with a refused one. */
function limitsOf(method: string): string[] {
  const limit = limits.get(method)
  const advice = adviceFor(method)
  return [...(limit === undefined ? [] : [limit]), ...(advice === '' ? [] : [advice])]
}
