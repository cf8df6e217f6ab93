/** The module that `prepareWorker` generates; in its absence `without-renderer.ts`. */
declare module 'vitrina:compiled' {
  import type { CompiledModule } from '../src/edge/objects/compiled-renderer.ts'

  export const compiled: CompiledModule | null
}
