/** For rolldown, and for the tests, whose own search for names that begin with # comes after it. */
export const asText: {
  readonly name: string
  readonly enforce: 'pre'
  resolveId(id: string): string | null
  load(id: string): Promise<string> | null
}
