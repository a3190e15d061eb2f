// Draws docs/transfer.svg, the inputs and outputs of a recorded token transfer, and
// docs/checked.svg, what each part of it is compared with. Both come from examples/transfer.json
// and the compiled library: npm run build:ts first. With --check, writes nothing and fails if one
// is stale.

import { readFileSync } from 'node:fs'

import { writeGenerated } from './generated.mjs'

const root = new URL('..', import.meta.url)
const { decodeTransaction, parseCase, transactionId, verifyCase } = await import(
  new URL('dist/index.js', root)
)
const given = parseCase(readFileSync(new URL('examples/transfer.json', root), 'utf8'))
const report = verifyCase(given)
if (!report.ok) throw new Error('examples/transfer.json does not agree with what was asked')
const tx = decodeTransaction(given.hex)
const previous = new Map(
  [...given.evidence.previousTransactions, given.evidence.tokenCreate].map((hex) => [
    transactionId(hex),
    decodeTransaction(hex),
  ]),
)

const short = (text) => `${text.slice(0, 8)}…`
const coins = (sats) => `${sats / 100000000n}.${String(sats % 100000000n).padStart(8, '0')} coins`
const units = (value) => `${value} units`
const isToken = (script) => script.endsWith('cc')

const spent = tx.inputs.map(({ txid, vout }) => {
  const { value, script } = previous.get(txid).outputs[vout]
  return { from: `${short(txid)} output ${vout}`, value, isToken: isToken(script) }
})
const tokensIn = spent.filter((coin) => coin.isToken).reduce((sum, { value }) => sum + value, 0n)
const nativeIn = spent.filter((coin) => !coin.isToken).reduce((sum, { value }) => sum + value, 0n)
const change = report.effects.find(({ role }) => role === 'native-change').value
const { amount, destination, tokenid } = given.intent

const style = `<style>
  svg { background: #fff; font: 13px ui-sans-serif, system-ui, sans-serif; }
  .box { fill: #fff; stroke: #57606a; } .group { fill: #f6f8fa; }
  text { fill: #1f2328; } .title { font-size: 14px; font-weight: 600; } .small { font-size: 11px; fill: #57606a; }
  .tokens { fill: none; stroke: #9a6700; stroke-width: 2.5; } .coins { fill: none; stroke: #0969da; stroke-width: 2.5; }
  .link { fill: none; stroke: #8c959f; stroke-width: 1.5; } .agrees { fill: #1a7f37; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; } .box { fill: #0d1117; stroke: #8b949e; } .group { fill: #161b22; }
    text { fill: #e6edf3; } .small { fill: #8b949e; }
    .tokens { stroke: #d29922; } .coins { stroke: #58a6ff; } .link { stroke: #6e7681; } .agrees { fill: #3fb950; }
  }
</style>`

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function box(x, y, width, lines, { height = 26 + 16 * (lines.length - 1), agrees = false } = {}) {
  const texts = lines.map(
    (line, at) =>
      `<text${at === 0 ? '' : ' class="small"'} x="${x + 10}" y="${y + 18 + 16 * at}">${escaped(line)}</text>`,
  )
  const agreed = agrees
    ? `<text class="agrees" x="${x + width - 18}" y="${y + 18}" font-weight="700">✓</text>`
    : ''
  return `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="5"/>\n${texts.join('\n')}${agreed}`
}

function curve(kind, x1, y1, x2, y2) {
  const middle = (x1 + x2) / 2
  return `<path class="${kind}" d="M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}"/>`
}

