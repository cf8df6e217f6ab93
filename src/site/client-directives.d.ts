import 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates on the first pointer, key or focus event, or when idle. With data saving on, only on an event. */
    'client:interaction'?: boolean
  }
}
