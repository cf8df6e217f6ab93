/** What the data of all pages is made with: while it is the same, only sellers that changed are looked at. */
import { formatCanonicalJson } from '../../domain/documents/json.ts'
import type { Manifest } from '../state/manifest.ts'
import { hashBytes } from '../state/manifest.ts'
import type { DataBasis } from '../state/record/record.ts'
import type { World } from './world.ts'

export function createDataBasis({ inputs, state }: Pick<World, 'inputs' | 'state'>): DataBasis {
  const { code, settings, publicFiles } = inputs
  const data = formatCanonicalJson({
    code: code.pageData,
    url: settings.url,
    pictures: state.pictures.settings,
    // A photo of the site's own is shown only where there is one.
    publicFiles: Object.keys(publicFiles).sort(),
  })
  return { data: hashBytes(data), drawings: hashDrawings(publicFiles) }
}

// Of a photo that comes in small sizes the picture store tells when it changed, of a drawing nothing else does.
function hashDrawings(files: Manifest): string {
  const lines = Object.entries(files).filter(([path]) => path.endsWith('.svg'))
  return hashBytes(
    lines
      .map(([path, hash]) => `${path} ${hash}`)
      .sort()
      .join('\n'),
  )
}