function picture(width, height, title, parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
${style}
${parts.join('\n')}
</svg>
`
}

function transfer() {
  const [left, middle, right, wide] = [20, 330, 560, 250]
  const rowOf = (at) => 62 + at * 62
  const centre = rowOf(1) + 42
  const made = report.effects.map(({ role, value }) => {
    switch (role) {
      case 'destination':
        return { kind: 'tokens', lines: [units(value), `to the key ${short(destination)}`] }
      case 'token-change':
        return { kind: 'tokens', lines: [units(value), 'back to the sender'] }
      case 'native-change':
        return { kind: 'coins', lines: [coins(value), 'back to the sender'] }
      default:
        return {
          kind: 'link',
          lines: ['nulldata, worth nothing', `names the token ${short(tokenid)}`],
        }
    }
  })
  return picture(830, 320, 'A token transfer: what it spends and what it makes', [
    `<text class="title" x="${left}" y="36">spends</text>`,
    `<text class="title" x="${middle}" y="36">the transaction</text>`,
    `<text class="title" x="${right}" y="36">makes</text>`,
    ...spent.map((coin, at) =>
      curve(coin.isToken ? 'tokens' : 'coins', left + wide - 20, rowOf(at) + 42, middle, centre),
    ),
    ...made.map(({ kind }, at) => curve(kind, middle + 170, centre, right, rowOf(at) + 21)),
    ...spent.map((coin, at) =>
      box(left, rowOf(at) + 21, wide - 20, [
        coin.isToken ? units(coin.value) : coins(coin.value),
        coin.from,
      ]),
    ),
    box(middle, centre - 29, 170, [
      short(report.txid),
      `${given.hex.length / 2} bytes`,
      `fee ${coins(report.fee)}`,
    ]),
    ...made.map(({ lines }, at) => box(right, rowOf(at), wide, lines)),
  ])
}

function checked() {
  const [left, middle, right, wide] = [20, 310, 640, 230]
  const parts = [
    {
      lines: ['input 0', `spends ${coins(spent[0].value)}`],
      evidence: [`${spent[0].from}`, 'own coins; signed by the sender alone'],
    },
    {
      lines: ['input 1', `spends ${units(spent[1].value)}`],
      evidence: [`${spent[1].from}`, 'own tokens of this token'],
    },
    {
      requested: [`${units(amount)}`, `to ${short(destination)}`],
      lines: ['output 0', `${units(report.effects[0].value)}, to the script of that key`],
    },
    {
      lines: ['output 1', `${units(report.effects[1].value)}, back to the sender`],
      evidence: ['the rest, exactly', `${tokensIn} − ${amount} = ${tokensIn - amount}`],
    },
    {
      requested: ['fee at most', coins(20000n)],
      lines: ['output 2', `${coins(change)}, back to the sender`],
      evidence: ['what came in but for the fee', `fee ${nativeIn - change} satoshis`],
    },
    {
      requested: ['the token', `${tokenid.slice(0, 24)}…`],
      lines: ['output 3, nulldata', 'names this token and this key alone'],
    },
    {
      lines: [
        'header and the rest',
        `version ${tx.version}, expires at ${tx.expiryHeight}, nothing else`,
      ],
      evidence: [`the tip is ${given.evidence.tipHeight}`, 'at most 400 blocks from there'],
    },
  ]
  const rowOf = (at) => 58 + at * 58
  const rows = parts.flatMap(({ requested, lines, evidence }, at) => {
    const y = rowOf(at) + 21
    return [
      ...(requested === undefined ? [] : [curve('link', left + wide, y, middle, y)]),
      ...(evidence === undefined ? [] : [curve('link', middle + 280, y, right, y)]),
      ...(requested === undefined ? [] : [box(left, rowOf(at), wide, requested)]),
      box(middle, rowOf(at), 280, lines, { agrees: true }),
      ...(evidence === undefined ? [] : [box(right, rowOf(at), wide + 20, evidence)]),
    ]
  })
  return picture(
    910,
    rowOf(parts.length) + 6,
    'What a verdict compares each part of a transfer with',
    [
      `<text class="title" x="${left}" y="36">what you asked for</text>`,
      `<text class="title" x="${middle}" y="36">the transaction</text>`,
      `<text class="title" x="${right}" y="36">previous transactions</text>`,
      ...rows,
    ],
  )
}

writeGenerated([
  ['docs/transfer.svg', transfer()],
  ['docs/checked.svg', checked()],
])
