/** Copies the project's code, and links the installed packages. */
import { cpSync, existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../src/builder/files/project-folder.ts'

const PARTS = [
  'src',
  'scripts',
  'public',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** Folders in which commands cache compiled code: renderers and bundles. */
const COMPILED = ['.vitrina/renderers', '.vitrina/commands']

/** Names of the files and folders that most tests read. */
export const WITH_TESTS: readonly string[] = [
  ...PARTS,
  'tests',
  'functions',
  'docs',
  'README.md',
  'wrangler.jsonc',
  'wrangler.bucket.jsonc',
]

/** Copies `parts` into `folder`, links the installed packages there, and returns `folder`. */
export function copyProject(folder: string, parts: readonly string[] = PARTS): string {
  for (const part of parts) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Copies the cached compiled code as well, so that commands need not compile again. Returns `folder`. */
export function copyCompiledProject(folder: string, parts?: readonly string[]): string {
  copyProject(folder, parts)
  for (const part of COMPILED.filter((name) => existsSync(join(ROOT, name))))
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  return folder
}
