import 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates at the first touch of a control, key or focus. */
    'client:interaction'?: boolean
  }
}
