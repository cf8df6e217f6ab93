/** `prepareWorker` generates this module. By default it is `without-renderer.ts`. */
declare module 'vitrina:compiled' {
  import type { CompiledModule } from '../src/edge/objects/compiled-renderer.ts'

  export const compiled: CompiledModule | null
}
