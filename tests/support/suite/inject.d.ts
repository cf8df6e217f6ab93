import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Origin of the sample site, without a slash at its end. */
    origin: string
  }
}
