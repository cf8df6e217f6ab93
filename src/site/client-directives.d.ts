import 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates at the first touch, key or focus, else when idle; never before a touch where data is saved. */
    'client:interaction'?: boolean
  }
}
