// A file that is replaced whole: whenever the machine stops, the old or the new content is there.

import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'

/**
 * Writes `text` beside the file, as `FILE.new`, and renames that.
 *
 * `FILE.new` is always a new file: another process, or another user of a shared folder, may have put a
 * symbolic link or a readable file there. A link at `path` is replaced too, what it points to is not
 * touched.
 *
 * @param mode - of the file, whatever the umask is and whatever was there before
 * @throws {Error} of the file system
 */
export function replaceFile(path: string, text: string, mode: number): void {
  const beside = `${path}.new`
  // Left by a process that was killed, or by a stranger. Removes a link, not what it points to.
  rmSync(beside, { force: true })
  const file = openSync(beside, 'wx', mode)
  try {
    fchmodSync(file, mode)
    writeFileSync(file, text)
    fsyncSync(file)
  } catch (error) {
    closeSync(file)
    rmSync(beside, { force: true })
    throw error
  }
  closeSync(file)
  renameSync(beside, path)
}
