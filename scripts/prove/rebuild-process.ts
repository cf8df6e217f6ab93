/** Runs the real command as a process of its own, as it is or struck. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { PhotoMode } from './proof-photos.ts'
import type { Place } from './place.ts'
import type { Strike } from './strike-plan.ts'
import { STRIKE } from './strike-plan.ts'

export interface RebuildRun {
  /** `null` when it was killed. */
  readonly exit: number | null
  /** What it says to people, its errors too. */
  readonly words: string
  readonly ms: number
}

export interface RebuildRequest {
  readonly place: Place
  /** The project whose command runs. */
  readonly project: string
  readonly siteName: string
  readonly photos: PhotoMode
  readonly args: readonly string[]
  readonly strike: Strike | null
  /** Milliseconds after which it is killed. */
  readonly killAfter: number | null
}

/** Nothing may hang: a run that does is a difference. */
const PATIENCE = 120_000

export async function runRebuildProcess(request: RebuildRequest): Promise<RebuildRun> {
  const { place, project, siteName, photos, args, strike, killAfter } = request
  const preloads = [...(strike === null ? [] : ['strike.ts']), ...(photos === 'off' ? [] : ['patient.ts'])]
  const preload = preloads.flatMap((name) => ['--import', fileURLToPath(new URL(name, import.meta.url))])
  const flags = ['--source', place.source, '--out', place.output, '--state', place.state, ...args]
  const begin = performance.now()
  const child = spawn(process.execPath, [...preload, 'scripts/vitrina.mjs', 'rebuild', ...flags], {
    cwd: project,
    env: { ...process.env, SITE_NAME: siteName, PHOTOS: photos, [STRIKE]: JSON.stringify(strike) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfter ?? PATIENCE)
  const [[exit], ...words] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  clearTimeout(timer)
  return { exit, words: words.join(''), ms: performance.now() - begin }
}
