import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'

import { resultOf } from './mutate-typescript.mjs'

/** Tells of every survivor when it is found: a run takes long. */
class SurvivorsReporter {
  #tested = 0

  onMutantTested(result) {
    this.#tested += 1
    if (this.#tested % 50 === 0) console.error(`${this.#tested} mutants tested`)
    const { file, line, original, mutant, status } = resultOf(result)
    if (status === 'survived') console.error(`${file}:${line}\n- ${original}\n+ ${mutant}`)
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.Reporter, 'survivors', SurvivorsReporter),
]
