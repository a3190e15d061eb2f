// Counters for Prometheus. Only the guard loads this file, because the library takes 40 ms to start
// (docs/adr/0025-guard-policy.md).

import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { DecisionEntry, MethodClass, Metrics } from './decision.ts'

/** Functions that read the current values of gauges. */
interface MetricSources {
  /** Lines of the record. */
  readonly recordLines?: () => number
  /** True while payments are possible, false after the record or the journal failed. */
  readonly isHealthy?: () => boolean
}

/** Creates the counters of a guard. A label is a class or a decision, so their number is fixed. */
export function prometheusMetrics({ recordLines, isHealthy }: MetricSources = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const calls = new Counter({
    name: 'antara_guard_calls_total',
    help: 'Calls by class of method and decision',
    labelNames: ['class', 'decision'],
    registers,
  })
  const seconds = new Histogram({
    name: 'antara_guard_call_seconds',
    help: 'Time from the request to the answer',
    labelNames: ['class'],
    buckets: [0.001, 0.01, 0.1, 1, 10],
    registers,
  })
  if (recordLines !== undefined) {
    const lines: Gauge = new Gauge({
      name: 'antara_guard_record_lines',
      help: 'Lines of the record of decisions',
      registers,
      collect: () => lines.set(recordLines()),
    })
  }
  if (isHealthy !== undefined) {
    const healthy: Gauge = new Gauge({
      name: 'antara_guard_healthy',
      help: '1 while payments are possible, 0 after the record or the journal failed',
      registers,
      collect: () => healthy.set(isHealthy() ? 1 : 0),
    })
  }
  return {
    count({ methodClass, decision }: Pick<DecisionEntry, 'methodClass' | 'decision'>) {
      calls.inc({ class: methodClass, decision })
    },
    time(methodClass: MethodClass, milliseconds: number) {
      seconds.observe({ class: methodClass }, milliseconds / 1000)
    },
    async text() {
      return { type: registry.contentType, body: await registry.metrics() }
    },
  }
}
