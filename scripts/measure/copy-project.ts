/** Copies the project's code, with a link to its packages. */
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../src/builder/state/project-folder.ts'

const PARTS = [
  'src',
  'scripts',
  'public',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** With everything that tests read. */
export const WITH_TESTS: readonly string[] = [
  ...PARTS,
  'tests',
  'functions',
  'docs',
  'README.md',
  'wrangler.jsonc',
]

/** Returns `folder`. */
export function copyProject(folder: string, parts: readonly string[] = PARTS): string {
  for (const part of parts) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
