/** Runs the rebuild command as a child process, with or without an injected fault. */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { PhotoMode } from '../site/proof-photos.ts'
import type { SitePlace } from '../site/place.ts'
import type { InjectedFault } from './injected-fault.ts'
import { BOOT_VARIABLE, FAULT_VARIABLE } from './injected-fault.ts'

export interface RebuildRun {
  /** `null` if it was killed. */
  readonly exit: number | null
  /** Its output, errors included. */
  readonly words: string
  readonly ms: number
}

export interface RebuildRequest {
  readonly place: SitePlace
  /** The project whose command runs. */
  readonly project: string
  readonly siteName: string
  readonly photos: PhotoMode
  readonly args: readonly string[]
  readonly fault: InjectedFault | null
  /** Milliseconds after which it is killed; `null` for no kill. */
  readonly killAfter: number | null
  /** The id of the machine's boot that it finds; `null` for the real one. */
  readonly boot: string | null
  /** Called with the running process. */
  readonly whileRunning: ((child: ChildProcess) => void) | undefined
}

/** Max milliseconds of a run: one that hangs is a difference. */
const PATIENCE = 120_000

export async function runRebuildProcess(request: RebuildRequest): Promise<RebuildRun> {
  const { place, project, siteName, photos, args, fault, killAfter, boot } = request
  const preloads = [
    ...(fault === null ? [] : ['inject-fault.ts']),
    ...(photos === 'off' ? [] : ['patient.ts']),
    ...(boot === null ? [] : ['another-boot.ts']),
  ]
  const preload = preloads.flatMap((name) => ['--import', fileURLToPath(new URL(name, import.meta.url))])
  const flags = ['--source', place.source, '--out', place.output, '--state', place.state, ...args]
  const begin = performance.now()
  const child = spawn(process.execPath, [...preload, 'scripts/vitrina.mjs', 'rebuild', ...flags], {
    cwd: project,
    env: {
      ...process.env,
      SITE_NAME: siteName,
      PHOTOS: photos,
      [FAULT_VARIABLE]: JSON.stringify(fault),
      ...(boot !== null && { [BOOT_VARIABLE]: boot }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  request.whileRunning?.(child)
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfter ?? PATIENCE)
  const [[exit], ...words] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  clearTimeout(timer)
  return { exit, words: words.join(''), ms: performance.now() - begin }
}
