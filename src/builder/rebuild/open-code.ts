/**
 * Identifies the code that pages are rendered with. Compiles only if the inputs of a compile changed, or if the run
 * needs a renderer and none is stored.
 */
import { formatCanonicalJson } from '../../domain/documents/json.ts'
import type { PageKind } from '../../domain/documents/page-table.ts'
import type { KeptRenderer } from '../renderer/compile.ts'
import type { PageKindHashes } from '../renderer/compiled-lists.ts'
import { hashBytes } from '../state/manifest.ts'
import type { Generation } from '../state/record/record.ts'
import type { World } from './world.ts'

export interface RenderingCode {
  readonly generation: Generation
  /** Returns the renderer, and compiles it first if it is not stored. */
  openRenderer(): Promise<KeptRenderer>
  /** Returns the renderer, or `null` if it is not stored. */
  findRenderer(): KeptRenderer | null
  isCompiled(): boolean
}

/** Throws a `CompileError` if a compile is needed and fails. */
export async function openCode({ inputs, state, renderers, progress }: World): Promise<RenderingCode> {
  const { record } = state
  let isCompiled = false
  const openRenderer = async (): Promise<KeptRenderer> => {
    const found = renderers.find()
    if (found !== null) return found
    progress('Compiling')
    isCompiled = true
    return renderers.compile()
  }
  const known = record.readCompiled()
  const isKnown = known?.inputs === inputs.compiled
  const kinds = isKnown ? known.kinds : (await openRenderer()).kinds
  if (!isKnown) record.writeCompiled({ inputs: inputs.compiled, kinds })
  return {
    generation: {
      code: addRendering(kinds, inputs.code.rendering),
      settings: formatCanonicalJson(inputs.settings),
      runtime: inputs.runtime,
    },
    openRenderer,
    findRenderer: () => renderers.find(),
    isCompiled: () => isCompiled,
  }
}

function addRendering(kinds: PageKindHashes, rendering: string): Generation['code'] {
  const hashes = Object.entries(kinds).map(([kind, hash]) => [kind, hashBytes(`${hash} ${rendering}`)])
  return Object.fromEntries(hashes) as Readonly<Record<PageKind, string>>
}
