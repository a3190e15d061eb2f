// The bytes, each lit by the field that it belongs to.

import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { type Field, isWithin } from './fields.ts'

interface HexViewProps {
  readonly hex: string
  readonly fields: readonly Field[]
  readonly selected: string | undefined
  /** By path, whether a finding rejects or warns there. */
  readonly marks: ReadonlyMap<string, string>
  readonly onSelect: (path: string) => void
}

/** Fields that are shown, and characters of one. The page says that the rest is cut. */
const fieldsMax = 3000
const charactersMax = 4000

/** A list of fields, walked through by the arrow keys. */
export function HexView({ hex, fields, selected, marks, onSelect }: HexViewProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null)
  const shown = fields.slice(0, fieldsMax)
  const current = Math.max(
    0,
    shown.findIndex(({ path }) => selected !== undefined && isWithin(path, selected)),
  )

  function walk(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    const target =
      step === undefined
        ? { Home: 0, End: shown.length - 1 }[event.key]
        : Math.min(shown.length - 1, Math.max(0, current + step))
    if (target === undefined) return
    event.preventDefault()
    onSelect(shown[target]!.path)
    list.current?.children[target]?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <div
      ref={list}
      class="hex"
      role="listbox"
      tabIndex={0}
      aria-label="Bytes by field; arrow keys go from field to field"
      aria-activedescendant={shown.length > 0 ? `field-${current}` : undefined}
      onKeyDown={walk}
    >
      {shown.map(({ path, kind, start, end, meaning }, at) => {
        const isSelected = selected !== undefined && isWithin(path, selected)
        return (
          // The list has the keyboard.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          // biome-ignore lint/a11y/useFocusableInteractive: see above
          <span
            key={path}
            id={`field-${at}`}
            role="option"
            aria-selected={isSelected}
            title={`${path}: ${meaning}`}
            class={`bytes is-${kind} ${isSelected ? 'is-selected' : ''} ${marks.has(path) ? `has-${marks.get(path)}` : ''}`}
            onClick={() => onSelect(path)}
          >
            <span class="spoken">{`${path}, ${end - start} bytes: ${meaning}. `}</span>
            {cut(hex.slice(2 * start, 2 * end))}
          </span>
        )
      })}
      {fields.length > shown.length && (
        // biome-ignore lint/a11y/useFocusableInteractive: the list has the keyboard
        <span role="option" aria-selected="false">
          {` and ${fields.length - shown.length} more fields`}
        </span>
      )}
    </div>
  )
}

function cut(text: string): string {
  if (text.length <= charactersMax) return text
  return `${text.slice(0, charactersMax)}… ${(text.length - charactersMax) / 2} bytes more`
}
