// Draws docs/demo.svg, a terminal with a run of `antara-tx demo`: npm run build:ts first. Each run
// has other txids, so a picture that differs in nothing else stays. With --check, writes nothing and
// fails if it is stale.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { writeGenerated } from './generated.mjs'

const root = new URL('..', import.meta.url)
const path = 'docs/demo.svg'
const command = fileURLToPath(new URL('dist/cli/main.js', root))

const character = 7.8
const lineHeight = 19
const margin = 16
/** A telephone of 390 pixels then shows letters of 10 pixels. */
const columns = 52
/** Height of the bar of the window. */
const bar = 30

/** Words that have a color, so that the results stand out. */
const results = /(does what was asked|not broadcast)/

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function colored(line) {
  return line
    .split(results)
    .map((part, at) =>
      at % 2 === 0
        ? escaped(part)
        : `<tspan class="${part.startsWith('not') ? 'refused' : 'agrees'}">${part}</tspan>`,
    )
    .join('')
}

/** Breaks a line between its words, and shortens a word that fits in no line. */
function broken(line) {
  const indent = /^ */.exec(line)[0]
  // A result keeps its color, so it stays in one line.
  const [first = '', ...rest] = line.slice(indent.length).split(/ (?! |broadcast$)/)
  const lines = [indent + first]
  for (const word of rest) {
    const short = word.length > columns / 2 ? `${word.slice(0, 20)}…` : word
    if (lines.at(-1).length + 1 + short.length <= columns) lines.push(`${lines.pop()} ${short}`)
    else lines.push(`${indent}    ${short.trimStart()}`)
  }
  return lines
}

function draw(output) {
  const lines = output.trimEnd().split('\n').flatMap(broken)
  const width = Math.ceil(2 * margin + columns * character)
  const height = bar + (lines.length + 2) * lineHeight + margin
  const at = (index) => bar + (index + 1) * lineHeight
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">A terminal: antara-tx demo transfers a token and refuses four tampered transactions</title>
<style>
  .window { fill: #0d1117; stroke: #30363d; } .bar { fill: #30363d; }
  text { fill: #e6edf3; font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; }
  .prompt { fill: #8b949e; } .agrees { fill: #3fb950; font-weight: 600; } .refused { fill: #ff7b72; font-weight: 600; }
</style>
<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${[0, 1, 2].map((dot) => `<circle class="bar" cx="${margin + 4 + dot * 18}" cy="16" r="5"/>`).join('')}
<text xml:space="preserve" x="${margin}" y="${at(0)}"><tspan class="prompt">$ </tspan>npx antara-tx demo</text>
${lines
  .map((line, index) =>
    line === ''
      ? ''
      : `<text xml:space="preserve" x="${margin}" y="${at(index + 1)}">${colored(line)}</text>\n`,
  )
  .join('')}</svg>
`
}

const masked = (text) => text.replaceAll(/[0-9a-f]{20}…/g, 'TXID')

const drawn = draw(execFileSync(process.execPath, [command, 'demo'], { encoding: 'utf8' }))
const url = new URL(path, root)
const before = existsSync(url) ? readFileSync(url, 'utf8') : ''
writeGenerated([[path, masked(drawn) === masked(before) ? before : drawn]])
