/** Compiled code without the folder that it was compiled in, so that pages do not depend on it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Stands for the project's folder. Astro hashes component paths into `astro-island uid`. */
const CONSTANT = '/project/'

/** Rewrites every compiled module of the renderer in place. */
export function writeStableRoot(serverFolder: URL, root: URL): void {
  const folder = fileURLToPath(serverFolder)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.mjs')) replaceRoot(join(folder, name), fileURLToPath(root))
  }
}

function replaceRoot(file: string, root: string): void {
  const code = readFileSync(file, 'utf8')
  const stable = code.replaceAll(root, CONSTANT)
  if (stable !== code) writeFileSync(file, stable)
}
