// Reads a policy file into rules.

import { resultOf } from '../../errors/malformed.ts'
import { parseCoins, satsMax } from '../../primitives/amount.ts'
import { isHex32 } from '../../primitives/hex-forms.ts'
import { isJsonObject, type JsonValue } from '../../primitives/json.ts'
import { isPasswordHash } from '../users.ts'
import { parsePolicyJson } from './parse-json.ts'
import { allowedNamesOf, deniedNamesOf } from './payee.ts'
import { type Path, PolicyFaults } from './policy-error.ts'
import { readQuietHours } from './quiet-hours.ts'
import { readConfirmation } from './read-confirmation.ts'
import type {
  AssetRules,
  PolicyRules,
  PriceRules,
  RecipientRules,
  Rules,
  TokenRules,
  UserRules,
} from './rules.ts'
import { ValueReader } from './value-reader.ts'

/**
 * Reads a policy file.
 *
 * @throws {AntaraError} `malformed_policy`, with line, column and path of what is wrong
 */
export function readPolicy(text: string): PolicyRules {
  const faults = new PolicyFaults(text)
  return new PolicyReader(faults).read(parsePolicyJson(text, faults))
}

const ruleMembers = [
  'methods',
  'recipients',
  'coins',
  'tokens',
  'fee',
  'feePerKilobyte',
  'burn',
  'quietHours',
]
const policyMembers = ['note', ...ruleMembers, 'confirm', 'users']
const userMembers = ['note', 'password', ...ruleMembers]
const limitMembers = ['perPayment', 'perHour', 'perDay', 'confirmAbove']

/** A member that a policy needs, because no default is safe for everyone. */
const required = ['recipients', 'coins', 'tokens'] as const

class PolicyReader {
  readonly #values: ValueReader
  #mayConfirm = false

  constructor(faults: PolicyFaults) {
    this.#values = new ValueReader(faults)
  }

  read(value: JsonValue): PolicyRules {
    const values = this.#values
    const given = values.object(value, [], policyMembers)
    for (const name of required) {
      if (given[name] === undefined)
        throw values.fault([name], '"any", or what is allowed', undefined)
    }
    const confirm =
      given.confirm === undefined ? undefined : readConfirmation(values, given.confirm)
    this.#mayConfirm = confirm !== undefined
    const rules = this.#rules(given, [])
    const users = given.users === undefined ? undefined : this.#users(given.users)
    return {
      ...rules,
      ...(confirm !== undefined && { confirm }),
      ...(users !== undefined && { users }),
    }
  }

  #rules(given: Readonly<Record<string, JsonValue>>, path: Path): Rules {
    const values = this.#values
    const member = <Value>(
      name: string,
      read: (value: JsonValue, path: Path) => Value | undefined,
      to = name,
    ) => {
      const value = given[name]
      const result = value === undefined ? undefined : read(value, [...path, name])
      return result === undefined ? {} : { [to]: result }
    }
    return {
      ...member('methods', (value, at) => this.#methods(value, at)),
      ...member('recipients', (value, at) => this.#recipients(value, at)),
      ...member('coins', (value, at) => this.#coins(value, at)),
      ...member('tokens', (value, at) => this.#tokens(value, at)),
      ...member('fee', coinAmount(values)),
      ...member('feePerKilobyte', coinAmount(values)),
      ...member('burn', (value, at) => values.flag(value, at), 'allowsBurn'),
      ...member('quietHours', (value, at) => readQuietHours(values, value, at)),
    }
  }

  #methods(value: JsonValue, path: Path): ReadonlySet<string> {
    const values = this.#values
    return new Set(
      values.items(value, path, 'names of methods').map((item, at) => {
        const name = values.string(item, [...path, at])
        const isKnown = name.startsWith('@')
          ? ['@read', '@build', '@send'].includes(name)
          : /^[A-Za-z_][\w:]{0,99}$/.test(name)
        if (!isKnown) throw values.fault([...path, at], 'a method, @read, @build or @send', item)
        return name
      }),
    )
  }

  #recipients(value: JsonValue, path: Path): RecipientRules | undefined {
    if (value === 'any') return undefined
    const values = this.#values
    const given = values.object(value, path, ['allow', 'deny'], '"any", or allow and deny')
    const payees = (
      name: 'allow' | 'deny',
      namesOf: (text: string) => readonly string[] | undefined,
    ): ReadonlySet<string> | undefined => {
      const list = given[name]
      if (list === undefined) return undefined
      const at = [...path, name]
      return new Set(
        values.items(list, at, 'addresses, public keys or scripts').flatMap((item, index) => {
          const names = namesOf(values.string(item, [...at, index]))
          if (names !== undefined) return names
          throw values.fault([...at, index], 'an address, a public key or a script', item)
        }),
      )
    }
    const allow = payees('allow', allowedNamesOf)
    const deny = payees('deny', deniedNamesOf)
    if (allow === undefined && deny === undefined) {
      throw values.fault(path, '"any", or allow or deny in it', value)
    }
    return { ...(allow !== undefined && { allow }), deny: deny ?? new Set() }
  }

  #coins(value: JsonValue, path: Path): AssetRules | undefined {
    if (value === 'any') return undefined
    const given = this.#values.object(value, path, limitMembers, '"any", or limits')
    return this.#limits(given, path, coinAmount(this.#values))
  }

