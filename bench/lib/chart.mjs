/**
 * @typedef {{ label: string, value: number, text: string, ours: boolean }} Bar
 * @typedef {{ label: string, bars: Bar[] }} Group
 */

const width = 900
const labelWidth = 190
const textWidth = 190
const barHeight = 16
const barStep = 20
const groupGap = 34
const colors = {
  ours: '#0b7a75',
  peer: '#9aa5b1',
  ink: '#1f2933',
  faint: '#616e7c',
  rule: '#7b8794',
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** @param {string} text */
export const escaped = (text) => text.replace(/[&<>"]/g, (character) => escapes[character])

/** @param {number} x @param {number} y @param {string} text @param {string} [extra] */
const label = (x, y, text, extra = '') => `<text x="${x}" y="${y}"${extra}>${escaped(text)}</text>`

/**
 * Horizontal bars in groups, on one linear scale from zero, with a rule at 1.
 *
 * @param {{ title: string, subtitle: string, groups: Group[], footer: string }} chart
 * @returns {string} SVG that needs nothing from elsewhere
 */
export function barChart({ title, subtitle, groups, footer }) {
  const longest = Math.max(1, ...groups.flatMap(({ bars }) => bars.map(({ value }) => value)))
  const scale = (width - labelWidth - textWidth) / longest
  const parts = []
  let y = 62
  for (const group of groups) {
    y += groupGap
    parts.push(label(16, y - 8, group.label, ' font-weight="600"'))
    for (const bar of group.bars) {
      const length = (bar.value * scale).toFixed(1)
      const fill = bar.ours ? colors.ours : colors.peer
      parts.push(
        label(labelWidth - 8, y + 12, bar.label, ' text-anchor="end"'),
        `<rect x="${labelWidth}" y="${y}" width="${length}" height="${barHeight}" fill="${fill}"/>`,
        label(labelWidth + Number(length) + 6, y + 12, bar.text, ` fill="${colors.faint}"`),
      )
      y += barStep
    }
  }
  const rule = (labelWidth + scale).toFixed(1)
  const height = y + 40
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" fill="${colors.ink}" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    label(16, 28, title, ' font-size="18" font-weight="600"'),
    label(16, 48, subtitle, ` fill="${colors.faint}"`),
    ...parts,
    `<line x1="${rule}" x2="${rule}" y1="62" y2="${y}" stroke="${colors.rule}" stroke-dasharray="3 3"/>`,
    label(16, height - 14, footer, ` font-size="11" fill="${colors.faint}"`),
    '</svg>',
    '',
  ].join('\n')
}

const lineColors = ['#0b7a75', '#c2410c', '#1d4ed8', '#9aa5b1', '#7c3aed', '#a16207', '#be185d']
const plotLeft = 60
const plotWidth = 640
const plotTop = 70
const plotHeight = 320

/**
 * Lines over a common x axis, both axes linear from zero.
 *
 * @param {{ title: string, subtitle: string, xMax: number, xLabel: string,
 *   lines: { label: string, values: number[] }[] }} chart `values` are evenly spaced from 0 to `xMax`
 * @returns {string} SVG that needs nothing from elsewhere
 */
export function lineChart({ title, subtitle, xMax, xLabel, lines }) {
  const yMax = Math.max(1, ...lines.flatMap(({ values }) => values))
  const x = (/** @type {number} */ part) => plotLeft + part * plotWidth
  const y = (/** @type {number} */ value) => plotTop + plotHeight * (1 - value / yMax)
  const bottom = plotTop + plotHeight
  const parts = lines.flatMap(({ label: name, values }, at) => {
    const color = lineColors[at % lineColors.length]
    const points = values.map(
      (value, index) => `${x(index / (values.length - 1)).toFixed(1)},${y(value).toFixed(1)}`,
    )
    const nameY = plotTop + 14 + 20 * at
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
      `<rect x="${x(1) + 14}" y="${nameY - 9}" width="12" height="4" fill="${color}"/>`,
      label(x(1) + 32, nameY, name),
    ]
  })
  const ticks = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => [
    label(x(part), bottom + 18, `${Math.round(part * xMax)}`, ' text-anchor="middle"'),
    label(plotLeft - 8, y(part * yMax) + 4, `${Math.round(part * yMax)}`, ' text-anchor="end"'),
    `<line x1="${plotLeft}" x2="${x(1)}" y1="${y(part * yMax)}" y2="${y(part * yMax)}" stroke="${colors.peer}" stroke-opacity="0.4"/>`,
  ])
  const height = bottom + 56
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" fill="${colors.ink}" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    label(16, 28, title, ' font-size="18" font-weight="600"'),
    label(16, 48, subtitle, ` fill="${colors.faint}"`),
    ...ticks,
    ...parts,
    label(x(0.5), bottom + 40, xLabel, ` text-anchor="middle" fill="${colors.faint}"`),
    '</svg>',
    '',
  ].join('\n')
}
