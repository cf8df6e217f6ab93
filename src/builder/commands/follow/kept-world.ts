/** A world that stays open between runs, and is opened anew after its state was found damaged. */
import { isDamage } from '../../result-codes.ts'
import type { OpenWorld } from '../rebuild/open-world.ts'

export interface KeptWorld {
  /** Runs work on the open world. Repeats it after a repair if the state is damaged. */
  use<Result>(work: (world: OpenWorld) => Promise<Result>): Promise<Result>
  close(): void
}

/** `repair` removes the damaged files, or throws the error. It is called while the world is closed. */
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
