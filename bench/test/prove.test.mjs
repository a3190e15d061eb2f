import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePeer, defineTask, firstDifference } from '../lib/define.mjs'
import { prove } from '../lib/prove.mjs'

const task = defineTask({
  name: 'double',
  question: 'A number in, twice that number out.',
  unit: 'number',
  cases: () => [{ name: 'few', description: 'three numbers', items: [1, 2, 3] }],
  reference: (item) => ({ list: [{ value: 2n * BigInt(item) }] }),
})
const [few] = task.cases()
const honest = { name: 'honest', run: (n) => ({ list: [{ value: 2n * BigInt(n) }] }) }

test('a peer that answers as the reference does is ready to be timed', async () => {
  assert.deepEqual(await prove(task, few, definePeer(honest)), { inputs: [1, 2, 3] })
})

test('a peer that is wrong about one item is refused, and the field is named', async () => {
  const wrong = definePeer({
    ...honest,
    run: (n) => ({ list: [{ value: n === 3 ? 7n : 2n * BigInt(n) }] }),
  })
  assert.deepEqual(await prove(task, few, wrong), {
    refused: 'item 2, answer.list[0].value: expected 6n, got 7n',
  })
})

test('what is also to be proved is asked, and not handed on to be timed', async () => {
  const proved = { ...few, alsoProved: [4] }
  assert.deepEqual(await prove(task, proved, definePeer(honest)), { inputs: [1, 2, 3] })
  const gullible = definePeer({
    ...honest,
    run: (n) => ({ list: [{ value: n === 4 ? 0n : 2n * BigInt(n) }] }),
  })
  assert.deepEqual(await prove(task, proved, gullible), {
    refused: 'item 3, answer.list[0].value: expected 8n, got 0n',
  })
})

test('a peer that throws is refused, with what it said', async () => {
  const broken = definePeer({
    ...honest,
    run: () => {
      throw new Error('not today')
    },
  })
  assert.deepEqual(await prove(task, few, broken), { refused: 'item 0, threw Error: not today' })
})

test('what a peer resolves to is compared, not its promise', async () => {
  const slow = definePeer({ ...honest, run: async () => ({ list: [{ value: 0n }] }) })
  assert.deepEqual(await prove(task, few, slow), {
    refused: 'item 0, answer.list[0].value: expected 2n, got 0n',
  })
})

test('differences are found in length, in type, in missing members and within text', () => {
  assert.equal(firstDifference({ a: [1] }, { a: [1] }), undefined)
  assert.match(firstDifference([1], [1, 2]), /\[1\]: expected undefined, got 2/)
  assert.match(firstDifference({ a: 1 }, {}), /answer\.a: expected 1, got undefined/)
  assert.match(firstDifference({ a: 1 }, { a: '1' }), /answer\.a: expected 1, got "1"/)
  assert.match(firstDifference({ a: 1n }, { a: 1 }), /answer\.a: expected 1n, got 1/)
  assert.match(firstDifference({}, []), /answer: expected/)
  assert.match(firstDifference('abcd', 'abXd'), /differs at character 2/)
})
