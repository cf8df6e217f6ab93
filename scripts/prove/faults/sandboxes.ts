/** Sandboxes for concurrent faulty runs, each with its own copies of the projects. */
import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { collectOutput } from '../../measure/run-tool.ts'
import { PAGE_SWITCHES } from '../../../src/domain/documents/page-switches.ts'
import type { Documents } from '../site/documents.ts'
import type { SitePlace } from '../site/place.ts'
import { createPlace } from '../site/place.ts'
import type { CompiledProject, Projects } from './projects.ts'
import { compileProjects, createProjects } from './projects.ts'
import type { RunSpec } from './scenarios.ts'
import type { InjectedFault } from './injected-fault.ts'
import { BOOT_VARIABLE, FAULT_VARIABLE, NO_FAULT } from './injected-fault.ts'
import { openTemporary } from '../temporary.ts'
import { createSource, updateSource } from '../site/write-source.ts'

export interface Sandbox {
  readonly folder: string
  readonly place: SitePlace
  readonly projects: Projects
  /** The boot id that runs read instead of the machine's; `null` for the real one. */
  readonly boot: string | null
}

export interface Sandboxes {
  readonly all: readonly [Sandbox, ...Sandbox[]]
  /** Folder for everything that all sandboxes share. */
  readonly folder: string
  close(): void
}

interface SandboxOptions {
  readonly width: number
  readonly progress: (text: string) => void
}

export async function openSandboxes({ width, progress }: SandboxOptions): Promise<Sandboxes> {
  // Compiles before `openTemporary` changes the temporary folder, so that later proofs find the compiled code.
  const variants = await compileProjects(progress)
  const { folder, remove } = openTemporary()
  const first = join(folder, 'projects-0')
  const projects = await createProjects(first, variants)
  // Runs the command once to bundle it. Both projects and all their copies then have the bundle.
  const { one, two } = projects
  execFileSync(process.execPath, [...COMMAND, '--help'], {
    cwd: one.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  cpSync(join(one.folder, BUNDLES), join(two.folder, BUNDLES), { recursive: true })
  const create = (index: number): Sandbox => {
    const own = join(folder, `projects-${index}`)
    if (index > 0) cpSync(first, own, { recursive: true, verbatimSymlinks: true })
    const site = join(folder, `site-${index}`)
    return {
      folder: site,
      place: createPlace(site, 'embedded'),
      projects: moveProjects(projects, first, own),
      boot: null,
    }
  }
  const others = Array.from({ length: width - 1 }, (_, index) => create(index + 1))
  return { all: [create(0), ...others], folder, close: remove }
}

export function findProject({ projects }: Sandbox, { project }: RunSpec): CompiledProject {
  return projects[project]
}

/** An injected fault, or an action on the running process. */
interface Disturbance {
  readonly fault?: Partial<InjectedFault>
  /** Milliseconds after which the run is killed. */
  readonly killAfter?: number
  /** Max milliseconds of a run without `killAfter`. */
  readonly patience?: number
  readonly whileRunning?: (child: ChildProcess) => void
}

export interface SandboxRun {
  /** `null` if the run was killed. */
  readonly exit: number | null
  /** Output of the run, errors included. */
  readonly words: string
  readonly ms: number
}

const BUNDLES = '.vitrina/commands'
const COMMAND = ['scripts/vitrina.mjs', 'rebuild']
/** Settings that switch on every kind of page, including kinds that are off by default. */
const ALL_PAGES = Object.fromEntries(Object.values(PAGE_SWITCHES).map(({ variable }) => [variable, 'on']))

/** In milliseconds. Longer than any run takes, even on a busy machine. */
const PATIENCE = 600_000

/**
 * Runs the command as `spec` says, as a child process. A compile is replaced by its known result. Throws an error that
 * is no `Difference` if the run exceeds `patience`.
 */
export async function runInSandbox(
  sandbox: Sandbox,
  spec: RunSpec,
  { fault, killAfter, patience = PATIENCE, whileRunning }: Disturbance = {},
): Promise<SandboxRun> {
  const { place, boot } = sandbox
  const { folder, compiled, renderer } = findProject(sandbox, spec)
  const isInjected = fault !== undefined || !existsSync(renderer)
  const preloads = [
    ...(isInjected ? ['inject-fault.ts'] : []),
    ...(spec.photos === 'off' ? [] : ['patient.ts']),
    ...(boot === null ? [] : ['another-boot.ts']),
  ]
  const preload = preloads.flatMap((name) => ['--import', fileURLToPath(new URL(name, import.meta.url))])
  const flags = ['--source', place.source, '--out', place.output, '--state', place.state, ...spec.args]
  const begin = performance.now()
  const child = spawn(process.execPath, [...preload, ...COMMAND, ...flags], {
    cwd: folder,
    env: {
      ...process.env,
      SITE_NAME: spec.siteName,
      PHOTOS: spec.photos,
      ...ALL_PAGES,
      [FAULT_VARIABLE]: JSON.stringify({ ...NO_FAULT, ...fault, compiled }),
      ...(boot !== null && { [BOOT_VARIABLE]: boot }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  whileRunning?.(child)
  let isLate = false
  const end = (): void => {
    isLate = killAfter === undefined
    child.kill('SIGKILL')
  }
  const timer = setTimeout(end, killAfter ?? patience)
  const { code: exit, stdout, stderr } = await collectOutput(child)
  clearTimeout(timer)
  const words = stdout + stderr
  if (isLate)
    throw new Error(
      `Nothing was proved: a run did not end within ${patience / 1_000} s, because it hangs or this machine is too slow. It printed: ${words.trim()}`,
    )
  return { exit, words, ms: performance.now() - begin }
}

/** Writes `after` to the source. `before`: the documents that the source has; `null` if there is no source yet. */
export async function writeSandboxDocuments(
  place: SitePlace,
  before: Documents | null,
  after: Documents,
): Promise<void> {
  if (before === null) await createSource(place.source, 'embedded', after)
  else updateSource(place.source, 'embedded', { before, after, style: 'update', isDurable: false })
}

export function copySite(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true, preserveTimestamps: true })
}

function moveProjects({ one, two }: Projects, from: string, to: string): Projects {
  const move = (project: CompiledProject): CompiledProject => ({
    ...project,
    folder: project.folder.replace(from, to),
    renderer: project.renderer.replace(from, to),
  })
  return { one: move(one), two: move(two) }
}
