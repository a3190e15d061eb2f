// Counts of tests from the reports of their runners. Each returns the number of tests that passed, the
// names of those that failed with their messages, and the names of those that were skipped with the
// reason. Vitest also repeats tests that start processes once: those that passed then are `repeated`.

/** Written by test/support/skip.ts at the end of a title. */
const reasonInTitle = / \(skipped: ([^()]+)\)/

/** Vitest's JSON report. A file that does not load fails by its name. */
export function countVitest(text, root) {
  const { numPassedTests: passed, testResults } = JSON.parse(text)
  const failures = []
  const skips = []
  const repeated = []
  for (const { name, status, message, assertionResults } of testResults) {
    const file = name.startsWith(root) ? name.slice(root.length) : name
    const failed = assertionResults.filter((test) => test.status === 'failed')
    for (const { fullName, failureMessages } of failed) {
      failures.push({ name: `${file}: ${fullName}`, message: textOf(failureMessages) })
    }
    if (failed.length === 0 && status === 'failed') {
      failures.push({ name: file, message: textOf([message]) })
    }
    for (const { status: outcome, fullName, failureMessages = [] } of assertionResults) {
      if (outcome === 'passed' && failureMessages.length > 0) {
        repeated.push({ name: `${file}: ${fullName}`, message: textOf(failureMessages) })
      }
      if (outcome === 'passed' || outcome === 'failed') continue
      const [, reason] = reasonInTitle.exec(fullName) ?? []
      const title = `${file}: ${fullName.replace(reasonInTitle, '')}`
      // A test without a reason counts as a failure: nobody would know what to install.
      if (reason === undefined) failures.push({ name: title, message: 'skipped without a reason' })
      else skips.push({ name: title, reason })
    }
  }
  return { passed, failures, skips, repeated }
}

/** A JUnit report, of ctest or node:test. */
export function countJunit(text) {
  const element = /<testcase\b((?:\s+[\w-]+="[^"]*")*)\s*(?:\/>|>([\s\S]*?)<\/testcase>)/g
  const cases = [...text.matchAll(element)].map(([, attributes, body = '']) => ({
    name: unescaped(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? '?'),
    isFailed: /<(?:failure|error)\b/.test(body) || /\bstatus="fail"/.test(attributes),
    message: unescaped(/<(?:failure|error)\b[^>]*?\bmessage="([^"]*)"/.exec(body)?.[1] ?? ''),
    skip: /<skipped\b(?:[^>]*?\bmessage="([^"]*)")?/.exec(body),
  }))
  const failures = cases
    .filter(({ isFailed }) => isFailed)
    .map(({ name, message }) => ({ name, message }))
  const skips = cases
    .filter(({ skip, isFailed }) => skip !== null && !isFailed)
    .map(({ name, skip }) => ({ name, reason: unescaped(skip[1] ?? 'no reason was given') }))
  return { passed: cases.length - failures.length - skips.length, failures, skips }
}

/** Without the colors that a terminal would show. */
function textOf(messages = []) {
  return messages.join('\n').replaceAll(/\u001B\[[\d;]*m/g, '')
}

const entities = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }

function unescaped(text) {
  return text.replace(/&(quot|apos|lt|gt|amp);/g, (_, name) => entities[name])
}
