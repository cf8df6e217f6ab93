/** Sandboxes in which faulty runs take place side by side, each with its own copies of the projects. */
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RebuildRequest, RebuildRun } from './rebuild-process.ts'
import { runRebuildProcess } from './rebuild-process.ts'
import type { Documents } from '../site/documents.ts'
import type { SitePlace } from '../site/place.ts'
import { createPlace } from '../site/place.ts'
import type { Project, Projects } from './projects.ts'
import { compileProjects, createProjects } from './projects.ts'
import type { RunSpec } from './scenarios.ts'
import type { InjectedFault } from './injected-fault.ts'
import { NO_FAULT } from './injected-fault.ts'
import { openTemporary } from '../temporary.ts'
import { createSource, updateSource } from '../site/write-source.ts'

export interface Sandbox {
  readonly folder: string
  readonly place: SitePlace
  readonly projects: Projects
  /** The id of the machine's boot that runs find; `null` for the real one. */
  readonly boot: string | null
}

export interface Sandboxes {
  readonly all: readonly Sandbox[]
  /** For everything that all sandboxes share. */
  readonly folder: string
  close(): void
}

export interface SandboxOptions {
  readonly width: number
  readonly progress: (text: string) => void
}

export async function openSandboxes({ width, progress }: SandboxOptions): Promise<Sandboxes> {
  // Before the temporary folder is another one.
  const variants = await compileProjects(progress)
  const { folder, remove } = openTemporary()
  const first = join(folder, 'projects-0')
  const projects = await createProjects(first, variants)
  // Bundles the command before the projects are copied.
  for (const { folder: project } of [projects.one, projects.two]) await bundle(project, folder)
  const all = Array.from({ length: width }, (_, index): Sandbox => {
    const own = join(folder, `projects-${index}`)
    if (index > 0) cpSync(first, own, { recursive: true, verbatimSymlinks: true })
    const site = join(folder, `site-${index}`)
    return {
      folder: site,
      place: createPlace(site, 'embedded'),
      projects: moveProjects(projects, first, own),
      boot: null,
    }
  })
  return { all, folder, close: remove }
}

export function findProject({ projects }: Sandbox, { project }: RunSpec): Project {
  return projects[project]
}

/** The fault that hits a run from outside. */
export interface Disturbance {
  readonly fault?: Partial<InjectedFault>
  readonly killAfter?: number
  readonly whileRunning?: RebuildRequest['whileRunning']
}

/** Runs the command as `spec` says. A compile is replaced by its known result. */
export function runRebuild(
  sandbox: Sandbox,
  spec: RunSpec,
  { fault, killAfter, whileRunning }: Disturbance = {},
): Promise<RebuildRun> {
  const { folder, compiled, renderer } = findProject(sandbox, spec)
  const full = { ...NO_FAULT, ...fault, compiled }
  return runRebuildProcess({
    place: sandbox.place,
    project: folder,
    siteName: spec.siteName,
    photos: spec.photos,
    args: spec.args,
    fault: fault === undefined && existsSync(renderer) ? null : full,
    killAfter: killAfter ?? null,
    boot: sandbox.boot,
    whileRunning,
  })
}

/** Writes the documents that differ. `before` is `null` if there is no source yet. */
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

async function bundle(project: string, folder: string): Promise<void> {
  const place = createPlace(join(folder, 'nowhere'), 'embedded')
  const { exit, words } = await runRebuildProcess({
    place,
    project,
    siteName: 'Vitrina',
    photos: 'off',
    args: ['--help'],
    fault: null,
    killAfter: null,
    boot: null,
    whileRunning: undefined,
  })
  if (exit !== 0) throw new Error(`the command does not start: ${words}`)
}

function moveProjects({ one, two }: Projects, from: string, to: string): Projects {
  const move = (project: Project): Project => ({
    ...project,
    folder: project.folder.replace(from, to),
    renderer: project.renderer.replace(from, to),
  })
  return { one: move(one), two: move(two) }
}
