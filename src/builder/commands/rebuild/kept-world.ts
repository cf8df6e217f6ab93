/** Keeps a world open between runs. If its state is found damaged, it is opened again with an empty one. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setAsideDamaged } from '../../pictures/open-kept-database.ts'
import { isDamage, readResultCode } from '../../result-codes.ts'
import { SUFFIXES } from '../../state/sqlite/open-database.ts'
import type { OpenWorld, WorldTools } from './open-world.ts'
import { openWorld, PICTURES, STATE } from './open-world.ts'
import type { BuildOptions } from './rebuild-options.ts'

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

/**
 * Removes the state after an error that reports damage, so that the next run reads everything. Pictures cannot be made
 * anew, so a damaged picture store is renamed. No process may have the files open.
 */
export function removeDamaged(folder: string, warn: (message: string) => void): void {
  for (const suffix of SUFFIXES) rmSync(join(folder, STATE + suffix), { force: true })
  setAsideDamaged(join(folder, PICTURES), warn)
}

/** Returns the error. If it is one of SQLite, its message then names the folder: SQLite names no file. */
function nameFolder(error: unknown, folder: string): unknown {
  if (error instanceof Error && readResultCode(error) > 0 && !error.message.startsWith(folder))
    error.message = `${folder}: ${error.message}`
  return error
}
