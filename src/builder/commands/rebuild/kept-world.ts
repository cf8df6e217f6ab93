/** Keeps a world open between runs. If its state is found damaged, it is opened again with an empty one. */
import { isDamage } from '../../result-codes.ts'
import type { BuildOptions } from './rebuild-options.ts'
import type { OpenWorld, WorldTools } from './open-world.ts'
import { openWorld } from './open-world.ts'
import { nameFolder, removeDamaged } from './state-files.ts'

export interface KeptWorld {
  /** Runs `work` on the open world, and a second time if the state is found damaged in the first. */
  use<Result>(work: (world: OpenWorld) => Promise<Result>): Promise<Result>
  close(): void
}

/** The world is opened when it is first used. */
export function keepWorld(options: BuildOptions, tools: WorldTools): KeptWorld {
  let world: OpenWorld | null = null
  const close = (): void => {
    world?.close()
    world = null
  }
  return {
    use: async (work) => {
      try {
        return await work((world ??= openWorld(options, tools)))
      } catch (error) {
        if (!isDamage(error)) throw nameFolder(error, options.state)
        tools.warn('rebuild: the state is damaged, so everything is read again')
        close()
        removeDamaged(options.state, tools.warn)
        return work((world = openWorld(options, tools)))
      }
    },
    close,
  }
}
