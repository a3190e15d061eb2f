// The view of what differs between two pasted texts.

import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { type Difference, differencesOf } from './compare.ts'
import type { Subject } from './subject.ts'
import { brief, safe } from './words.ts'

/** Rows of the table; more would freeze the page. */
const rowsMax = 500

export function Comparison({
  first,
  second,
}: {
  readonly first: Subject | undefined
  readonly second: Subject | undefined
}): JSX.Element {
  const differences = useMemo(
    () =>
      first?.kind === 'transaction' && second?.kind === 'transaction'
        ? differencesOf(first, second)
        : undefined,
    [first, second],
  )
  return (
    <section aria-labelledby="comparison">
      <div aria-live="polite">
        <h2 id="comparison">{headlineOf(differences, [first, second])}</h2>
      </div>
      {differences !== undefined && differences.length > 0 && <Table differences={differences} />}
    </section>
  )
}

function headlineOf(
  differences: readonly Difference[] | undefined,
  [first, second]: readonly [Subject | undefined, Subject | undefined],
): string {
  if (differences === undefined) {
    if (second === undefined) return 'Paste the second transaction above'
    const at = first?.kind === 'transaction' ? 'second' : 'first'
    const { message = 'no transaction' } = (at === 'first' ? first : second) as {
      readonly message?: string
    }
    return `The ${at} is not a transaction or case: ${safe(message)}`
  }
  if (differences.length === 0) return 'The two are the same'
  return differences.length === 1 ? '1 difference' : `${differences.length} differences`
}

function Table({ differences }: { readonly differences: readonly Difference[] }): JSX.Element {
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Difference</th>
            <th scope="col">First</th>
            <th scope="col">Second</th>
          </tr>
        </thead>
        <tbody>
          {differences.slice(0, rowsMax).map(({ words, first, second }, at) => (
            <tr key={`${at} ${words}`}>
              <th scope="row">{brief(words)}</th>
              <td>{first === undefined ? 'nothing' : <code>{brief(first)}</code>}</td>
              <td>{second === undefined ? 'nothing' : <code>{brief(second)}</code>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {differences.length > rowsMax && <p class="hint">{differences.length - rowsMax} more</p>}
    </>
  )
}
