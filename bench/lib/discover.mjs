import { readdirSync } from 'node:fs'

const tasksFolder = new URL('../tasks/', import.meta.url)
const peersFolder = new URL('../peers/', import.meta.url)

/** @param {URL} folder @returns {string[]} names of its modules, sorted, without `.mjs` */
const modulesIn = (folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => file.slice(0, -'.mjs'.length))
    .sort()

export const taskNames = () => modulesIn(tasksFolder)

/**
 * @param {string} wanted a task, the first words of several, or `all`
 * @returns {string[]}
 */
export const tasksMatching = (wanted) =>
  taskNames().filter((name) => wanted === 'all' || name === wanted || name.startsWith(`${wanted}-`))

/** @param {string} name */
export const loadTask = async (name) => {
  const { task } = await import(new URL(`${name}.mjs`, tasksFolder).href)
  if (task.name !== name) throw new Error(`tasks/${name}.mjs defines ${task.name}`)
  return task
}

/** @param {string} taskName */
const peersOf = (taskName) => new URL(`${taskName}/`, peersFolder)

/** Our own library comes first; the others by name. @param {string} taskName */
export function peerNames(taskName) {
  const names = modulesIn(peersOf(taskName))
  return [...names.filter((n) => n === 'antara-tx'), ...names.filter((n) => n !== 'antara-tx')]
}

/** In the order of their names. @param {string} taskName */
export const loadPeers = (taskName) =>
  Promise.all(
    peerNames(taskName).map(
      async (name) => (await import(new URL(`${name}.mjs`, peersOf(taskName)).href)).peer,
    ),
  )
