/**
 * Types of the module with the compiled renderer, which `generateWorker` writes. By default, the alias in
 * `wrangler.jsonc` replaces the module with `without-renderer.ts`.
 */
declare module 'vitrina:compiled' {
  import type { CompiledModule } from '../src/edge/objects/compiled-renderer.ts'

  export const compiled: CompiledModule | null
}
