import type { JsonValue } from '../../primitives/json.ts'
import type { Path } from './policy-error.ts'
import type { QuietHours } from './rules.ts'
import type { ValueReader } from './value-reader.ts'

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

export function readQuietHours(values: ValueReader, value: JsonValue, path: Path): QuietHours[] {
  return values.items(value, path, 'hours').map((item, at) => {
    const here = [...path, at]
    const { from, to, days } = values.object(item, here, ['from', 'to', 'days'])
    const hours = {
      from: readTime(values, from, here, 'from'),
      to: readTime(values, to, here, 'to'),
    }
    if (hours.from === hours.to) throw values.fault([...here, 'to'], 'another time than from', to)
    if (days === undefined) return hours
    const named = values.items(days, [...here, 'days'], dayNames.join(', ')).map((day, index) => {
      const number = dayNames.indexOf(day as string)
      if (number >= 0) return number
      throw values.fault([...here, 'days', index], dayNames.join(', '), day)
    })
    return { ...hours, days: new Set(named) }
  })
}

/** Reads `HH:MM` as minutes after midnight. */
function readTime(
  values: ValueReader,
  value: JsonValue | undefined,
  path: Path,
  name: string,
): number {
  const match = typeof value === 'string' ? /^([01][0-9]|2[0-3]):([0-5][0-9])$/.exec(value) : null
  if (match !== null) return Number(match[1]) * 60 + Number(match[2])
  throw values.fault([...path, name], 'a time of day in UTC, such as "22:00"', value)
}

/** Returns whether a time is in quiet hours. `to` is the first minute after them. */
export function isQuiet(hours: readonly QuietHours[], time: number): boolean {
  const date = new Date(time)
  const minute = date.getUTCHours() * 60 + date.getUTCMinutes()
  const today = date.getUTCDay()
  return hours.some(({ from, to, days }) => {
    const begunOn = (day: number) => days === undefined || days.has(day)
    if (from < to) return minute >= from && minute < to && begunOn(today)
    return (minute >= from && begunOn(today)) || (minute < to && begunOn((today + 6) % 7))
  })
}
