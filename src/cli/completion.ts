// Writes the completion scripts for bash, zsh and fish.

import { didYouMean } from '../primitives/closest.ts'
import {
  type Command,
  exitAgrees,
  type Option,
  onePositional,
  type ParsedArguments,
  UsageError,
} from './command.ts'

const scripts: Readonly<Record<string, (commands: readonly Named[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

export const completion: Command = {
  usage: ['bash | zsh | fish'],
  about: `Prints a script that completes commands, options and their values:

  bash   antara-tx completion bash > ~/.local/share/bash-completion/completions/antara-tx
  zsh    antara-tx completion zsh > ~/.zsh/_antara-tx     a folder that is in $fpath
  fish   antara-tx completion fish > ~/.config/fish/completions/antara-tx.fish`,
  options: [],
  actions: ['bash', 'zsh', 'fish'],
  async run(parsed, terminal, catalogue) {
    const script = scriptFor(parsed)
    const commands = await Promise.all(
      catalogue.map(async ({ name, summary, load }) => ({ name, summary, ...(await load()) })),
    )
    terminal.print(script(commands))
    return exitAgrees
  },
}

function scriptFor(parsed: ParsedArguments): (commands: readonly Named[]) => string {
  const shell = onePositional(parsed)
  const script = Object.entries(scripts).find(([name]) => name === shell)?.[1]
  if (script === undefined)
    throw new UsageError(
      `expected bash, zsh or fish${didYouMean(shell ?? '', Object.keys(scripts))}`,
    )
  return script
}

type Named = Command & { readonly name: string; readonly summary: string }

/** The option that every command has, although its table does not list it. */
const helpOption: Option = { name: 'help', about: 'show the help of this command' }
const generalWords: readonly string[] = ['help', '--help', '--version']

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const inBrief = (text: string): string => text.split('\n').join(' ')
const names = (commands: readonly Named[]): string => commands.map(({ name }) => name).join(' ')
const optionsOf = ({ options }: Command): readonly Option[] => [...options, helpOption]

function bashScript(commands: readonly Named[]): string {
  const cases = commands.map((command) => {
    const flags = optionsOf(command).map(({ name }) => `--${name}`)
    const values = command.options.flatMap(({ name, values: known }) =>
      known === undefined ? [] : [`        --${name}) words=${quoted(known.join(' '))} ;;`],
    )
    const first =
      command.actions === undefined
        ? []
        : [`        ${command.name}) words=${quoted(command.actions.join(' '))} ;;`]
    return [
      `    ${command.name})`,
      `      options=${quoted(flags.join(' '))}`,
      ...(values.length + first.length === 0
        ? []
        : ['      case "$before" in', ...values, ...first, '      esac']),
      '      ;;',
    ].join('\n')
  })
  return `# Completion of antara-tx for bash, made by \`antara-tx completion bash\`.
_antara_tx() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}"
  local words='' options=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(`${names(commands)} ${generalWords.join(' ')}`)} -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
    help) words=${quoted(names(commands))} ;;
${cases.join('\n')}
  esac
  # Files are completed where nothing else is.
  case "$word" in
    -*) words="$options" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _antara_tx antara-tx
`
}

function zshScript(commands: readonly Named[]): string {
  const listed = commands.map(({ name, summary }) => quoted(`${name}:${summary}`))
  const escaped = (text: string): string => inBrief(text).replaceAll(/[[\]:\\]/g, '\\$&')
  const specOf = ({ value, values }: Option): string => {
    if (value === undefined) return ''
    const action = values === undefined ? '_files' : `(${values.join(' ')})`
    return `:${value}:${action}`
  }
  const cases = commands.map((command) => {
    const specs = optionsOf(command).map((option) =>
      quoted(`--${option.name}[${escaped(option.about)}]${specOf(option)}`),
    )
    const first =
      command.actions === undefined ? [] : [quoted(`1:argument:(${command.actions.join(' ')})`)]
    return `    ${command.name}) _arguments ${[...specs, ...first, quoted('*:file:_files')].join(' ')} ;;`
  })
  return `#compdef antara-tx
# Completion of antara-tx for zsh, made by \`antara-tx completion zsh\`.
_antara_tx() {
  local -a commands
  commands=(
    ${listed.join('\n    ')}
    ${quoted('help:show the help of a command')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  (( CURRENT-- ))
  shift words
  case $words[1] in
    help) _describe command commands ;;
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _antara-tx ]; then
  _antara_tx "$@"
else
  compdef _antara_tx antara-tx
fi
`
}

function fishScript(commands: readonly Named[]): string {
  const lines = commands.flatMap((command) => {
    const within = `complete -c antara-tx -n ${quoted(`__fish_seen_subcommand_from ${command.name}`)}`
    const first =
      command.actions === undefined ? [] : [`${within} -a ${quoted(command.actions.join(' '))}`]
    return [
      `complete -c antara-tx -n __fish_use_subcommand -f -a ${command.name} -d ${fishQuoted(command.summary)}`,
      ...first,
      ...optionsOf(command).map(({ name, value, values, about }) => {
        const takes =
          values !== undefined
            ? ` -x -a ${quoted(values.join(' '))}`
            : value === undefined
              ? ''
              : ' -r -F'
        return `${within} -l ${name}${takes} -d ${fishQuoted(inBrief(about))}`
      }),
    ]
  })
  return `# Completion of antara-tx for fish, made by \`antara-tx completion fish\`.
${lines.join('\n')}
complete -c antara-tx -n __fish_use_subcommand -f -a help -d 'show the help of a command'
complete -c antara-tx -n '__fish_seen_subcommand_from help' -f -a ${quoted(names(commands))}
`
}

/** Quotes for fish, where a backslash escapes inside single quotes, unlike in bash and zsh. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
