import type { ServedNetwork } from '../profile.ts'
import type { Context } from './context.ts'

interface DaemonVersions {
  readonly version: number
  readonly protocol: number
  readonly KMDversion: string
  readonly TokelVersion?: string
  readonly subversion: string
  /** Height at which this version is to end. komodo src/deprecation.h; tokel the same */
  readonly deprecationHeight: number
}

/** The recorded daemons' versions. komodo src/clientversion.h, src/version.h; tokel the same */
const versions: { readonly [Network in ServedNetwork]: DaemonVersions } = {
  assetChain: {
    version: 90000,
    protocol: 170013,
    KMDversion: '0.9.0',
    subversion: '/MagicBean:0.9.0-beta1/',
    deprecationHeight: 4_820_333,
  },
  tokel: {
    version: 3000100,
    protocol: 170012,
    KMDversion: '0.6.0',
    TokelVersion: '0.3.4',
    subversion: '/komodod:3.0.1-beta1/',
    deprecationHeight: 2_900_000,
  },
}

export function versionsOf({ engine }: Context): DaemonVersions {
  return versions[engine.rules.profile.network]
}
