// Files of tests that load sources anew, in a worker whose files share them. A worker of their own
// would load all sources, which takes longer than the tests.

import { afterAll } from 'vitest'

/** A module as Vitest keeps it. `vi.resetModules` empties it. */
interface ModuleNode {
  promise: unknown
  exports: unknown
  evaluated: boolean
  importers: Set<string>
}

declare const __vitest_worker__: {
  readonly evaluatedModules: { readonly idToModuleMap: ReadonlyMap<string, ModuleNode> }
}

/**
 * Lets a file of tests call `vi.resetModules`. Other files get the modules that the worker has now.
 * Call it first, before any module is loaded anew.
 */
export function putModulesBack(): void {
  const nodes = __vitest_worker__.evaluatedModules.idToModuleMap
  const before = new Map(
    [...nodes].map(([id, { promise, exports, evaluated, importers }]) => [
      id,
      { promise, exports, evaluated, importers: [...importers] },
    ]),
  )
  afterAll(() => {
    for (const [id, node] of nodes) {
      // A module that was first loaded in between has imports of its own, so it is loaded again.
      const { importers, ...kept } = before.get(id) ?? {
        ...{ promise: undefined, exports: undefined, evaluated: false },
        importers: [],
      }
      Object.assign(node, kept)
      node.importers.clear()
      for (const importer of importers) node.importers.add(importer)
    }
  })
}
