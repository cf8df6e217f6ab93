/** The module that `prepareObjectsWorker` generates for the Worker of a site of objects. */
declare module 'vitrina:compiled' {
  import type { CompiledModule } from '../src/edge/pages/compiled-renderer.ts'

  export const createRenderer: CompiledModule['createRenderer']
  export const facts: CompiledModule['facts']
}

/** The module that `prepareAssetsWorker` generates; in its absence `without-renderer.ts`. */
declare module 'vitrina:search' {
  import type { CompiledScreens } from '../src/edge/pages/compiled-renderer.ts'

  export const compiled: CompiledScreens | null
}
