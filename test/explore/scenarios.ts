import type { Scenario } from './world.ts'

/** Two processes, up to three calls, a journal file or a shared store. */
export const scenarios: readonly Scenario[] = [
  { name: 'file, id, honest server', journal: 'file', id: 'invoice-17', calls: 3 },
  {
    name: 'file, id, hostile server',
    journal: 'file',
    id: 'invoice-17',
    isHostile: true,
    calls: 3,
  },
  { name: 'file, no id, hostile server', journal: 'file', isHostile: true, calls: 3 },
  {
    name: 'shared, id, hostile server',
    journal: 'shared',
    id: 'invoice-17',
    isHostile: true,
    calls: 3,
  },
  { name: 'shared, no id, honest server', journal: 'shared', calls: 3 },
  {
    name: 'file, id, trusted server',
    journal: 'file',
    id: 'invoice-17',
    isTrusted: true,
    calls: 3,
  },
]
