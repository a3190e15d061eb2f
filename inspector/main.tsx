// The page: a place to paste into, and what was pasted, explained. Nothing leaves it.

import { type JSX, render } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Case, networks } from '../src/index.ts'
import { Comparison } from './comparison.tsx'
import { fetchEvidence } from './evidence.ts'
import { copyLink, type Linked, type NetworkName, packLink, unpackLink } from './link.ts'
import { type Subject, subjectOf, textMax } from './subject.ts'
import { TransactionView } from './transaction.tsx'
import { scriptBranches, Tree, treeBranch } from './tree.tsx'
import { brief, safe } from './words.ts'

const names = Object.keys(networks) as NetworkName[]
/** Characters that are put back into the box: a long case would freeze it. */
const shownMax = 200_000

/** The server of evidence, as the page names it; undefined if the page has no button for it. */
const source = document.querySelector('meta[name="evidence"]')?.getAttribute('content') ?? undefined

function Page(): JSX.Element {
  const [text, setText] = useState('')
  const [network, setNetwork] = useState<NetworkName>('assetChain')
  const [note, setNote] = useState('')
  /** The text to compare with; undefined while nothing is compared. */
  const [other, setOther] = useState<string>()
  const [isOver, setOver] = useState(false)
  const main = useRef<HTMLElement>(null)
  /** The text of a link. While it is shown, the page warns that the link's maker wrote the request. */
  const linkedText = useRef('')
  /** The text now, for work that began with another one. */
  const textNow = useRef(text)
  textNow.current = text
  const [isAsking, setAsking] = useState(false)
  const subject = useMemo(
    () => (text.trim() === '' ? undefined : subjectOf(text, network)),
    [text, network],
  )

  const checked = subject?.kind === 'transaction' ? subject.checked : undefined
  const compared = useMemo(
    () => (other === undefined || other.trim() === '' ? undefined : subjectOf(other, network)),
    [other, network],
  )

  useEffect(() => {
    // Unpacking takes time: a long link that came first must not be shown after a short one.
    let last = 0
    const read = async () => {
      last += 1
      const own = last
      const reported = await linkNow()
      if (reported === undefined || own !== last) return
      setNote(reported.note)
      setNetwork(reported.network)
      setText(reported.text)
      linkedText.current = reported.text
    }
    read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])

  /** Returns the warning that the status adds while the text is that of a link. */
  const warningOfLink = () => (text === linkedText.current ? ` ${ofLink}` : '')

  async function link(): Promise<void> {
    const warning = warningOfLink()
    try {
      history.replaceState(null, '', `#${await packLink({ text, network })}`)
    } catch (error) {
      setNote(brief(messageOf(error)) + warning)
      return
    }
    const isCopied = await copyLink(location.href, navigator.clipboard)
    setNote((isCopied ? 'Link copied.' : 'The link is in the address of this page.') + warning)
  }

  /** Fetches evidence for the case that is shown, and shows it unless another text came meanwhile. */
  async function fetchMissing(given: Case): Promise<void> {
    const asked = text
    const warning = warningOfLink()
    setNote(`Asking ${source}…`)
    setAsking(true)
    const reported = await fetchEvidence(given, source!).catch((error: unknown) => ({
      text: asked,
      note: messageOf(error),
    }))
    setAsking(false)
    if (textNow.current !== asked) return
    if (warning !== '') linkedText.current = reported.text
    setText(reported.text)
    setNote(brief(reported.note) + warning)
  }

  function clear(): void {
    setNote('')
    setText('')
    setOther(undefined)
  }

  async function drop(event: DragEvent): Promise<void> {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer?.files ?? []
    const given = event.dataTransfer?.getData('text') ?? ''
    const isShort = file === undefined || file.size <= textMax
    setNote(isShort ? '' : `The file has ${file.size} bytes; at most ${textMax} are read.`)
    setText(!isShort ? '' : file === undefined ? given : await file.text())
    main.current?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped anywhere; the box takes text
    <div
      class={isOver ? 'page is-over' : 'page'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <header>
        <h1>Transaction inspector</h1>
        <p>
          Paste or drop raw hex, a case file, a condition, a script or an address. Everything
          happens in this page, which{' '}
          {source === undefined
            ? 'cannot make requests.'
            : `can ask ${source} for evidence, and nobody else.`}
        </p>
      </header>
      <main ref={main} tabIndex={-1}>
        <form onSubmit={(event) => event.preventDefault()}>
          <TextBox
            id="pasted"
            label="Hex, case, condition, script or address"
            text={text}
            onText={(pasted) => {
              setNote('')
              setText(pasted)
            }}
          />
          <div class="controls">
            <label>
              Network of hex and addresses{' '}
              <select
                value={network}
                onChange={({ currentTarget }) => setNetwork(currentTarget.value as NetworkName)}
              >
                {names.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <button type="button" onClick={link} disabled={subject === undefined}>
              Copy link
            </button>
            <button
              type="button"
              aria-pressed={other !== undefined}
              onClick={() => setOther(other === undefined ? '' : undefined)}
              disabled={subject === undefined}
            >
              Compare two transactions
            </button>
            {source !== undefined && (
              <button
                type="button"
                onClick={() => checked !== undefined && fetchMissing(checked.given)}
                disabled={checked === undefined || isAsking}
              >
                Fetch evidence
              </button>
            )}
            <button type="button" onClick={clear} disabled={text === ''}>
              Clear
            </button>
          </div>
          {other !== undefined && (
            <TextBox
              id="other"
              label="Second transaction, hex or case"
              text={other}
              onText={setOther}
            />
          )}
          <p role="status" class="hint">
            {note}
          </p>
        </form>
        {other !== undefined && <Comparison first={subject} second={compared} />}
        {subject !== undefined && <SubjectView subject={subject} />}
      </main>
    </div>
  )
}

function shownOf(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}

function TextBox({
  id,
  label,
  text,
  onText,
}: {
  readonly id: string
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
}): JSX.Element {
  return (
    <>
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={4}
        spellcheck={false}
        autocomplete="off"
        value={shownOf(text)}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </>
  )
}

/** A verdict compares the transaction with the request, and a link contains both. */
const ofLink = 'This came with the link: its maker wrote the request and chose the evidence.'

/**
 * Returns the content of the page's address, or why it cannot be read; undefined if it is empty.
 */
async function linkNow(): Promise<(Linked & { readonly note: string }) | undefined> {
  try {
    const linked = await unpackLink(location.hash, names)
    return linked && { ...linked, note: ofLink }
  } catch (error) {
    // The text that was there before would look as if it came from this link.
    const note = `The link cannot be read: ${brief(messageOf(error))}`
    return { text: '', network: 'assetChain', note }
  }
}

function SubjectView({ subject }: { readonly subject: Subject }): JSX.Element {
  switch (subject.kind) {
    case 'transaction':
      return <TransactionView key={subject.hex} subject={subject} />
    case 'condition':
      return (
        <section>
          <h2>{subject.what}</h2>
          <Tree
            branches={[
              ...subject.facts.map(([name, value]) => ({ name, value })),
              ...(subject.tree === undefined ? [] : [treeBranch(subject.tree)]),
            ]}
          />
        </section>
      )
    case 'script':
      return (
        <section>
          <h2>Script</h2>
          <Tree
            branches={[
              ...subject.facts.slice(0, 2).map(([name, value]) => ({ name, value })),
              { name: 'script', inside: scriptBranches(subject.script, subject.network) },
            ]}
          />
        </section>
      )
    case 'trouble':
      return <Trouble {...subject} />
  }
}

function Trouble({
  message,
  hex,
  offset,
}: {
  readonly message: string
  readonly hex?: string
  readonly offset?: number
}): JSX.Element {
  const from = Math.max(0, 2 * (offset ?? 0) - 80)
  return (
    <section class="trouble" aria-labelledby="trouble">
      <h2 id="trouble">This cannot be read</h2>
      <p>{safe(message)}</p>
      {hex !== undefined && offset !== undefined && (
        <p class="hex">
          {from > 0 && '…'}
          {hex.slice(from, 2 * offset)}
          <mark>{hex.slice(2 * offset, 2 * offset + 2) || 'ends here'}</mark>
          {hex.slice(2 * offset + 2, 2 * offset + 82)}
        </p>
      )}
    </section>
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

render(<Page />, document.getElementById('page')!)
