/**
 * The version that this state put live last. It is stored in a separate file, because a rollback must be able to store
 * a version while a build has the state's databases locked.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { boolean, nullish, number, object, picklist, safeParse, string } from 'valibot'
import type { InferOutput } from 'valibot'
import { syncPath } from '../state/sync-files.ts'

export interface LiveFile {
  /** Returns `null` when nothing is known. */
  readLive(): Live | null
  writeLive(live: Live): void
}

const UNTOLD = object({
  action: picklist(['forced', 'rolled-back']),
  reason: string(),
  by: string(),
  /** RFC 3339. */
  at: string(),
})

const LIVE = object({
  version: string(),
  sequence: number(),
  /** Hash of the site and of the Worker's code; empty when unknown. */
  digest: string(),
  /** Whether pages of the version were fetched from the site's address and equal the published files. */
  isSeen: boolean(),
  /** The action that put the version live and is not yet reported to the coordinator; `null` when all is reported. */
  untold: nullish(UNTOLD, null),
})

export type Untold = InferOutput<typeof UNTOLD>
export type Live = InferOutput<typeof LIVE>

export function openLiveFile(path: string): LiveFile {
  return {
    readLive: () => {
      const result = safeParse(LIVE, readJson(path))
      return result.success ? result.output : null
    },
    writeLive: (live) => {
      mkdirSync(dirname(path), { recursive: true })
      const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`
      try {
        writeFileSync(temporary, JSON.stringify(live))
        syncPath(temporary)
        renameSync(temporary, path)
      } finally {
        rmSync(temporary, { force: true })
      }
    },
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // A missing or damaged file means that nothing is known: the next publish asks the coordinator.
    return null
  }
}
