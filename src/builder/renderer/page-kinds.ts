/**
 * Computes the fingerprint of each kind of page: a hash of the common code of the compiled server and of the code that
 * the route reaches (both without types, comments and chunk names), of the common part and the route's part of Astro's
 * manifest, and of the client files that the route's code needs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { listPageKinds } from '../../domain/documents/page-table.ts'
import { formatRoutePath } from '../../domain/documents/page-address.ts'
import type { Manifest } from '../state/manifest.ts'
import { hashBytes, readManifest } from '../state/manifest.ts'
import { bundleText } from './bundle-text.ts'
import type { CompiledManifest } from './compiled-manifest.ts'
import {
  dropManifest,
  findPageModule,
  findRoute,
  formatCommonPart,
  readCompiledManifest,
} from './compiled-manifest.ts'
import type { PageKindHashes } from './compiled-lists.ts'
import { KIND_LIST } from './compiled-lists.ts'

/** Writes the hashes next to a compiled server. `folder` contains `server/` and `client/`. */
export async function writePageKinds(folder: string): Promise<void> {
  writeFileSync(join(folder, KIND_LIST), JSON.stringify(await hashPageKinds(folder)))
}

async function hashPageKinds(folder: string): Promise<PageKindHashes> {
  const server = join(folder, 'server')
  const entry = join(server, 'entry.mjs')
  const manifest = readCompiledManifest(readFileSync(entry, 'utf8'))
  const assets = readManifest(join(folder, 'client'), String(manifest['assetsDir']))
  const { code } = await bundleText({
    input: entry,
    runsIn: 'server',
    plugins: [dropPages(server, manifest)],
  })
  const common = hashBytes(`${code}\n${formatCommonPart(manifest)}`)
  const hashes = new Map<string, string>()
  for (const kind of listPageKinds()) {
    const part = await readRoutePart(server, manifest, formatRoutePath(kind))
    hashes.set(kind, hashBytes([common, ...part, ...listClientFiles(part[0], manifest, assets)].join('\n')))
  }
  return Object.fromEntries(hashes) as PageKindHashes
}

/** Returns the code that the route of `path` reaches, followed by the route's values in the manifest. */
async function readRoutePart(
  server: string,
  manifest: CompiledManifest,
  path: string,
): Promise<readonly [code: string, ...values: string[]]> {
  const route = findRoute(manifest, path)
  const input = join(server, findPageModule(manifest, route))
  const { code } = await bundleText({ input, runsIn: 'server' })
  const metadata = manifest.componentMetadata.filter(([component]) => code.includes(component))
  return [code, JSON.stringify(route), JSON.stringify(metadata)]
}

/**
 * Returns the client files that the code needs, with their hashes, and the scripts of directives; nothing for a page
 * without islands.
 */
function listClientFiles(
  code: string,
  { entryModules, clientDirectives }: CompiledManifest,
  assets: Manifest,
): readonly string[] {
  const files = Object.entries(entryModules).filter(([, file]) => assets[file] !== undefined)
  // Recognizes an island by the id of its module, which is a path. A module that starts the islands of a framework has
  // the name of a package as its id.
  const islands = files.filter(([module]) => module.startsWith('/') && code.includes(module))
  if (islands.length === 0) return []
  const starters = files.filter(([module]) => !module.startsWith('/') && !module.startsWith('\0'))
  const named = [...islands, ...starters].map(([module, file]) => `${module} ${file} ${assets[file]}`)
  return [...named.sort(), JSON.stringify(clientDirectives)]
}

/** A Vite plugin that removes the manifest and the pages from the server entry. */
function dropPages(server: string, manifest: CompiledManifest): Plugin {
  const pages = new Set(
    Object.entries(manifest.entryModules)
      .filter(([module]) => module.startsWith('\0virtual:astro:page:'))
      .map(([, file]) => join(server, file)),
  )
  return {
    name: 'vitrina:drop-pages',
    load: (id) => {
      if (pages.has(id)) return 'export const page = () => {}, t = {}'
      return id === join(server, 'entry.mjs') ? dropManifest(readFileSync(id, 'utf8')) : null
    },
  }
}
