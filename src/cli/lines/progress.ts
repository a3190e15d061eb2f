import type { Tally } from './job.ts'

/** The progress of a run. */
export interface Progress {
  readonly tally: Tally
  /** Lines answered since this run began, without those of an earlier run. */
  readonly linesNow: number
  readonly bytesNow: number
  /** Input bytes that are answered. */
  readonly bytes: number
  /** Size of the whole input, if it is known. */
  readonly bytesTotal?: number
  readonly seconds: number
}

const barWidth = 24

/** Formats one line for a terminal: amount, speed, findings and remaining time. */
export function progressLine(progress: Progress): string {
  const { bytes, bytesTotal } = progress
  const parts = [
    `${linesText(progress.tally.lines)}, ${rateText(progress)}`,
    ...foundText(progress.tally),
  ]
  if (bytesTotal === undefined || bytesTotal === 0) return parts.join(', ')
  const share = Math.min(1, bytes / bytesTotal)
  const full = Math.round(share * barWidth)
  const bar = `[${'='.repeat(full)}${' '.repeat(barWidth - full)}] ${Math.floor(share * 100)} %`
  return `${bar} ${parts.join(', ')}${leftText(progress, bytesTotal)}`
}

/** Returns the line that stays on the terminal when all is done. */
export function summaryLine(progress: Progress): string {
  const { tally, seconds } = progress
  const took = `in ${seconds.toFixed(1)} s, ${rateText(progress)}`
  return [`${linesText(tally.lines)} ${took}`, ...foundText(tally)].join(', ')
}

function linesText(lines: number): string {
  return `${lines.toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'}`
}

function rateText({ linesNow, seconds }: Progress): string {
  const rate = seconds > 0 ? Math.round(linesNow / seconds) : 0
  return `${rate.toLocaleString('en-US')}/s`
}

function foundText({ findings, malformed, failed }: Tally): string[] {
  return [
    ...(findings > 0 ? [`${findings.toLocaleString('en-US')} with findings`] : []),
    ...(malformed > 0 ? [`${malformed.toLocaleString('en-US')} malformed`] : []),
    ...(failed > 0 ? [`${failed.toLocaleString('en-US')} failed`] : []),
  ]
}

function leftText({ bytes, bytesNow, seconds }: Progress, bytesTotal: number): string {
  if (bytesNow === 0 || seconds === 0) return ''
  const left = Math.ceil((Math.max(0, bytesTotal - bytes) * seconds) / bytesNow)
  return `, ${clockText(left)} left`
}

function clockText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`
}
