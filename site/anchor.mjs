/**
 * Returns the anchor of a heading, as GitHub and other viewers of repositories make it. VitePress
 * alone would turn an apostrophe into a hyphen. test/process/repository/links.test.ts checks the
 * links of all pages by it.
 */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
