/**
 * Loads a stored renderer. If loading fails and its files are damaged, compiles the renderer again and loads the new
 * one.
 */
import { rmSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Site } from '../../domain/pages/site.ts'
import type { KeptRenderer } from './compile.ts'
import type { Renderer } from './load-renderer.ts'
import { loadRenderer } from './load-renderer.ts'
import { isRendererDamaged } from './renderer-files.ts'

interface SoundRendererOptions {
  readonly site: Site
  readonly compile: () => Promise<KeptRenderer>
}

/** If loading fails although the files are not damaged, rejects with that error. */
export async function loadSoundRenderer(
  { server }: KeptRenderer,
  { site, compile }: SoundRendererOptions,
): Promise<Renderer> {
  try {
    return await loadRenderer(server, site)
  } catch (error) {
    if (!isRendererDamaged(dirname(server))) throw error
    rmSync(dirname(server), { recursive: true, force: true })
    const anew = await compile()
    renameModules(anew.server)
    return loadRenderer(anew.server, site)
  }
}

// Node caches failed modules by URL, so the new modules need other URLs in this process.
function renameModules(folder: string): void {
  const start = pathToFileURL(`${folder}/`).href
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      return found.url.startsWith(start) ? { ...found, url: `${found.url}?anew` } : found
    },
  })
}
