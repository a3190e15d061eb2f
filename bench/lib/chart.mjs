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
const escaped = (text) => text.replace(/[&<>"]/g, (mark) => escapes[mark])

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
