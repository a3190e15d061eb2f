import { classOfMethod } from '../rpc/daemon/method-classes.ts'
import { classOfFrameworkMethod } from '../rpc/framework/method-classes.ts'
import { failureText, type RpcFailure } from '../server/json-rpc.ts'
import { carriedOutMethods, carriedOutWithdrawals } from './carried-out.ts'
import type { MethodClass } from './decision.ts'
import { errorOf, errorReply } from './framework/answers.ts'
import { adviceFor, reasonOfClass, refusedMethod } from './refusals.ts'

type Words = Readonly<Record<MethodClass, string>>

const about: Words = {
  read: `The guard passes the call on and returns the daemon's answer byte for byte. It does not
verify what the daemon says: a balance or a number of confirmations is the daemon's claim.`,
  build: `The call's own parameters are the request. The guard lets the daemon build the transaction,
fetches everything that it spends, and verifies it. It returns the daemon's answer only if the
transaction does exactly what the call requested. It cannot know whether other programs have
another way to the daemon, or whether a coin is still unspent.`,
  send: `The guard sends only a transaction that it handed over itself, byte for byte, and that still
passes verification. Hex from elsewhere needs guard_submit with its case.`,
  'build-and-send': `The call spends coins in one step, so nothing could be verified in between. The
guard carries it out in steps: create, fund, sign, verify, send.`,
  secret: 'The call takes or reveals private keys, or signs a text with one.',
  administration: 'The call changes the daemon, its peers or the settings of its wallet.',
  unknown: 'The method is in no command table of komodod, of tokeld or of the framework.',
}

/** Where a framework differs from a daemon. */
const aboutFramework: Words = {
  ...about,
  read: `The guard passes the call on and returns the framework's answer byte for byte. It does not
verify what the framework says: a balance or a number of confirmations is its claim.`,
  build: `The call's own parameters are the request. The guard lets the framework build the
transaction, fetches everything that it spends, and verifies it and what the answer says about it.
It returns the answer only if both agree with the call. It cannot know whether other programs have
another way to the framework, or whether a coin is still unspent.`,
  send: `The guard sends only a transaction that it handed over itself, byte for byte, and that still
passes verification. Hex from elsewhere is refused.`,
  'build-and-send': `The call spends coins, now or when an order meets another one, so nothing could
be verified in between.`,
  administration: `The call changes the framework, its orders, its coins or the servers that it asks.
An activation can also merge coins in the background.`,
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
  const isPassed = methodClass === 'read' || isCarriedOut
  const name = methodClass === 'unknown' ? 'this method' : method
  const outcome = isPassed
    ? `The guard ${isCarriedOut ? 'verifies' : 'passes on'} ${name}.`
    : `The guard refuses ${name}: ${reasonOfClass[methodClass]}. A policy can allow it by name; the
guard then passes it on unverified.`
  const words = isFramework ? aboutFramework : about
  const call = { user: '', method, methodClass }
  const answer = isPassed
    ? passedAnswer(methodClass, isCarriedOut)
    : refusedAnswer(refusedMethod(call), isFramework)
  const lines = [`class: ${methodClass}`, words[methodClass], outcome, ...limitsOf(method)]
  lines.push(`answer: ${answer}`)
  return `${lines.join('\n')}\n`
}

/** Returns the whole answer to a call that is refused, with 1 as its id. */
function refusedAnswer(refusal: RpcFailure, isFramework: boolean): string {
  if (!isFramework) return failureText(refusal, '1')
  return String(errorReply(errorOf(refusal), { dispatcher: 'mmrpc', id: '1' }).body)
}

function passedAnswer(methodClass: MethodClass, isVerified: boolean): string {
  if (!isVerified) return 'that of the server, byte for byte'
  return methodClass === 'build'
    ? 'that of the server, or a failure in the form of the method: guard: rejected: …'
    : 'that of the server, or an error: guard: …'
}

/** Returns what a guard refuses of a verified method, and what helps with a refused one. */
function limitsOf(method: string): string[] {
  const limit = limits.get(method)
  const advice = adviceFor(method)
  return [...(limit === undefined ? [] : [limit]), ...(advice === '' ? [] : [advice])]
}
