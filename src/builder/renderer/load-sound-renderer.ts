/** Loads a kept renderer; one whose bytes are damaged is compiled anew first. */
import { rmSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Site } from '../../domain/pages/site.ts'
import type { KeptRenderer } from './compile.ts'
import type { Renderer } from './load-renderer.ts'
import { loadRenderer } from './load-renderer.ts'
import { isRendererDamaged } from './renderer-files.ts'

export interface SoundRendererOptions {
  readonly site: Site
  readonly compile: () => Promise<KeptRenderer>
}

/** Throws what a sound renderer throws when it is loaded. */
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

// This process remembers by their addresses the modules that could not be loaded: from now on they have others.
function renameModules(folder: string): void {
  const start = pathToFileURL(`${folder}/`).href
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      return found.url.startsWith(start) ? { ...found, url: `${found.url}?anew` } : found
    },
  })
}
