/**
 * Types of the module that exports the compiled renderer. `generateWorker` writes that module. In a Worker without a
 * renderer, the alias in `wrangler.jsonc` leads to `without-renderer.ts`, which exports `null`.
 */
declare module 'vitrina:compiled' {
  import type { CompiledModule } from '../src/edge/search/compiled-renderer.ts'

  export const compiled: CompiledModule | null
}
