// Runs code samples of docstrings and pages, statement by statement. Names that a sample does not
// bind are looked up in a scope. If the comment after a statement reads as a value, the statement
// must give that value; `…` stands for a part that is left out.

export interface Sample {
  readonly from: string
  readonly code: string
}

/** The `@example` parts of a source file. */
export function docstringSamples(from: string, text: string): Sample[] {
  return [...text.matchAll(/^ *\* @example\n((?: *\*(?!\/)(?! @).*\n)+)/gm)].map(([, lines]) => ({
    from,
    code: lines!.replace(/^ *\* ?/gm, ''),
  }))
}

/** The TypeScript blocks of a page. */
export function pageSamples(from: string, text: string): Sample[] {
  return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => ({ from, code: code! }))
}

interface Statement {
  readonly code: string
  readonly reported?: string
}

/** Lines are taken together until they are a whole statement. */
function statementsOf(code: string): Statement[] {
  const statements: Statement[] = []
  let open = ''
  for (const line of code.replace(/^import .*\n/gm, '').split('\n')) {
    const comment = /^(.*?)(?:^|\s)\/\/ (.*)$/.exec(line)
    const [, before = line, reported] = comment ?? []
    if (open === '' && before.trim() === '') {
      const last = statements.at(-1)
      if (reported !== undefined && last !== undefined && last.reported === undefined) {
        statements[statements.length - 1] = { ...last, reported }
      }
      continue
    }
    open += `${before}\n`
    if (compile(open) === undefined) continue
    statements.push({ code: open, ...(reported !== undefined && { reported }) })
    open = ''
  }
  if (open !== '') throw new SyntaxError(`no statement: ${open}`)
  return statements
}

type Run = (scope: object) => Promise<unknown>

/** A statement in a scope: what it declares becomes a member, what it says is returned. */
function compile(code: string): Run | undefined {
  const assignment = /^(?:const|await using) (.*)$/s.exec(code)?.[1]
  const forms = [`return (${assignment ?? code})`, ...(assignment === undefined ? [code] : [])]
  for (const form of forms) {
    try {
      return new Function('scope', `with (scope) return (async () => { ${form} })()`) as Run
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  return undefined
}

/** Runs a sample and returns every value told in it, beside what was there. */
export async function runSample(
  { code }: Sample,
  known: Readonly<Record<string, unknown>>,
): Promise<{ reported: unknown; actual: unknown }[]> {
  const scope = new Proxy(
    { ...known },
    { has: (_, name) => typeof name === 'string' && (name in known || !(name in globalThis)) },
  )
  const values: { reported: unknown; actual: unknown }[] = []
  const used: AsyncDisposable[] = []
  for (const statement of statementsOf(code)) {
    const actual = await compile(statement.code)!(scope)
    if (statement.code.startsWith('await using')) used.push(actual as AsyncDisposable)
    const reported = await reportedBy(statement.reported, scope)
    if (reported !== undefined)
      values.push({ reported: reported.value, actual: alike(actual, reported.value) })
  }
  for (const one of used) await one[Symbol.asyncDispose]()
  return values
}

/** Returns the value that a comment shows, or `undefined` if the comment is prose. */
async function reportedBy(
  comment: string | undefined,
  scope: object,
): Promise<{ value: unknown } | undefined> {
  if (comment === undefined || !/^(?:[[{'\d-]|true$|false$)/.test(comment)) return undefined
  const run = compile(comment.replace(/, (?:…|\.\.\.)(?= *[}\]])/g, ''))
  if (run === undefined) throw new SyntaxError(`no value: ${comment}`)
  return { value: await run(scope) }
}

/** `actual` cut down to what `told` tells of it: equal to it where it agrees. */
function alike(actual: unknown, reported: unknown): unknown {
  if (typeof reported === 'string' && typeof actual === 'string') {
    const [start = '', end] = reported.split(/…|\.\.\./)
    return end !== undefined && actual.startsWith(start) && actual.endsWith(end) ? reported : actual
  }
  if (Array.isArray(reported) && Array.isArray(actual)) {
    return actual.map((item, at) => alike(item, reported[at]))
  }
  if (typeof reported !== 'object' || reported === null) return actual
  if (typeof actual !== 'object' || actual === null) return actual
  const members = actual as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(reported).map(([name, value]) => [name, alike(members[name], value)]),
  )
}
