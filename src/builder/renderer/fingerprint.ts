/** The inputs of a compile and the runtime of rendering, identified by hashes and versions, never by time. */
import { probeOrder } from '../../domain/catalogue/order-probe.ts'
import type { Manifest } from '../state/manifest.ts'
import { hashBytes, readManifest } from '../state/manifest.ts'

/** All files of this project that a compile reads. A compile that reads another file fails: see `input-check.ts`. */
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

/** Names the versions that determine collation, number formats and JavaScript. */
export function readRuntime(): string {
  const { node, icu } = process.versions
  return `node ${node}, icu ${icu}, order ${hashBytes(probeOrder().join('\n')).slice(0, 16)}`
}
