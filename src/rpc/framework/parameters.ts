// The server's structs ignore members they do not know, so whatever is documented may be given and
// is sent. Where the documentation and the source want different forms of the same member, either
// is accepted here and the source's form is sent.

export * from './activation-parameters.ts'
export * from './task-parameters.ts'
export * from './transaction-parameters.ts'
