// The home page of the site is the README, with its first sentence as the headline and buttons for those
// who write a wallet, run a service, or test. Its table of these three names the links.

/** The theme and text of each button, and its page, which the README names too. */
const buttons = [
  ['brand', 'Wallet in ten minutes', 'docs/wallet-tutorial'],
  ['alt', 'Protect an exchange', 'docs/guard-tutorial'],
  ['alt', 'Development node', 'docs/node'],
]

/**
 * Returns the text of the home page.
 *
 * @param {string} readme
 * @returns {string}
 */
export function homeOf(readme) {
  const [, headline, about, rest] =
    /^# antara-tx\n\n\*\*(.+?)\*\* (.+)\n\n([\s\S]*)$/.exec(readme) ?? []
  if (rest === undefined) throw new Error('README.md begins with its name and a bold sentence')
  for (const [, , path] of buttons) {
    if (!rest.includes(`](${path}.md)`)) throw new Error(`README.md has no link to ${path}.md`)
  }
  const actions = buttons.map(
    ([theme, text, path]) => `    - { theme: ${theme}, text: ${text}, link: /${path} }\n`,
  )
  return `---
layout: home
title: Verify Komodo transactions
hero:
  name: antara-tx
  text: ${JSON.stringify(headline)}
  tagline: ${JSON.stringify(about)}
  actions:
${actions.join('')}---

${rest}`
}
