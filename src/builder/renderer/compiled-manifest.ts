/** Reads Astro's manifest in a compiled server, and separates what concerns all pages from what concerns one route. */
import { CompileError } from './compile-error.ts'

interface ManifestRoute {
  readonly routeData: { readonly pattern: string; readonly component: string }
}

export interface CompiledManifest {
  readonly routes: readonly ManifestRoute[]
  readonly componentMetadata: readonly (readonly [component: string, metadata: unknown])[]
  readonly clientDirectives: readonly (readonly [name: string, script: string])[]
  /** Files by module, such as a route's chunk in the server folder, or an island's file in the client folder. */
  readonly entryModules: Readonly<Record<string, string>>
  readonly [name: string]: unknown
}

const START = 'var _manifest = deserializeManifest('

/**
 * Names of values of Astro's manifest that do not concern every page: the values of single routes and islands, absolute
 * folders, a random key, and the list of all client files.
 */
const NOT_COMMON = [
  'rootDir',
  'cacheDir',
  'outDir',
  'srcDir',
  'publicDir',
  'buildClientDir',
  'buildServerDir',
  'routes',
  'componentMetadata',
  'clientDirectives',
  'entryModules',
  'assets',
  'key',
]

/** `entry` is the text of the server entry. Throws a `CompileError` if its manifest is missing or is not JSON. */
export function readCompiledManifest(entry: string): CompiledManifest {
  const [start, end] = findManifest(entry)
  try {
    return JSON.parse(entry.slice(start, end)) as CompiledManifest
  } catch (error) {
    throw new CompileError('The manifest of the compiled server is not JSON: see compiled-manifest.ts.', {
      cause: error,
    })
  }
}

/** Returns the text of the entry without the values of the manifest. */
export function dropManifest(entry: string): string {
  const [start, end] = findManifest(entry)
  return `${entry.slice(0, start)}{}${entry.slice(end)}`
}

/** Returns the values of the manifest that concern every page, as text. */
export function formatCommonPart(manifest: CompiledManifest): string {
  const common = Object.entries(manifest).filter(([name]) => !NOT_COMMON.includes(name))
  return JSON.stringify(common.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the first route that matches the path, as Astro does. Throws a `CompileError` if none matches. */
export function findRoute({ routes }: CompiledManifest, path: string): ManifestRoute {
  const route = routes.find(({ routeData }) => new RegExp(routeData.pattern).test(path))
  if (route === undefined) throw new CompileError(`No page is compiled for ${path}.`)
  return route
}

/** Returns the path of the module of a route's page, relative to the server folder. */
export function findPageModule(
  { entryModules }: CompiledManifest,
  { routeData: { component } }: ManifestRoute,
): string {
  const id = `\0virtual:astro:page:${component.replace(/\.([^.]+)$/, '@_@$1')}`
  const module = entryModules[id]
  if (module === undefined) throw new CompileError(`The compiled server has no module of ${component}.`)
  return module
}

function findManifest(entry: string): readonly [start: number, end: number] {
  const line = entry.indexOf(START)
  const start = line + START.length
  // The manifest is one line of JSON. Another argument of `deserializeManifest` may follow it on the same line.
  const end = entry.lastIndexOf('}', entry.indexOf('\n', start)) + 1
  if (line < 0 || end <= start)
    throw new CompileError(
      'The compiled server has no manifest where it is expected: see compiled-manifest.ts.',
    )
  return [start, end]
}
