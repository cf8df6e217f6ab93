/** The inputs of a compile and the runtime of rendering, identified by hashes and versions, never by time. */
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
  return `node ${node}, icu ${icu}, order ${hashBytes(probeOrder()).slice(0, 16)}`
}

// Sorted as a probe, because builds of the same ICU version may contain different data.
const PROBE = [
  'zeta',
  'Ñandú',
  'nácar',
  'n',
  'ñ',
  'Éter',
  'eter',
  'Eter',
  'ch',
  'c',
  '10',
  '9',
  'ß',
  'ss',
  'Ω',
  '香',
  '🧴',
  '-',
  ' ',
]

function probeOrder(): string {
  return [...PROBE].sort(new Intl.Collator('es').compare).join('\n')
}
