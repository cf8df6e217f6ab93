/** Reads the inputs of a compile and the runtime of rendering, which hashes and versions identify. */
import { probeOrder } from '../../domain/catalogue/order-probe.ts'
import type { Manifest } from '../state/manifest.ts'
import { hashBytes, hashFiles, listFiles, readManifest } from '../state/manifest.ts'
import { hashNoted } from '../state/noted-hashes.ts'

/**
 * Paths of the files and folders of this project that are compiled or configure a compile. A compile that uses a module
 * from elsewhere in the project fails: see `input-check.ts`.
 */
export const COMPILE_INPUTS = [
  'src/site',
  'src/domain',
  'src/builder/renderer',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

export function readInputManifest(root: string): Manifest {
  return Object.assign({}, ...COMPILE_INPUTS.map((path) => readManifest(root, path)))
}

/**
 * Returns the hashes of the inputs of a compile, and of the files of the public folder. `note` is the file in which
 * noted-hashes.ts keeps hashes, so that unchanged files are not read again; if it is `null`, every file is read.
 */
export function readProjectFiles(
  root: string,
  note: string | null,
): { readonly inputs: Manifest; readonly publicFiles: Manifest } {
  const inputs = COMPILE_INPUTS.flatMap((path) => listFiles(root, path))
  const shown = listFiles(root, 'public')
  const files = [...inputs, ...shown]
  const hashes = note === null ? hashFiles(root, files) : hashNoted(root, files, note)
  const pick = (paths: readonly string[], prefix: string): Manifest =>
    Object.fromEntries(paths.map((path) => [path.slice(prefix.length), hashes[path] ?? '']))
  return { inputs: pick(inputs, ''), publicFiles: pick(shown, 'public/') }
}

/** Returns a text that identifies the runtime, on which collation, number formats and JavaScript depend. */
export function readRuntime(): string {
  const { node, icu } = process.versions
  return `node ${node}, icu ${icu}, order ${hashBytes(probeOrder().join('\n')).slice(0, 16)}`
}
