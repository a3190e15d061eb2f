interface Options {
  readonly entry: string
  readonly folder: string
  readonly root: string
  readonly platform: 'node' | 'browser'
  readonly format?: 'esm' | 'cjs' | 'iife'
  readonly externals?: RegExp
}

/** Each builds `entry` into `folder` and returns the file to run. */
export const bundlers: Readonly<
  Record<string, (options: Options) => Promise<{ file: string; warnings: string[] }>>
>
