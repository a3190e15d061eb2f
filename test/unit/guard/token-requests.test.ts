import { expect, test } from 'vitest'
import { tokenRequest } from '../../../src/guard/token-requests.ts'
import { networks } from '../../../src/index.ts'
import { parseJson } from '../../../src/primitives/json.ts'
import { generator, token } from './support.ts'

const terms = {
  ...{ network: networks.tokel, pubkey: generator },
  ...{ allowsUnenforcedPrices: false, maxFee: undefined },
}
const moved = (more: string) => `[{"destpubkeys":["${generator}"],"M":1,${more}}]`

test.each<readonly [string, string, string]>([
  ['tokenv2transferMofN', 'params[0].tokenid', moved('"amount":5')],
  ['tokenv2transferMofN', 'params[0].tokenid', moved('"tokenid":"zz","amount":5')],
  [
    'tokenv2transferMofN',
    'params[0].amount',
    moved(`"tokenid":"${token}","amount":9999999999999999999`),
  ],
  ['tokencreatetokel', 'params[3].url', '["n","1","d",{"url":5}]'],
])('a refused member of %s is named as %s', (method, path, params) => {
  const request = () => tokenRequest(method, parseJson(params) as never, terms as never)
  expect(request).toThrow(`${path}: expected`)
})
