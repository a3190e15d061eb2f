interface Platform {
  readonly os: string
  readonly cpu: string
  readonly libc?: string
  readonly triple: string
  readonly flags?: readonly string[]
  readonly link?: readonly string[]
}
export const platforms: Readonly<Record<string, Platform>>
export function platformsRequested(text: string | undefined): string[]
export function engineAbi(): string
