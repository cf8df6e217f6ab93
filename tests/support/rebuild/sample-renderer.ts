/** The compiled renderer of this project, which all tests share. */
import { copyCompiledProject } from '../run/copy-project.ts'
import { hashCompileInputs, readBasisFiles } from '../../../src/builder/rebuild/basis.ts'
import { compileRenderer } from '../../../src/builder/renderer/compile.ts'
import type { KeptRenderer } from '../../../src/builder/renderer/renderer-store.ts'
import { findRenderer } from '../../../src/builder/renderer/renderer-store.ts'
import { ROOT, STORE } from '../../../src/builder/files/project-folder.ts'

const hashProject = (): string => hashCompileInputs(readBasisFiles(ROOT, null))

/** Returns the folder of the server bundle. */
export function findSampleServer(): string {
  const kept = findRenderer(STORE, hashProject())
  if (kept === null) throw new Error('the site under test was built from other code')
  return kept.server
}

/** Compiles this project, if no other test has. */
export async function ensureCompiled(): Promise<KeptRenderer> {
  return compileRenderer({ root: ROOT, store: STORE, code: hashProject() }, hashProject)
}

/** Copies this project with its renderer into `folder`; `parts` as for `copyProject`. */
export async function copyCompiled(folder: string, parts?: readonly string[]): Promise<void> {
  await ensureCompiled()
  copyCompiledProject(folder, parts)
}
