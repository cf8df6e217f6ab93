/** Keeps a world open between runs. If its state is found damaged, repairs the state and opens the world again. */
import { isDamage } from '../../result-codes.ts'
import type { OpenWorld } from '../rebuild/open-world.ts'

export interface KeptWorld {
  /** Runs `work` on the open world. If the state is damaged, repairs it and runs `work` once more. */
  use<Result>(work: (world: OpenWorld) => Promise<Result>): Promise<Result>
  close(): void
}

/**
 * `repair` removes the damaged files, or throws the error that it is given, for example in a dry run. It is called
 * while the world is closed.
 */
export function keepWorld(open: () => Promise<OpenWorld>, repair: (error: unknown) => void): KeptWorld {
  let world: OpenWorld | null = null
  const read = async (): Promise<OpenWorld> => (world ??= await open())
  const close = (): void => {
    world?.close()
    world = null
  }
  return {
    use: async (work) => {
      try {
        return await work(await read())
      } catch (error) {
        if (!isDamage(error)) throw error
        close()
        repair(error)
        return work(await read())
      }
    },
    close,
  }
}
