// Parameters of methods about peers, by the wire's names.

export interface AddNodeParams {
  /** Address or name of the peer, with or without its port. */
  readonly node: string
  readonly command: 'add' | 'remove' | 'onetry'
}

export interface GetAddedNodeInfoParams {
  /** True to look up the names, and to say to which addresses the daemon is connected. */
  readonly dns: boolean
  /** Default: all peers that were added. */
  readonly node?: string
}

export interface DisconnectNodeParams {
  /** Address of the peer with its port, as `getpeerinfo` prints it. */
  readonly node: string
}

export interface SetBanParams {
  /** Address, or subnet such as `192.168.0.0/24`. */
  readonly ip: string
  readonly command: 'add' | 'remove'
  /** Seconds of the ban, or with `absolute` the time of its end; 0 for the daemon's default. */
  readonly bantime?: number
  /** True if `bantime` is a time in seconds since 1970. */
  readonly absolute?: boolean
}
