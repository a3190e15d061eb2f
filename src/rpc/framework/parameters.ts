// The server ignores unknown members, so every documented member is accepted and sent. Where the
// documentation and the source differ in the form of a member, both are accepted and the source's
// form is sent.

export * from './activation-parameters.ts'
export * from './task-parameters.ts'
export * from './transaction-parameters.ts'
