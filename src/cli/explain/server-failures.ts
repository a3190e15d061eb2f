import type { RpcErrorKind, RpcErrorReason } from '../../rpc/errors.ts'

const notTheServer = 'Check the address: another program may answer there. Ask again.'

/** Failures of servers: the `kind` of an RpcError, and the `reason` that refines it. */
export const serverFailures: Readonly<Record<RpcErrorKind | RpcErrorReason, string>> = {
  transport: `The connection was refused, reset or cut short, so no usable reply came back.
    A daemon that is not running.
    Start the server, and check the address and the port.`,
  timeout: `An attempt, or the whole call, took longer than allowed.
    A daemon that is loading its blocks.
    Wait and ask again, or raise the limit with --timeout.`,
  aborted: `Your own signal ended the call, or the task was cancelled.
    Ctrl-C during a call.
    Ask again. If the call was to send a transaction, look for its txid first.`,
  http: `The reply has an HTTP status, but is not an answer of the protocol.
    A wrong password, which is status 401.
    Look at the status and the reason: unauthorized, forbidden, redirected or queue_full.`,
  daemon: `The daemon answered with an error of JSON-RPC. Its number and its text are in the message.
    getrawtransaction of a txid that the daemon does not have: -5.
    Read the daemon's text. The number -28 means that the daemon is still starting.`,
  module: `A contract module of the daemon refused the call. The HTTP status is 200 all the same.
    tokeninfo of a txid that is not a token.
    Read the module's text.`,
  framework: `The framework answered with an error of its protocol.
    withdraw of a coin that is not activated: NoSuchCoin.
    Read errorType and errorData.`,
  task: `A task of the framework began and ended in an error.
    An activation that found no server for the coin.
    Read errorType, correct the cause, and start the task again.`,
  shape: `The reply does not have the form of the interface, so antara-tx did not use it.
    An answer to tokenbalance whose balance is a text.
    Check that the server is of the expected version. The path names the member.`,
  not_connected: `No connection to any server could be made.
    A name that does not resolve.
    Check the network, the address and the port.`,
  connection_lost: `The connection ended before the answer came.
    A server that was stopped during a call.
    Ask again. If the call was to send a transaction, look for its txid first.`,
  certificate_changed: `The certificate of the server is not the pinned one, or not the one of the first connection.
    An Electrum server behind a proxy that reads along.
    Ask its operator. Accept the new certificate only if the operator confirms it.`,
  store_unusable: `The file of known certificates cannot be read or written.
    A file that belongs to another user.
    Correct its owner and its mode.`,
  attempt_timeout: `One attempt took too long. The call may go on with another attempt.
    A slow server.
    Wait and ask again, or raise the limit with --timeout.`,
  call_timeout: `The whole call, with all attempts, took too long.
    A server that never answers.
    Wait and ask again, or raise the limit with --timeout.`,
  unauthorized: `The server does not accept the user or the password.
    A password of another chain.
    Take both from the daemon's configuration: --conf FILE.`,
  forbidden: `The server does not accept calls from this address.
    A daemon without rpcallowip for your machine.
    Call from the same machine, or change rpcallowip.`,
  redirected: `The server redirects the call. antara-tx does not follow, because the call has a password.
    http where the server wants https.
    Give the final address.`,
  queue_full: `The queue of the daemon is full.
    Hundreds of calls at once.
    Ask again with fewer calls at a time, or raise rpcworkqueue.`,
  unavailable: `The server answered that it cannot serve calls now.
    A proxy whose daemon is stopped.
    Wait, and check the daemon.`,
  not_json: `The reply is not JSON.
    The page of a web server.
    ${notTheServer}`,
  duplicate_member: `The reply has one member twice, so two readers may take different values.
    Two members named result.
    ${notTheServer}`,
  forbidden_member: `The reply has a member that changes objects in JavaScript.
    A member named __proto__.
    ${notTheServer}`,
  nested_too_deep: `The reply is nested too deeply.
    Ten thousand brackets.
    ${notTheServer}`,
  malformed_text: `The reply is not UTF-8.
    A reply in another encoding.
    ${notTheServer}`,
  reply_too_large: `The reply is larger than any answer to this method.
    A gigabyte in answer to getinfo.
    ${notTheServer}`,
  wrong_envelope: `The reply is JSON, but not an answer of the protocol.
    An object without result and error.
    ${notTheServer}`,
  wrong_id: `The reply answers another call.
    A proxy that mixes up answers.
    ${notTheServer}`,
  wrong_txid: `The server returned another txid than that of the transaction that it received.
    A server that sent another transaction instead.
    Look for both txids on the chain before you pay again.`,
  missing_reply: `A batch came back without the answer to one of its calls.
    Three answers to four calls.
    Ask again, one by one.`,
  unusable_hex: `The server returned text that is not a transaction in place of hex.
    A hex of odd length.
    Ask again, or ask another server.`,
  unexpected_value: `A member of the reply has a value that the interface does not have.
    An amount of NaN, or another block 1 than firstBlock names.
    Check that the server is of the expected version, and of your chain. The path names the member.`,
}
