/** @see komodo src/rpc/protocol.h, enum RPCErrorCode; of two names for a number, the first */
const names: ReadonlyMap<number, string> = new Map([
  [-32600, 'RPC_INVALID_REQUEST'],
  [-32601, 'RPC_METHOD_NOT_FOUND'],
  [-32602, 'RPC_INVALID_PARAMS'],
  [-32603, 'RPC_INTERNAL_ERROR'],
  [-32700, 'RPC_PARSE_ERROR'],
  [-1, 'RPC_MISC_ERROR'],
  [-2, 'RPC_FORBIDDEN_BY_SAFE_MODE'],
  [-3, 'RPC_TYPE_ERROR'],
  [-4, 'RPC_WALLET_ERROR'],
  [-5, 'RPC_INVALID_ADDRESS_OR_KEY'],
  [-6, 'RPC_WALLET_INSUFFICIENT_FUNDS'],
  [-7, 'RPC_OUT_OF_MEMORY'],
  [-8, 'RPC_INVALID_PARAMETER'],
  [-9, 'RPC_CLIENT_NOT_CONNECTED'],
  [-10, 'RPC_CLIENT_IN_INITIAL_DOWNLOAD'],
  [-11, 'RPC_WALLET_ACCOUNTS_UNSUPPORTED'],
  [-12, 'RPC_WALLET_KEYPOOL_RAN_OUT'],
  [-13, 'RPC_WALLET_UNLOCK_NEEDED'],
  [-14, 'RPC_WALLET_PASSPHRASE_INCORRECT'],
  [-15, 'RPC_WALLET_WRONG_ENC_STATE'],
  [-16, 'RPC_WALLET_ENCRYPTION_FAILED'],
  [-17, 'RPC_WALLET_ALREADY_UNLOCKED'],
  [-20, 'RPC_DATABASE_ERROR'],
  [-22, 'RPC_DESERIALIZATION_ERROR'],
  [-23, 'RPC_CLIENT_NODE_ALREADY_ADDED'],
  [-24, 'RPC_CLIENT_NODE_NOT_ADDED'],
  [-25, 'RPC_VERIFY_ERROR'],
  [-26, 'RPC_VERIFY_REJECTED'],
  [-27, 'RPC_VERIFY_ALREADY_IN_CHAIN'],
  [-28, 'RPC_IN_WARMUP'],
  [-29, 'RPC_CLIENT_NODE_NOT_CONNECTED'],
  [-30, 'RPC_CLIENT_INVALID_IP_OR_SUBNET'],
])

export const alreadyInChain = -27
/** The daemon is starting. It answers the same call later. */
export const warmingUp = -28

/** Returns the name of a code in the daemon's source; `RPC_UNKNOWN` for an unknown code. */
export function codeNameOf(code: number): string {
  return names.get(code) ?? 'RPC_UNKNOWN'
}
