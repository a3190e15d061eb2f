import type { JsonValue } from '../../primitives/json.ts'
import type { Path } from './policy-error.ts'
import type { Confirmation } from './rules.ts'
import type { ValueReader } from './value-reader.ts'

export function readConfirmation(values: ValueReader, value: JsonValue): Confirmation {
  const path: Path = ['confirm']
  const given = values.object(value, path, ['command', 'webhook', 'seconds'])
  const { command, webhook, seconds } = given
  if ((command === undefined) === (webhook === undefined)) {
    throw values.fault(path, 'either command or webhook', value)
  }
  return {
    ...(command !== undefined && { command: readCommand(values, command, [...path, 'command']) }),
    ...(webhook !== undefined && { webhook: readWebhook(values, webhook, [...path, 'webhook']) }),
    seconds: seconds === undefined ? 30 : values.integer(seconds, [...path, 'seconds'], 1, 600),
  }
}

function readCommand(values: ValueReader, value: JsonValue, path: Path): readonly string[] {
  const parts = values
    .items(value, path, 'a program and its arguments')
    .map((item, at) => values.string(item, [...path, at]))
  // A relative path would depend on the directory and on PATH.
  if (parts[0]?.startsWith('/') || /^[A-Za-z]:\\/.test(parts[0] ?? '')) return parts
  throw values.fault([...path, 0], 'the absolute path of a program', parts[0])
}

function readWebhook(values: ValueReader, value: JsonValue, path: Path): URL {
  const text = values.string(value, path)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isLoopback = url !== undefined && /^(?:127\.0\.0\.1|\[::1\]|localhost)$/.test(url.hostname)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)
  if (url !== undefined && isSafe && url.username === '' && url.password === '') return url
  // The address may hold a password.
  const expected = 'an https address, or http on this machine, without user and password'
  throw values.fault(path, expected, {})
}
