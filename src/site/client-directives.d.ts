import 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates the island when the visitor first uses a control. */
    'client:interaction'?: boolean
  }
}
