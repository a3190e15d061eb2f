import type { ErrorCode } from '../../errors/codes.ts'

const installAgain =
  'Run antara-tx doctor, which names each reason. Install the package again with optional dependencies.'
const report =
  'Please report it with the command and its input, without private keys. If money is involved, see SECURITY.md.'

/** Errors of the installation, of files and of the journal. */
export const otherErrors: Readonly<Partial<Record<ErrorCode, string>>> = {
  engine_unavailable: `Neither the native addon nor the WebAssembly module could be loaded.
    A package that was installed with --no-optional, on a platform where WebAssembly is switched off.
    ${installAgain}`,
  unknown_address: `The text is not an address, has a wrong checksum, or belongs to another network.
    antara-tx address Rnoaddress
    Check the address with its owner, and name its network with --network.`,
  amount_out_of_range: `An amount is negative or above what any chain has.
    antara-tx units 99999999999999999999
    Correct the amount; in programs amounts are satoshis.`,
  malformed_amount: `The text is not a decimal amount: digits, at most one point, and at most eight decimals.
    antara-tx units 1.123456789
    Write 1.5, not 1,5 or 1.5e0.`,
  malformed_case: `The file has another form than the command reads: it is not JSON, lacks a member, or has one that does not exist.
    antara-tx verify examples/transfer-request.json
    The message names the member. The command with --help shows the form.`,
  wrong_length: `The field has a fixed size, and the value has another one.
    A txid of 31 bytes.
    Check that nothing was cut.`,
  size_out_of_range: `A value is shorter or longer than its field allows.
    A line above 64 MiB with --lines.
    Check that the value is the one you meant.`,
  setting_missing: `The configuration of a daemon or framework lacks a port or a password, or has a wrong one.
    A configuration without rpcpassword.
    Name the right file with --conf, or give --url and the credentials.`,
  engine_failed: `The WebAssembly engine ran out of memory or stack. The next call runs on a new one.
    Many large batches at once in a page.
    Try again with less at a time. If one transaction always fails, please report it.`,
  internal_error: `antara-tx itself failed. The input is not verified.
    A bug in antara-tx.
    ${report}`,

  journal_locked: `Another process has the journal open, and only one at a time may write it.
    Two wallets that name the same journal file.
    End the other process, or share one wallet. The lock ends with its process.`,
  journal_exposed: `Other users could change the file, and could so cause a second payment.
    A journal with mode 0666, or in a folder that others can write.
    Run chmod 600 on the file, and keep it in a folder that only you can write.`,
  journal_malformed: `A record of the file is damaged, or the file is something else.
    A journal that was edited by hand, or two that were joined and have one id for two payments.
    Restore it from a backup that is not older than the last payment. Use each of two journals with the keys that it was made for.`,
  journal_version: `A later version wrote records that this one does not know, or a journal of your own added a member to them.
    An older antara-tx, started again after an upgrade. A store that writes its tenant into each text.
    Use the version of antara-tx that wrote the file. Do not restore a copy from before the upgrade: it lacks the payments since. In a journal of your own, keep further data beside the texts, and remove the named member only if your store added it.`,
  journal_failed: `The disk is full, the file system refuses to write or to sync, or nothing can lock the file.
    ENOSPC while a payment was recorded.
    Free space on the disk. Nothing was sent without a record. If the record may be stored, run the same command again. The file is locked by fs-native-extensions in Node: install that package beside a bundle, and use a journal of your own in Bun and Deno.`,
  journal_changed: `Another program replaced or changed the file while it was open.
    A backup that was copied over the open journal.
    Find out which file is right. Then open the journal again.`,
  journal_closed: `The program used the journal after it closed it.
    wallet.pay after wallet.close.
    Open the journal again.`,
  journal_chain: `The payment with this id was recorded for another chain, by the hash of block 1.
    The journal of a test chain with a wallet on the real one.
    Connect to the server of that chain. Use one journal for each chain, and a guard one folder for each. If it is the same chain, a server once reported a false block 1: then another id or journal would pay twice.`,
  id_conflict: `The journal already has another request with this id, or this id with outer spaces or quotation marks. An id names one payment for ever.
    The id invoice-17 for 1 coin, and later for 2.
    Use a new id for a new payment, and the recorded id to repeat one. antara-tx attempts lists the recorded ones.`,

  malformed_policy: `The policy of the guard is not JSON, lacks a member, or has one that does not exist.
    A limit that is a number instead of a decimal text.
    The message names the member. Correct it, and check the file before you start the guard.`,
  record_malformed: `Each line has the hash of the line before it, and one hash does not match.
    A line that was removed from the record.
    Do not trust the lines after the named one. Compare the record with a copy. If only the anchor is damaged, run antara-tx guard --verify-log with --anchor and your own copy of the anchor, and write the anchor that it prints into the .anchor file.`,
  record_failed: `The disk is full, or the file of decisions cannot be opened.
    ENOSPC while a decision was recorded.
    Free space, and check the owner of the file. The guard sends nothing without a record.`,

  merkle_root_mismatch: `The block was changed, or its header belongs to another one.
    A block file with a damaged transaction.
    Fetch the block again.`,
  repeated_transaction: `One transaction is in two blocks, so the blocks do not form one chain.
    Block files in which a stale block was kept.
    Give only the blocks of the best chain.`,
}
