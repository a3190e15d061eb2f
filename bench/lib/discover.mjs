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

/** Our own library comes first; the others by name. @param {string} taskName */
export async function loadPeers(taskName) {
  const folder = new URL(`${taskName}/`, peersFolder)
  const names = modulesIn(folder)
  const ordered = [
    ...names.filter((n) => n === 'antara-tx'),
    ...names.filter((n) => n !== 'antara-tx'),
  ]
  return Promise.all(
    ordered.map(async (name) => (await import(new URL(`${name}.mjs`, folder).href)).peer),
  )
}
