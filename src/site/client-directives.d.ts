import 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates the island after the visitor has first used a control (see interaction-directive.ts). */
    'client:interaction'?: boolean
  }
}
