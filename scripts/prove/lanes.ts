/** Places where runs are struck, a few side by side, each with projects of its own. */
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RebuildRun } from './rebuild-process.ts'
import { runRebuildProcess } from './rebuild-process.ts'
import type { Documents } from './documents.ts'
import type { PhotoMode } from './proof-photos.ts'
import type { Place } from './place.ts'
import { createPlace } from './place.ts'
import type { Project, Projects } from './projects.ts'
import { createProjects } from './projects.ts'
import type { ScenarioRun } from './scenarios.ts'
import type { Strike } from './strike-plan.ts'
import { NO_STRIKE } from './strike-plan.ts'
import { openTemporary } from './temporary.ts'
import { createSource, updateSource } from './write-source.ts'

export interface Lane {
  readonly folder: string
  readonly place: Place
  readonly projects: Projects
  readonly photos: PhotoMode
}

export interface Lanes {
  readonly all: readonly Lane[]
  /** For what is prepared once. */
  readonly folder: string
  close(): void
}

export interface LaneOptions {
  readonly width: number
  readonly photos: PhotoMode
  readonly progress: (text: string) => void
}

export async function openLanes({ width, photos, progress }: LaneOptions): Promise<Lanes> {
  const { folder, remove } = openTemporary()
  const first = join(folder, 'projects-0')
  const projects = await createProjects(first, progress)
  // So that the command is bundled once.
  for (const { folder: project } of [projects.one, projects.two]) await bundle(project, folder)
  const all = Array.from({ length: width }, (_, index): Lane => {
    const own = join(folder, `projects-${index}`)
    if (index > 0) cpSync(first, own, { recursive: true, verbatimSymlinks: true })
    const site = join(folder, `site-${index}`)
    return {
      folder: site,
      place: createPlace(site, 'embedded'),
      projects: moveProjects(projects, first, own),
      photos,
    }
  })
  return { all, folder, close: remove }
}

export function findProject({ projects }: Lane, { project }: ScenarioRun): Project {
  return projects[project]
}

/** Runs the command as `make` says. A compile gives what it gave before. */
export function runMake(
  lane: Lane,
  make: ScenarioRun,
  strike: Partial<Strike> | null = null,
  killAfter: number | null = null,
): Promise<RebuildRun> {
  const { folder, compiled, renderer } = findProject(lane, make)
  const full = { ...NO_STRIKE, ...strike, compiled }
  return runRebuildProcess({
    place: lane.place,
    project: folder,
    siteName: make.siteName,
    photos: lane.photos,
    args: make.args,
    strike: strike === null && existsSync(renderer) ? null : full,
    killAfter,
  })
}

/** Writes what differs. `before` is `null` when there is no source yet. */
export async function writeLaneDocuments(
  place: Place,
  before: Documents | null,
  after: Documents,
): Promise<void> {
  if (before === null) await createSource(place.source, 'embedded', after)
  else updateSource(place.source, 'embedded', { before, after, style: 'update' })
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
    strike: null,
    killAfter: null,
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
