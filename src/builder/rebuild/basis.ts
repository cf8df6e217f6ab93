/**
 * The basis of a site: everything besides documents and pictures that its files are made from. Two runs with equal
 * bases and equal data make equal files.
 */
import { probeOrder } from '../../domain/catalogue/order-probe.ts'
import type { Json } from '../../domain/documents/json.ts'
import { formatCanonicalJson } from '../../domain/documents/json.ts'
import { isCompileInput } from '../renderer/input-check.ts'
import type { Manifest } from '../files/file-hashes.ts'
import { hashBytes, hashFiles, hashManifest, listFiles } from '../files/file-hashes.ts'
import { hashNoted } from '../files/file-hashes.ts'

export interface Basis {
  /** Hashes of the sources, the configuration and the public files, by path. */
  readonly files: Manifest
  readonly settings: Readonly<Record<string, Json>>
  /** The versions on which collation, number formats and JavaScript depend, and the order of a fixed list of names. */
  readonly runtime: string
}

const FILES = [
  'src',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'public',
  'functions/worker.ts',
  'functions/bucket-worker.ts',
  'wrangler.jsonc',
  'wrangler.bucket.jsonc',
]
const PUBLIC = 'public/'

/**
 * `note` is the file in which noted-hashes.ts keeps hashes, so that unchanged files are not read again; with `null`,
 * every file is read.
 */
export function readBasis(root: string, settings: Basis['settings'], note: string | null): Basis {
  return { files: readBasisFiles(root, note), settings, runtime: readRuntime() }
}

/** Returns the hashes in the order of the paths. */
export function readBasisFiles(root: string, note: string | null): Manifest {
  const files = FILES.flatMap((path) => listFiles(root, path)).sort()
  return note === null ? hashFiles(root, files) : hashNoted(root, files, note)
}

/** Returns canonical JSON, which is the same for equal bases only. */
export function formatBasis({ files, settings, runtime }: Basis): string {
  const parts = [JSON.stringify(files), JSON.stringify(runtime), formatCanonicalJson(settings)]
  return `{"files":${parts[0]},"runtime":${parts[1]},"settings":${parts[2]}}`
}

/** Throws a `SyntaxError` for a text that `formatBasis` did not return. */
export function parseBasis(text: string): Basis {
  return JSON.parse(text) as Basis
}

/** Returns a hash of those files that a compile reads. */
export function hashCompileInputs(files: Manifest): string {
  return hashManifest(pickFiles(files, isCompileInput))
}

/** Returns the hashes of the files in the public folder, by their paths on the site. */
export function listPublicFiles(files: Manifest): Manifest {
  const entries = Object.entries(pickFiles(files, (path) => path.startsWith(PUBLIC)))
  return Object.fromEntries(entries.map(([path, hash]) => [path.slice(PUBLIC.length), hash]))
}

/** Returns a line for each difference. */
export function findBasisChanges(before: Basis, after: Basis): readonly string[] {
  const describe = (old: Json | undefined, now: Json | undefined): string =>
    old === undefined ? 'added' : now === undefined ? 'removed' : 'changed'
  const show = (value?: Json): string => (value === undefined ? 'nothing' : formatCanonicalJson(value))
  return [
    ...listChanges(before.settings, after.settings).map(
      ([name, old, now]) => `setting ${name}: ${show(old)} → ${show(now)}`,
    ),
    ...(before.runtime === after.runtime ? [] : [`runtime ${before.runtime} → ${after.runtime}`]),
    ...listChanges(before.files, after.files).map(([path, ...pair]) => `file ${path} ${describe(...pair)}`),
  ]
}

type Values = Basis['settings']

function listChanges(before: Values, after: Values): readonly [string, Json | undefined, Json | undefined][] {
  const isSame = (name: string): boolean =>
    formatCanonicalJson(before[name] ?? null) === formatCanonicalJson(after[name] ?? null)
  const names = Object.keys({ ...before, ...after }).sort()
  return names.filter((name) => !isSame(name)).map((name) => [name, before[name], after[name]])
}

function pickFiles(files: Manifest, isPicked: (path: string) => boolean): Manifest {
  return Object.fromEntries(Object.entries(files).filter(([path]) => isPicked(path)))
}

function readRuntime(): string {
  const { node, icu } = process.versions
  return `node ${node}, icu ${icu}, order ${hashBytes(probeOrder().join('\n')).slice(0, 16)}`
}
