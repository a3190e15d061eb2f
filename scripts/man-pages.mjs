// Writes the manual in mdoc(7) from what help and completion are made of.

/** The day on which the form of these pages was last changed. */
const day = 'November 22, 2026'
const columnsMax = 78

/**
 * The manual: a page for the program and one for each command, by file name.
 *
 * `commands` are those of src/cli/catalogue.ts, loaded, with their name and summary.
 * `exitStatusesOf` returns those of one command.
 */
export function manPages({ commands, exitStatuses, exitStatusesOf, environment, version }) {
  const system = `antara-tx ${version}`
  return new Map([
    ['antara-tx.1', programPage({ commands, exitStatuses, environment, system })],
    ...commands.map((command) => [
      `antara-tx-${command.name}.1`,
      commandPage(command, { exitStatuses: exitStatusesOf(command), system }),
    ]),
  ])
}

function programPage({ commands, exitStatuses, environment, system }) {
  return page('antara-tx', 'raw transactions of the Komodo family', system, [
    '.Sh SYNOPSIS',
    '.Nm antara-tx',
    '.Ar command',
    '.Op Ar arguments',
    '.Nm antara-tx',
    '.Cm help',
    '.Op Ar command',
    '.Nm antara-tx',
    '.Fl Fl version',
    '.Sh DESCRIPTION',
    ...prose(
      'Decodes, builds, signs and verifies raw transactions before they are broadcast. ' +
        'Hex comes from an argument, a file or standard input. The commands are:',
    ),
    ...tagged(commands.map(({ name, summary }) => [`Cm ${name}`, summary])),
    '.Sh ENVIRONMENT',
    ...tagged(
      environment.map(([names, meaning]) => [
        names
          .split(', ')
          .map((name) => `Ev ${name}`)
          .join(' , '),
        meaning,
      ]),
    ),
    ...statusLines(exitStatuses),
    '.Sh SEE ALSO',
    references(commands.map(({ name }) => `antara-tx-${name}`)),
    '.Pp',
    ...prose('Inside the package: README.md and the folder docs.'),
  ])
}

function commandPage({ name, summary, usage, about, options, notes = '' }, context) {
  const title = `antara-tx-${name}`
  return page(title, summary, context.system, [
    '.Sh SYNOPSIS',
    ...usage.flatMap((form) => [`.Nm antara-tx ${name}`, ...(form === '' ? [] : [escaped(form)])]),
    '.Sh DESCRIPTION',
    ...paragraphs(about),
    '.Pp',
    'The options are:',
    ...tagged([
      ...options.map((option) => [
        `Fl Fl ${option.name}${option.value === undefined ? '' : ` Ar ${escaped(option.value)}`}`,
        option.about,
      ]),
      ['Fl Fl help', 'more of this command'],
    ]),
    ...(notes === '' ? [] : ['.Pp', ...paragraphs(notes)]),
    ...statusLines(context.exitStatuses),
    '.Sh SEE ALSO',
    references(['antara-tx']),
  ])
}

function page(title, summary, system, lines) {
  return `${[
    '.\\" Made by scripts/generate-man.mjs from src/cli. Do not edit.',
    `.Dd ${day}`,
    `.Dt ${title.toUpperCase()} 1`,
    `.Os ${system}`,
    '.Sh NAME',
    `.Nm ${title}`,
    `.Nd ${escaped(summary)}`,
    ...lines,
  ].join('\n')}\n`
}

function statusLines(exitStatuses) {
  return [
    '.Sh EXIT STATUS',
    ...tagged(exitStatuses.map(([status, meaning]) => [`${status}`, meaning])),
  ]
}

function tagged(rows) {
  const items = rows.flatMap(([label, text]) => [
    `.It ${label}`,
    ...prose(text.split('\n').join(' ')),
  ])
  return ['.Bl -tag -width Ds', ...items, '.El']
}

function references(titles) {
  return [...titles]
    .sort()
    .map((title, at) => `.Xr ${title} 1${at === titles.length - 1 ? '' : ' ,'}`)
    .join('\n')
}

/** Texts of help: what is indented there stays as it is, the rest flows. */
function paragraphs(text) {
  const blocks = []
  for (const line of text.split('\n')) {
    const isLiteral = line.startsWith('  ')
    const last = blocks.at(-1)
    if (line === '') blocks.push({ isLiteral: false, lines: [] })
    else if (last === undefined || last.isLiteral !== isLiteral) {
      blocks.push({ isLiteral, lines: [line] })
    } else last.lines.push(line)
  }
  return blocks
    .filter(({ lines }) => lines.length > 0)
    .flatMap(({ isLiteral, lines }, at) =>
      isLiteral
        ? ['.Bd -literal', ...lines.map(escaped), '.Ed']
        : [...(at === 0 ? [] : ['.Pp']), ...prose(lines.join(' '))],
    )
}

/** A sentence begins a line, as mdoc wants it, and no line is longer than its source likes. */
function prose(text) {
  return text
    .split(/(?<=[.!?:]) +(?=[A-Za-z])/)
    .flatMap(wrapped)
    .map(escaped)
}

function wrapped(sentence) {
  const lines = ['']
  for (const word of sentence.split(' ')) {
    const line = lines.at(-1)
    if (line === '') lines[lines.length - 1] = word
    else if (escaped(`${line} ${word}`).length > columnsMax) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}

/** Text that is not a request and no escape, in ASCII. */
function escaped(line) {
  const text = line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\x20-\x7e]/gu, (character) => {
      const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')
      return `\\[u${code}]`
    })
  return /^[.']/.test(text) ? `\\&${text}` : text
}
