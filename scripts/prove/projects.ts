/** Two projects with commands of their own: the code as it is, and changed. Both are compiled already. */
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyProject } from './copy-project.ts'
import { writePhotos } from './proof-photos.ts'
import { compileVariant, editProject, EDITS } from './variants.ts'

export interface Project {
  readonly folder: string
  /** A renderer in the store, by its code. */
  readonly renderer: string
  /** What a compile leaves. */
  readonly compiled: string
}

export interface Projects {
  readonly one: Project
  readonly two: Project
}

const [ONE = '', TWO = ''] = Object.keys(EDITS)

/** `folder` gets a folder for each. */
export async function createProjects(folder: string, progress: (text: string) => void): Promise<Projects> {
  return {
    one: await createProject(join(folder, 'one'), ONE, progress),
    two: await createProject(join(folder, 'two'), TWO, progress),
  }
}

async function createProject(
  folder: string,
  name: string,
  progress: (text: string) => void,
): Promise<Project> {
  progress(`Compiling the code ${name}`)
  const edits = EDITS[name] ?? {}
  const { kept, code } = await compileVariant(name, edits)
  editProject(copyProject(folder), edits)
  await writePhotos(join(folder, 'public'), ['tomato', 'teal', 'gold'])
  const compiled = dirname(kept.server)
  const renderer = join(folder, '.vitrina/renderers', code)
  cpSync(compiled, renderer, { recursive: true })
  return { folder, renderer, compiled }
}
