// The fuzz targets and their programs, for `npm run fuzz` and `npm run fuzz:all`.

import { readdirSync } from 'node:fs'

import { scriptTargets } from './fuzz-script.mjs'

/** Targets that read untrusted bytes. */
const first = ['transaction', 'fulfillment', 'payload', 'verifier', 'payment', 'order', 'withdraw']

/**
 * Every target, those that read strangers' bytes first.
 *
 * @param {string} root - of the repository, ending in a slash
 * @returns {string[]} names; seam-NAME for each function of the seam, which is one program
 */
export function fuzzTargets(root) {
  const programs = readdirSync(`${root}native/fuzz`).flatMap(
    (name) => /^(\w+)_fuzz\.cpp$/.exec(name)?.[1] ?? [],
  )
  const seam = readdirSync(`${root}native/fuzz/corpus/seam`).map((name) => `seam-${name}`)
  const native = [...programs.filter((name) => name !== 'seam').sort(), ...seam.sort()]
  return [...new Set([...first, ...native, ...scriptTargets])]
}

/**
 * @param {string} root
 * @param {string} name - of a target that is a libFuzzer program
 * @returns {{ name: string, program: string, seeds: string, found: string, dictionary: string,
 *   environment: { [name: string]: string } }} `program` as CMake calls it; the rest are paths
 */
export function nativeTarget(root, name) {
  const [program, seamFunction] = name.split('-')
  return {
    name,
    program: `${program}_fuzz`,
    seeds: `${root}native/fuzz/corpus/${name.replace('-', '/')}`,
    found: `${root}out/corpus/${name}`,
    dictionary: `${root}native/fuzz/${program}.dict`,
    environment: { ...process.env, ...(seamFunction && { ANTARA_SEAM_FUNCTION: seamFunction }) },
  }
}
