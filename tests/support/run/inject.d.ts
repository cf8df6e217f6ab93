import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the sample site is served, without a slash at its end. */
    origin: string
  }
}
