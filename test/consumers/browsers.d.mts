export interface BrowserKind {
  readonly name: 'chrome' | 'firefox'
  /** Absent where it is not installed. */
  readonly path: string | undefined
}

/** The texts of a page after something was pasted into it. */
export interface Look {
  /** Text of the answer. */
  readonly answer: string
  /** Findings of axe-core: rule and element. */
  readonly findings: readonly string[]
  readonly images: number
  readonly scripts: number
  /** True if it contains characters that reverse text or have no width. */
  readonly isDisguised: boolean
  /** True if it is wider than the window. */
  readonly isOverflowing: boolean
}

export interface Visit {
  readonly isDark: boolean
  readonly looks: Readonly<Record<string, Look>>
  readonly requests: readonly string[]
  /** Messages, errors and dialogs. */
  readonly trouble: readonly string[]
}

export const browsers: readonly BrowserKind[]
/** The reason why no browser can be driven, or false. */
export const noDriver: string | false
/** Opens a page, of a server on loopback, and returns what closes the browser. */
export function open(kind: BrowserKind, url: string): Promise<() => Promise<void>>
export function listen(
  kind: BrowserKind,
  url: string,
  options?: { readonly isClicked?: boolean },
): Promise<{ readonly reported: readonly string[]; readonly trouble: readonly string[] }>
export function visit(
  kind: BrowserKind,
  options: {
    readonly url: string
    readonly theme: 'light' | 'dark'
    readonly width: number
    /** By their names, what is pasted one after another. */
    readonly pasted: Readonly<Record<string, string>>
  },
): Promise<Visit>
export function press(
  kind: BrowserKind,
  options: {
    readonly url: string
    readonly theme: 'light' | 'dark'
    readonly width: number
    /** Pasted before the button is pressed. */
    readonly text: string
    readonly button: string
    /** Words that the status has in the end. */
    readonly status: string
  },
): Promise<{
  /** Text of the answer before the button is pressed, and in the end. */
  readonly before: string
  readonly answer: string
  readonly findings: readonly string[]
  readonly requests: readonly string[]
}>
