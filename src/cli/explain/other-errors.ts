import type { Rows } from './explanation.ts'

const installAgain =
  'Run antara-tx doctor, which names each reason. Install the package again with optional dependencies.'
const report =
  'Please report it with the command and its input, without private keys: see SECURITY.md if money is involved.'

/** Errors of the installation, of files and of the journal. */
export const otherErrors: Rows = {
  engine_unavailable: [
    'Neither the native addon nor the WebAssembly module could be loaded.',
    'A package that was installed with --no-optional, on a platform where WebAssembly is switched off.',
    installAgain,
  ],
  unknown_address: [
    'The text is not an address, has a wrong checksum, or belongs to another network.',
    'antara-tx address Rnoaddress',
    'Check the address with its owner, and name its network with --network.',
  ],
  amount_out_of_range: [
    'An amount is negative or above what any chain has.',
    'antara-tx units 99999999999999999999',
    'Correct the amount; in programs amounts are satoshis.',
  ],
  malformed_amount: [
    'A decimal amount has digits, one point and at most eight decimals.',
    'antara-tx units 1.123456789',
    'Write 1.5, not 1,5 or 1.5e0.',
  ],
  malformed_case: [
    'The file is not a case: it is not JSON, lacks a member, or has one that does not exist.',
    'antara-tx verify examples/transfer-request.json',
    'The message names the member. antara-tx verify --help shows the form.',
  ],
  wrong_length: [
    'A field has a fixed size, and this value has another one.',
    'A txid of 31 bytes.',
    'Check that nothing was cut.',
  ],
  size_out_of_range: [
    'A value is shorter or longer than its field allows.',
    'A line above 64 MiB with --lines.',
    'Check that the value is the one you meant.',
  ],
  setting_missing: [
    'The configuration of the daemon has no rpcuser, rpcpassword or rpcport, or cannot be read.',
    'A configuration without rpcpassword.',
    'Name the right file with --conf, or give --url and the credentials.',
  ],
  engine_failed: [
    'The WebAssembly engine ran out of memory or stack. The next call runs on a new one.',
    'Many large batches at once in a page.',
    'Try again with less at a time. If one transaction always fails, please report it.',
  ],
  internal_error: [
    'antara-tx itself failed; the input is not verified.',
    'A fault of ours.',
    report,
  ],

  journal_locked: [
    'The kernel lets one process at a time write the journal.',
    'Two wallets that name the same journal file.',
    'End the other process, or share one wallet. The lock ends with its process.',
  ],
  journal_exposed: [
    'Someone else could change the file, and with it decide what is paid twice.',
    'A journal with mode 0666, or in a folder that others can write.',
    'chmod 600 the file, and keep it in a folder of your own.',
  ],
  journal_malformed: [
    'A record of the file is damaged, or the file is something else.',
    'A journal that was edited by hand.',
    'Restore it from a backup that is not older than the last payment.',
  ],
  journal_version: [
    'A later version wrote records that this one does not know.',
    'A journal of a newer antara-tx.',
    'Use the version that wrote it.',
  ],
  journal_failed: [
    'The disk is full, or the file system refuses to write or to sync.',
    'ENOSPC while a payment was recorded.',
    'Free space. Nothing was sent that was not recorded.',
  ],
  journal_changed: [
    'Another program replaced or changed the file while it was open.',
    'A backup that was copied over the open journal.',
    'Open the journal again, after you know which file is right.',
  ],
  journal_closed: [
    'The journal was closed, and a call came after that.',
    'wallet.pay after wallet.close.',
    'Open the journal again.',
  ],
  journal_chain: [
    'The payment with this id was recorded for another chain.',
    'The journal of a test chain with a wallet on the real one.',
    'Use one journal per chain.',
  ],
  id_conflict: [
    'An id names one payment for ever, and this request differs from the recorded one.',
    'The id invoice-17 for 1 coin, and later for 2.',
    'Use a new id for a new payment. antara-tx attempts lists the recorded ones.',
  ],

  malformed_policy: [
    'The policy of the guard is not JSON, lacks a member, or has one that does not exist.',
    'A limit that is a number instead of a decimal text.',
    'The message names the member. Correct it, and check the file before you start the guard.',
  ],
  record_malformed: [
    'Each decision has a hash of the one before it, and one of them does not fit.',
    'A line that was removed from the record.',
    'Treat what follows the named line as changed, and look for a copy of the record.',
  ],
  record_failed: [
    'The disk is full, or the file of decisions cannot be opened.',
    'ENOSPC while a decision was recorded.',
    'Free space, and check who owns the file. Nothing is sent that is not recorded.',
  ],

  merkle_root_mismatch: [
    'The block was changed, or its header belongs to another one.',
    'A block file with a damaged transaction.',
    'Fetch the block again.',
  ],
  repeated_transaction: [
    'The blocks have one transaction twice, so they are not one chain.',
    'Block files in which a stale block was kept.',
    'Give the blocks of the best chain alone.',
  ],
}
