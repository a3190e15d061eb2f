// For readers that are programs: llms.txt, which lists the pages in the form of llmstxt.org, and the
// Markdown of every page beside its HTML.

/**
 * Returns the text of llms.txt.
 *
 * @param {{ path: string, text: string }[]} pages - Markdown by its path in the site
 * @returns {string}
 */
export function llmsText(pages) {
  const rows = pages.map(({ path, text }) => ({ path, ...headOf(text) }))
  const part = (title, isIn) => {
    const lines = rows
      .filter(({ path }) => isIn(path))
      .map(({ path, title: name, first }) => `- [${name}](${path})${first && `: ${first}`}`)
    return lines.length === 0 ? [] : [`## ${title}\n\n${lines.join('\n')}\n`]
  }
  const isReference = (path) => path.startsWith('docs/reference/')
  const isDecision = (path) => path.startsWith('docs/adr/')
  const isGuide = (path) => !isReference(path) && !isDecision(path)
  const { title, first } = headOf(pages.find(({ path }) => path === 'index.md').text)
  return [
    `# ${title}\n\n> ${first}\n`,
    ...part('Guides', isGuide),
    ...part('Reference', isReference),
    ...part('Optional', isDecision),
  ].join('\n')
}

/**
 * Returns the title of a page, and the first line of its first paragraph as plain text.
 *
 * @param {string} text
 * @returns {{ title: string, first: string }}
 */
export function headOf(text) {
  const lines = text.replace(/<!--[\s\S]*?-->|^```[\s\S]*?^```$/gm, '').split('\n')
  const at = lines.findIndex((line) => line.startsWith('# '))
  const first = lines.slice(at + 1).find((line) => /^[\p{L}`*[]/u.test(line)) ?? ''
  return { title: plain(lines[at]?.slice(2) ?? ''), first: plain(first) }
}

function plain(markdown) {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .trim()
}
