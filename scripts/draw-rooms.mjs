// Draws docs/rooms.svg: the folders of src/ and their imports, as they stand. A folder is above
// everything that it imports. An arrow that follows from two others is left out. With --check, writes
// nothing and fails if the picture is stale.

import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

import { writeGenerated } from './generated.mjs'

const root = new URL('..', import.meta.url)
const box = { width: 204, height: 46, gap: 22 }
const rowHeight = 92
const edge = 20

const captions = {
  audit: 'a ledger of tokens, from blocks',
  block: 'blocks, headers, inclusion proofs',
  builders: 'transactions from requests',
  chain: 'networks, modules and limits',
  'chain-source': 'one interface to every chain',
  cli: 'the commands',
  condition: 'crypto-conditions',
  electrum: 'client of Electrum servers',
  engine: 'calls of the native core',
  errors: 'codes and the error class',
  guard: 'verifies for any program',
  journal: 'attempts that outlive a process',
  node: 'development node',
  primitives: 'hex, amounts, arguments',
  request: 'intents, cases, findings, reports',
  rpc: 'clients and safe flows',
  script: 'scripts and addresses',
  selection: 'coins to spend',
  server: 'HTTP server of node and guard',
  signing: 'signatures',
  token: 'payloads, rules, proofs of tokens',
  transaction: 'reading and writing',
  verification: 'compares hex with its request',
  wallet: 'keys here, chain anywhere',
}

const rooms = Object.keys(captions)
const imports = new Map(rooms.map((room) => [room, importsOf(room)]))
const found = readdirSync(new URL('src', root)).filter((name) => !name.endsWith('.ts'))
const unnamed = found.filter((room) => !rooms.includes(room))
if (unnamed.length > 0) throw new Error(`draw-rooms.mjs has no caption for ${unnamed}`)
const floors = new Map()
for (const room of rooms) floorOf(room)
writeGenerated([['docs/rooms.svg', draw()]])

/** Returns the other folders of src/ that files of a folder import. */
function importsOf(room) {
  const texts = readdirSync(new URL(`src/${room}`, root), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [
      `src/${room}/${name}`,
      readFileSync(new URL(`src/${room}/${name}`, root), 'utf8'),
    ])
  const targets = texts.flatMap(([path, text]) =>
    [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target]) =>
      posix.join(posix.dirname(path), target),
    ),
  )
  const names = targets.filter((path) => path.startsWith('src/')).map((path) => path.split('/')[1])
  return [...new Set(names)].filter((name) => name !== room && rooms.includes(name)).sort()
}

/** Returns 0 for a folder without imports, else one more than the highest floor that it imports. */
function floorOf(room) {
  if (!floors.has(room)) {
    floors.set(room, Math.max(-1, ...imports.get(room).map(floorOf)) + 1)
  }
  return floors.get(room)
}

/** Returns true if a folder imports another one by way of a third. */
function isImplied(from, to) {
  return imports.get(from).some((between) => between !== to && reaches(between, to))
}

function reaches(from, to) {
  return from === to || imports.get(from).some((room) => reaches(room, to))
}

function draw() {
  const top = Math.max(...floors.values())
  const rows = Array.from({ length: top + 1 }, (_, at) =>
    rooms.filter((room) => floors.get(room) === top - at),
  )
  const widest = Math.max(...rows.map((row) => row.length))
  const width = 2 * edge + widest * (box.width + box.gap) - box.gap
  const height = 2 * edge + top * rowHeight + box.height
  const places = new Map(rows.flatMap((row, at) => placed(row, at, width)))
  const arrows = rooms.flatMap((room) =>
    imports
      .get(room)
      .filter((target) => !isImplied(room, target))
      .map((target) => arrowText(places.get(room), places.get(target))),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="rooms">
<title id="rooms">The folders of src/ and their imports</title>
<style>
  svg { background: #fff; font: 11px ui-sans-serif, system-ui, sans-serif; }
  .box { fill: #f6f8fa; stroke: #57606a; } .line { fill: none; stroke: #0969da; stroke-width: 1.2; }
  text { fill: #1f2328; } .name { font: 600 13px ui-monospace, monospace; } .head { fill: #0969da; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; } .box { fill: #161b22; stroke: #8b949e; }
    text { fill: #e6edf3; } .line { stroke: #58a6ff; } .head { fill: #58a6ff; }
  }
</style>
<defs><marker id="into" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
${arrows.join('\n')}
${[...places].map(([room, place]) => boxText(room, place)).join('\n')}
</svg>
`
}

/** Centres the folders of one floor. */
function placed(row, at, width) {
  const step = box.width + box.gap
  const left = (width - row.length * step + box.gap) / 2
  return row.map((room, index) => [room, { x: left + index * step, y: edge + at * rowHeight }])
}

function arrowText(from, to) {
  const [x1, y1, x2, y2] = [from.x + box.width / 2, from.y + box.height, to.x + box.width / 2, to.y]
  const bend = Math.max(26, (y2 - y1) / 3)
  const path = `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 1}`
  return `<path class="line" d="${path}" marker-end="url(#into)"/>`
}

function boxText(room, { x, y }) {
  const rect = `<rect class="box" x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="5"/>`
  const text = (style, down, words) =>
    `<text${style} x="${x + box.width / 2}" y="${y + down}" text-anchor="middle">${words}</text>`
  return [rect, text(' class="name"', 19, room), text('', 36, captions[room])].join('\n')
}
