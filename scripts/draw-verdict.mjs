// Draws docs/verdict.svg, the way of a hex string from the command line to the report, from
// docs/verdict.txt. With --check, writes nothing and fails when the picture is stale or a file that
// it names is gone.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const root = new URL('..', import.meta.url)
const source = new URL('docs/verdict.txt', root)
const target = new URL('docs/verdict.svg', root)

const laneWidth = 330
const laneGap = 18
const boxHeight = { line: 16, padding: 9 }
const arrowHeight = 34
/** Where an arrow turns to another lane, below the box that it leaves. */
const turnAt = 20
const top = 58

/** @returns {{ lanes: { id: string, title: string }[], steps: Step[] }} */
function parse(text) {
  const lanes = []
  const steps = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [word, ...rest] = line.split(/\s+/)
    const tail = rest.join(' ')
    if (word === 'lane') {
      lanes.push({ id: rest[0], title: rest.slice(1).join(' ') })
    } else if (word === '>') {
      steps.at(-1).passes = tail
    } else {
      const [files, does] = tail.split(' | ')
      if (does === undefined) throw new Error(`verdict.txt: no " | " in: ${line}`)
      const lane = lanes.findIndex(({ id }) => id === word)
      if (lane < 0) throw new Error(`verdict.txt: no lane ${word}`)
      steps.push({ lane, files: files.split(' '), does })
    }
  }
  return { lanes, steps }
}

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const left = (lane) => laneGap + lane * (laneWidth + laneGap)
const middle = (lane) => left(lane) + laneWidth / 2
const heightOf = ({ files }) => (files.length + 1) * boxHeight.line + 2 * boxHeight.padding

function draw({ lanes, steps }) {
  let y = top
  const placed = steps.map((step) => {
    const box = { ...step, y, height: heightOf(step) }
    y += box.height + arrowHeight
    return box
  })
  const [width, height] = [left(lanes.length), y - arrowHeight + laneGap]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">The way of a hex string from the command line to the report</title>
<style>
  svg { background: #fff; font: 12px ui-sans-serif, system-ui, sans-serif; }
  .lane { fill: #f6f8fa; } .box { fill: #fff; stroke: #57606a; } .line { fill: none; stroke: #0969da; stroke-width: 1.5; }
  text { fill: #1f2328; } .title { font-size: 14px; font-weight: 600; } .file { font: 11px ui-monospace, monospace; fill: #57606a; }
  .passes { fill: #0969da; } .head { fill: #0969da; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; } .lane { fill: #161b22; } .box { fill: #0d1117; stroke: #8b949e; }
    text { fill: #e6edf3; } .file { fill: #8b949e; } .line { stroke: #58a6ff; } .passes, .head { fill: #58a6ff; }
  }
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
${lanes.map((lane, index) => laneText(lane, index, height)).join('\n')}
${placed.map(boxText).join('\n')}
${placed
  .slice(1)
  .map((box, index) => arrowText(placed[index], box))
  .join('\n')}
</svg>
`
}

function laneText({ title }, index, height) {
  const rect = `<rect class="lane" x="${left(index)}" y="12" width="${laneWidth}" height="${height - 24}" rx="8"/>`
  return `${rect}\n<text class="title" x="${middle(index)}" y="36" text-anchor="middle">${escaped(title)}</text>`
}

function boxText({ lane, files, does, y, height }) {
  const x = left(lane) + 12
  const rect = `<rect class="box" x="${x}" y="${y}" width="${laneWidth - 24}" height="${height}" rx="5"/>`
  const lineAt = (index) => y + boxHeight.padding + boxHeight.line * index + 12
  const named = files.map(
    (file, index) =>
      `<text class="file" x="${x + 10}" y="${lineAt(index + 1)}">${escaped(file)}</text>`,
  )
  return [rect, `<text x="${x + 10}" y="${lineAt(0)}">${escaped(does)}</text>`, ...named].join('\n')
}

function arrowText(from, to) {
  const [x1, y1, x2, y2] = [middle(from.lane), from.y + from.height, middle(to.lane), to.y]
  const turn = y1 + turnAt
  const path = x1 === x2 ? `M${x1} ${y1}V${y2 - 1}` : `M${x1} ${y1}V${turn}H${x2}V${y2 - 1}`
  const label = x1 === x2 ? { x: x1 + 8, y: turn + 4 } : { x: (x1 + x2) / 2 + 8, y: turn - 4 }
  return `<path class="line" d="${path}" marker-end="url(#head)"/>\n<text class="passes" x="${label.x}" y="${label.y}">${escaped(from.passes ?? '')}</text>`
}

const flow = parse(readFileSync(source, 'utf8'))
const gone = flow.steps
  .flatMap(({ files }) => files)
  .filter((file) => !existsSync(new URL(file, root)))
if (gone.length > 0) {
  console.error(`docs/verdict.txt names files that are gone: ${gone.join(', ')}`)
  process.exit(1)
}
const picture = draw(flow)
if (process.argv.includes('--check')) {
  const isCurrent = existsSync(target) && readFileSync(target, 'utf8') === picture
  if (!isCurrent) console.error('docs/verdict.svg is stale: npm run generate')
  process.exitCode = isCurrent ? 0 : 1
} else {
  writeFileSync(target, picture)
}
