// The transaction as a picture: who gives what, who gets what.

import { type SankeyLink, type SankeyNode, sankey, sankeyLinkHorizontal } from 'd3-sankey'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { coins, type Flow, type Part } from './flow.ts'
import { amountText, assetColor, shortened } from './words.ts'

interface PictureProps {
  readonly flows: readonly Flow[]
  readonly selected: string | undefined
  readonly onSelect: (path: string) => void
}

interface Place {
  readonly part?: Part
  readonly side: 'in' | 'out' | 'middle'
}

interface Weight {
  readonly path: string
}

/** The width in use until the page knows its own. */
const widthAtFirst = 720
const rowHeight = 46
const lineHeight = 15
/** Between a node and its label. */
const labelGap = 8
/** The width of a character of the page's text at 13 px, rounded up. */
const letterWidth = 8.5
/** Rows of one side that are drawn; the lists below have all. */
const rowsMax = 40

export function Picture({ flows, selected, onSelect }: PictureProps): JSX.Element {
  const room = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(widthAtFirst)
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width))
    watcher.observe(room.current!)
    return () => watcher.disconnect()
  }, [])
  return (
    <div ref={room}>
      {flows.map((flow) => (
        <FlowPicture key={flow.asset} {...{ flow, width, selected, onSelect }} />
      ))}
    </div>
  )
}

type FlowPictureProps = Omit<PictureProps, 'flows'> & {
  readonly flow: Flow
  readonly width: number
}

function FlowPicture({ flow, width, selected, onSelect }: FlowPictureProps): JSX.Element {
  const inputs = flow.inputs.slice(0, rowsMax)
  const outputs = flow.outputs.slice(0, rowsMax)
  const left = flow.inputs.length + flow.outputs.length - inputs.length - outputs.length
  const height = rowHeight * Math.max(inputs.length, outputs.length, 1)
  const gutters = [inputs, outputs].map((parts) => gutterOf(parts, flow.asset, width))
  const { nodes, links } = laidOut({ inputs, outputs, width, height, gutters })
  const color = assetColor(flow.asset)
  const name = flow.asset === coins ? 'Coins' : `Token ${shortened(flow.asset)}`
  return (
    <figure style={{ '--asset': color }}>
      <figcaption>
        <span class="swatch" aria-hidden="true" /> {name}
        {left > 0 && `, ${left} more in the lists below`}
      </figcaption>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        aria-hidden="true"
        focusable="false"
      >
        {links.map((link) => (
          <path
            key={link.path}
            d={sankeyLinkHorizontal()(link as never) ?? ''}
            stroke-width={Math.max(1, link.width ?? 1)}
            class={`flow ${link.path === selected ? 'is-selected' : ''}`}
          />
        ))}
        {nodes.map(({ part, side, x0 = 0, x1 = 0, y0 = 0, y1 = 0 }) => {
          const center = (y0 + y1) / 2
          const isKnown = part === undefined || part.amount !== undefined
          const isSelected = part !== undefined && part.path === selected
          return (
            // The lists below are for the keyboard; this is the same for the mouse.
            // biome-ignore lint/a11y/noStaticElementInteractions: see above
            <g
              key={`${side}${part?.path ?? ''}`}
              class={`node ${isKnown ? '' : 'is-unknown'} ${isSelected ? 'is-selected' : ''}`}
              onClick={() => part !== undefined && onSelect(part.path)}
            >
              <rect x={x0} y={y0} width={x1 - x0} height={Math.max(2, y1 - y0)} rx="2" />
              {part !== undefined && (
                <Label
                  lines={labelOf(part, flow.asset)}
                  x={side === 'in' ? x0 - labelGap : x1 + labelGap}
                  y={center}
                  anchor={side === 'in' ? 'end' : 'start'}
                  room={gutters[side === 'in' ? 0 : 1]! - labelGap}
                />
              )}
            </g>
          )
        })}
      </svg>
    </figure>
  )
}

/** The label beside a node: its role over its amount, where no flow is drawn. */
function labelOf({ label, amount }: Part, asset: string): readonly string[] {
  return [label, amountText(amount, asset)]
}

/** The room for labels on one side: as much as the longest takes, while the flows keep a third. */
function gutterOf(parts: readonly Part[], asset: string, width: number): number {
  const letters = parts.flatMap((part) => labelOf(part, asset).map(({ length }) => length))
  return Math.min(labelGap + letterWidth * Math.max(0, ...letters), width / 3)
}

interface LabelProps {
  readonly lines: readonly string[]
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'end'
  readonly room: number
}

function Label({ lines, x, y, anchor, room }: LabelProps): JSX.Element {
  const first = y - ((lines.length - 1) * lineHeight) / 2
  return (
    <>
      {lines.map((line, at) => (
        <text
          key={line}
          x={x}
          y={first + at * lineHeight}
          text-anchor={anchor}
          dominant-baseline="middle"
          {...(line.length * letterWidth > room && {
            textLength: room,
            lengthAdjust: 'spacingAndGlyphs',
          })}
        >
          {line}
        </text>
      ))}
    </>
  )
}

type Node = SankeyNode<Place, Weight>
type Link = SankeyLink<Place, Weight>

interface Drawing {
  readonly inputs: readonly Part[]
  readonly outputs: readonly Part[]
  readonly width: number
  readonly height: number
  /** Left and right, for the labels. */
  readonly gutters: readonly number[]
}

function laidOut({ inputs, outputs, width, height, gutters }: Drawing): {
  nodes: Node[]
  links: Link[]
} {
  const middle: Place = { side: 'middle' }
  const ins = inputs.map((part): Place => ({ part, side: 'in' }))
  const outs = outputs.map((part): Place => ({ part, side: 'out' }))
  const places = [...ins, middle, ...outs]
  const links = [
    ...ins.map((place, at) => ({
      path: place.part!.path,
      source: at,
      target: ins.length,
      value: weights(inputs, outputs)[at]!,
    })),
    ...outs.map((place, at) => ({
      path: place.part!.path,
      source: ins.length,
      target: ins.length + 1 + at,
      value: weights(outputs, inputs)[at]!,
    })),
  ]
  if (links.length === 0) return { nodes: [], links: [] }
  const layout = sankey<Place, Weight>()
    .nodeWidth(10)
    .nodePadding(2 * lineHeight + 2)
    .nodeSort(null)
    .extent([
      [gutters[0]! + 1, lineHeight],
      [width - gutters[1]! - 1, height - lineHeight],
    ])
  return layout({ nodes: places.map((place) => ({ ...place })), links })
}

/**
 * Returns the thickness of each flow as a share of the larger side, so that a part that is missing
 * on the other side shows. An amount that is unknown or too small to see gets the least thickness.
 */
function weights(parts: readonly Part[], others: readonly Part[]): number[] {
  const sum = (of: readonly Part[]) => of.reduce((total, { amount = 0n }) => total + amount, 0n)
  const [own, other] = [sum(parts), sum(others)]
  const whole = Number(own > other ? own : other) || 1
  return parts.map(({ amount }) => {
    const share = amount === undefined ? 1 / parts.length : Number(amount) / whole
    return Math.max(0.02, share)
  })
}
