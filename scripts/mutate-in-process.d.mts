export function mutateInProcess(given: {
  readonly places: readonly string[]
  readonly tests: readonly string[]
  readonly testMs: number
  readonly sample?: number
  readonly say: (text: string) => void
}): Promise<
  readonly {
    readonly file: string
    readonly line: number
    readonly original: string
    readonly mutant: string
    readonly status: string
  }[]
>

export function sampleOf<Mutant extends { fileName: string; status?: string }>(
  all: readonly Mutant[],
  sample: number,
): Mutant[]
