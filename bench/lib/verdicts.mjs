// Shared by the peers of verification tasks: all cases of an item, one after another.

/** @typedef {{ hex: string, intent: any, evidence: any, prevouts: readonly any[] }} Verified */

/** Verdicts of a library's verifier. @param {(hex: string, intent: any, evidence: any) => { ok: boolean }} verify */
export const verdictsBy = (verify) => ({
  note: 'one thread',
  /** @param {readonly Verified[]} cases */
  run: (cases) => cases.map(({ hex, intent, evidence }) => verify(hex, intent, evidence)),
  /** @param {readonly { ok: boolean }[]} reports */
  answer: (reports) => reports.map(({ ok }) => ok),
})

/** Their signatures and nothing else. @param {any} library */
export const signaturesAlone = ({ networks, verifyInputs }) => ({
  name: 'signatures alone',
  package: 'antara-tx',
  note: "the verifier's own call of verifyInputs and nothing else",
  /** @param {readonly Verified[]} cases */
  run: (cases) =>
    cases.map(({ hex, prevouts }) => verifyInputs(hex, prevouts, networks.assetChain)),
  /** @param {readonly { ok: boolean }[][]} verdicts */
  answer: (verdicts) => verdicts.map((inputs) => inputs.every(({ ok }) => ok)),
})
