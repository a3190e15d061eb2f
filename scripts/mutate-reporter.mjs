import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'

import { resultOf } from './mutate-typescript.mjs'

/** Tells of every survivor when it is found: a run takes long. */
class SurvivorsReporter {
  onMutantTested(result) {
    const { file, line, original, mutant, status } = resultOf(result)
    if (status === 'survived') console.error(`${file}:${line}\n- ${original}\n+ ${mutant}`)
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.Reporter, 'survivors', SurvivorsReporter),
]
