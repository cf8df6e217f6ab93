/** What decides whether to compile, and what pages are rendered on: identified by hashing, never by time. */
import type { Manifest } from '../state/manifest.ts'
import { hashBytes, readManifest } from '../state/manifest.ts'

/** All that a compile reads of this project. A compile that reads anything else fails: see `input-check.ts`. */
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

/** Collation, number formats and JavaScript itself come from here. */
export function readRuntime(): string {
  const { node, icu } = process.versions
  return `node ${node}, icu ${icu}, order ${hashBytes(probeOrder()).slice(0, 16)}`
}

// The same ICU version may come with less data, or with other data.
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
