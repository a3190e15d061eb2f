// The identities of a development chain, and how many of them a caller may count on.

export interface IdentityOptions {
  /** Wallet import format; a throw-away key that everybody knows by default. */
  readonly wif?: string
  /** -pubkey; that of the key by default, none if false. */
  readonly pubkey?: string | false
}

export interface DevIdentity {
  /** The URL of its daemon; empty without a server. */
  readonly url: string
  readonly user: string
  readonly password: string
  /** -pubkey of its daemon. For a daemon that was started without one, the public key of `wif`. */
  readonly pubkey: string
  /** A private key of its wallet: that of `pubkey`, unless the options name another. */
  readonly wif: string
  /** The address of `pubkey`. */
  readonly address: string
}

/** At least one identity, because a node without one could answer nobody. */
export type DevIdentities = readonly [DevIdentity, ...DevIdentity[]]

type Repeated<
  Count extends number,
  // TypeScript 5.0 does not see that a longer tuple has a first item.
  Items extends readonly DevIdentity[] = [DevIdentity],
> = Items['length'] extends Count ? Readonly<Items> : Repeated<Count, [...Items, DevIdentity]>

type Digit = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

/** A literal up to 99, as on the command line. The compiler repeats no tuple without end. */
type Counted<Count extends number> = `${Count}` extends `${Digit}${'' | 0 | Digit}`
  ? Repeated<Count>
  : DevIdentities

/** Values of `identities` for `createDevNode`. */
export type Identities = number | readonly IdentityOptions[]

/**
 * The identities of a node that was created with `Given` and loaded from `Load`. It is a tuple of
 * the named number, two by default, so that `const [alice, bob] = node.identities` needs no check.
 * The compiler does not know the identities of a dump.
 */
export type IdentitiesOf<
  Given extends Identities | undefined,
  Load extends string | undefined,
> = Given extends number
  ? Counted<Given>
  : Given extends readonly [unknown, ...unknown[]]
    ? { readonly [Index in keyof Given]: DevIdentity } & DevIdentities
    : Given extends readonly unknown[]
      ? DevIdentities
      : Load extends string
        ? DevIdentities
        : readonly [DevIdentity, DevIdentity]
