/** Creates two copies of the project, one as it is and one with changed code, both compiled. */
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyProject } from '../../measure/copy-project.ts'
import { writePhotos } from '../site/proof-photos.ts'
import type { CodeVariant } from '../site/variants.ts'
import { compileVariant, editProject, CODE_EDITS } from '../site/variants.ts'

export interface CompiledProject {
  readonly folder: string
  /** Folder of the renderer in the project's renderer store. */
  readonly renderer: string
  /** Folder with the compiled renderer of this code, from which `renderer` was copied. */
  readonly compiled: string
}

export interface Projects {
  readonly one: CompiledProject
  readonly two: CompiledProject
}

const [ONE = '', TWO = ''] = Object.keys(CODE_EDITS)

interface ProjectVariants {
  readonly one: CodeVariant
  readonly two: CodeVariant
}

/**
 * Compiles both variants of the code, and keeps them in the temporary folder, so that later proofs need not compile.
 */
export async function compileProjects(progress: (text: string) => void): Promise<ProjectVariants> {
  return { one: await compile(ONE, progress), two: await compile(TWO, progress) }
}

async function compile(name: string, progress: (text: string) => void): Promise<CodeVariant> {
  progress(`Compiling the project's code ${name}`)
  return compileVariant(name, CODE_EDITS[name] ?? {})
}

/** Creates each project in its own folder under `folder`. */
export async function createProjects(folder: string, { one, two }: ProjectVariants): Promise<Projects> {
  return {
    one: await createProject(join(folder, 'one'), one),
    two: await createProject(join(folder, 'two'), two),
  }
}

async function createProject(folder: string, { name, code, kept }: CodeVariant): Promise<CompiledProject> {
  editProject(copyProject(folder), CODE_EDITS[name] ?? {})
  await writePhotos(join(folder, 'public'), ['tomato', 'teal', 'gold'])
  const compiled = dirname(kept.server)
  const renderer = join(folder, '.vitrina/renderers', code)
  cpSync(compiled, renderer, { recursive: true })
  return { folder, renderer, compiled }
}
