/**
 * Waits for the next message of a child process. An end of the process is an error, because nobody
 * would ever send the message.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<any>}
 */
export function nextMessage(child) {
  return new Promise((resolve, reject) => {
    const ended = (/** @type {number | null} */ code) =>
      reject(new Error(`the process of the node ended with exit status ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message)
    })
  })
}
