import { expect, test } from 'vitest'
import { prometheusMetrics } from '../../../src/guard/metrics.ts'
import { share } from '../../support/share.ts'

test('metrics have a line for each class and decision, and what parts report', async () => {
  const metrics = prometheusMetrics({ recordLines: () => 7, isHealthy: () => false })
  metrics.count({ methodClass: 'build', decision: 'refused' })
  metrics.count({ methodClass: 'build', decision: 'refused' })
  metrics.time('read', 5)
  const { type, body } = await metrics.text()
  expect(type).toContain('text/plain')
  expect(body).toContain('antara_guard_calls_total{class="build",decision="refused"} 2\n')
  expect(body).toContain('antara_guard_call_seconds_bucket{le="0.01",class="read"} 1\n')
  expect(body).toContain('antara_guard_record_lines 7\n')
  expect(body).toContain('antara_guard_healthy 0\n')
})

const calls = share(100_000)

test(`metrics keep their size after ${calls} calls of entries with other members`, async () => {
  const metrics = prometheusMetrics()
  const classes = ['read', 'unknown'] as const
  const count = (at: number) => {
    const entry = { user: `user ${at}`, method: `method ${at}`, txid: `${at}` }
    metrics.count({ ...entry, methodClass: classes[at % 2]!, decision: 'refused' })
  }
  for (let at = 0; at < 10; at += 1) count(at)
  const lines = (await metrics.text()).body.split('\n').length
  for (let at = 0; at < calls; at += 1) count(at)
  const { body } = await metrics.text()
  expect(body.split('\n')).toHaveLength(lines)
  expect(body).not.toMatch(/user|method \d/)
})