  #tokens(value: JsonValue, path: Path): ReadonlyMap<string, TokenRules> | undefined {
    if (value === 'any') return undefined
    const values = this.#values
    if (!isJsonObject(value)) throw values.fault(path, '"any", or limits by tokenid', value)
    const rows = Object.entries(value).map(([tokenid, row]): [string, TokenRules] => {
      const at = [...path, tokenid]
      // A name is not a key: anyone can create a token of the same name.
      if (!isHex32(tokenid))
        throw values.fault(at, 'a tokenid: 64 digits of lower-case hex', tokenid)
      if (row === 'any') return [tokenid, {}]
      const members = [...limitMembers, 'price']
      const given = values.object(row, at, members, '"any", or limits')
      const price =
        given.price === undefined ? undefined : this.#price(given.price, [...at, 'price'])
      const limits = this.#limits(given, at, tokenAmount(values), price !== undefined)
      return [tokenid, { ...limits, ...(price !== undefined && { price }) }]
    })
    return new Map(rows)
  }

  #limits(
    given: Readonly<Record<string, JsonValue>>,
    path: Path,
    read: (value: JsonValue, path: Path) => bigint,
    hasOther = false,
  ): AssetRules {
    const rows = limitMembers.flatMap((name) => {
      const value = given[name]
      return value === undefined ? [] : [[name, read(value, [...path, name])] as const]
    })
    if (rows.length === 0 && !hasOther) {
      throw this.#values.fault(path, `"any", or one of ${limitMembers.join(', ')}`, {})
    }
    if (given.confirmAbove !== undefined && !this.#mayConfirm) {
      const at = [...path, 'confirmAbove']
      throw this.#values.fault(
        at,
        'a member confirm of the policy, which says how',
        given.confirmAbove,
      )
    }
    return Object.fromEntries(rows)
  }

  #price(value: JsonValue, path: Path): PriceRules {
    const values = this.#values
    const given = values.object(value, path, ['min', 'max', 'per'])
    const coins = coinAmount(values)
    const { min, max, per } = given
    if (min === undefined && max === undefined) {
      throw values.fault(path, 'min, for orders that sell, or max, for orders that buy', value)
    }
    return {
      ...(min !== undefined && { min: coins(min, [...path, 'min']) }),
      ...(max !== undefined && { max: coins(max, [...path, 'max']) }),
      per: per === undefined ? 1n : tokenAmount(values)(per, [...path, 'per']),
    }
  }

  #users(value: JsonValue): ReadonlyMap<string, UserRules> {
    const values = this.#values
    if (!isJsonObject(value)) throw values.fault(['users'], 'users by name', value)
    return new Map(
      Object.entries(value).map(([name, row]) => {
        const path = ['users', name]
        if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) {
          throw values.fault(path, 'a name of letters, digits, dots and dashes, at most 64', name)
        }
        const given = values.object(row, path, userMembers)
        const at = [...path, 'password']
        if (typeof given.password !== 'string' || !isPasswordHash(given.password)) {
          // Never shown: it may be the password itself.
          const hash = 'what antara-tx guard --hash-password prints'
          throw values.fault(at, hash, given.password === undefined ? undefined : {})
        }
        return [name, { password: given.password, ...this.#rules(given, path) }]
      }),
    )
  }
}

function coinAmount(values: ValueReader) {
  return (value: JsonValue, path: Path): bigint => {
    const text = values.digits(value, path, 'coins, such as "1.5"')
    const sats = resultOf(() => parseCoins(text))
    // Zero could mean no limit as well as nothing.
    if (typeof sats === 'bigint' && sats > 0n) return sats
    throw values.fault(path, 'coins above zero, such as "1.5"', value)
  }
}

function tokenAmount(values: ValueReader) {
  return (value: JsonValue, path: Path): bigint => {
    const text = values.digits(value, path, 'units of the token, such as "100"')
    const isWhole = /^[1-9][0-9]{0,18}$/.test(text) && BigInt(text) <= satsMax
    if (isWhole) return BigInt(text)
    throw values.fault(path, 'whole units above zero, such as "100"', value)
  }
}
