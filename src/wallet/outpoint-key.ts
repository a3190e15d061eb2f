import type { Outpoint } from '../transaction/types.ts'

export const keyOfOutpoint = ({ txid, vout }: Outpoint): string => `${txid}:${vout}`
