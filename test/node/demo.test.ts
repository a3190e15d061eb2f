import { expect, test } from 'vitest'
import { runCommand } from '../support/cli.ts'

test('the demo shows a transfer, and refuses every lie about it', async () => {
  const { status, output } = await runCommand(['demo'])
  expect(status).toBe(0)
  expect(output.match(/broadcast and mined {3}[0-9a-f]{64}/g)).toHaveLength(2)
  expect(output.match(/: not broadcast\n {4}[a-z_]+: /g)).toHaveLength(4)
  expect(output).not.toContain('BROADCAST')
  expect(output.match(/A 600, B 400/g)).toHaveLength(2)
  expect(output.split('\n').length).toBeLessThan(25)
  for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})
