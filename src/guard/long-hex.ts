const escapedDigit = /\\u00(3[0-9]|[46][1-6])/g

/**
 * Returns the runs of hex in a JSON text that could be a transaction: longer than any hash or key.
 * A digit may be written as an escape.
 */
export function longHexIn(json: string): readonly string[] {
  const text = json.replace(escapedDigit, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return text.match(/[0-9a-fA-F]{131,}/g) ?? []
}
