/**
 * Stores the version that this state folder most recently put live, or may have put live. It is a separate file,
 * because a rollback must be able to write it while a build has the databases of the state locked.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { boolean, nullish, number, object, picklist, safeParse, string } from 'valibot'
import type { InferOutput } from 'valibot'
import { syncPath } from '../files/sync-files.ts'

export interface LiveFile {
  /** Returns `null` if no version is known. */
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
  /** Hash of the run that made the site and of the Worker's code; empty when unknown. */
  digest: string(),
  /**
   * True once pages of the live site were fetched and found equal to the published files. Also true after a rollback,
   * without a check.
   */
  isSeen: boolean(),
  /** The action that put the version live, if it is not yet reported to the coordinator; otherwise `null`. */
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
    // A missing or damaged file means that no version is known. The coordinator also records the live version.
    return null
  }
}
