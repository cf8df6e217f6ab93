/** Creates two copies of the project, one as it is and one with changed code, both compiled. */
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyProject } from '../measure/copy-project.ts'
import { writePhotos } from './proof-photos.ts'
import { compileVariant, editProject, EDITS } from './variants.ts'

export interface Project {
  readonly folder: string
  /** The folder of its renderer in its store. */
  readonly renderer: string
  /** The folder with the result of its compile. */
  readonly compiled: string
}

export interface Projects {
  readonly one: Project
  readonly two: Project
}

const [ONE = '', TWO = ''] = Object.keys(EDITS)

/** Creates each project in its own folder under `folder`. */
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
