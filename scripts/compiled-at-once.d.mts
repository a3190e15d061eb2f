export function calledFunctions(code: string, places: ReadonlySet<string>): Set<string>
export function withFunctionsCompiled(code: string, keys: ReadonlySet<string>): object
