/**
 * Hashes the inputs that the data of all pages has in common. While they are unchanged, a run plans only changed
 * sellers.
 */
import { formatCanonicalJson } from '../../../domain/documents/json.ts'
import { SOCIAL_VERSION } from '../../pictures/social/social-inputs.ts'
import type { Manifest } from '../../state/manifest.ts'
import { hashBytes } from '../../state/manifest.ts'
import type { DataBasis } from '../../state/record/record.ts'
import type { World } from '../world.ts'

export function createDataBasis({ inputs, state }: Pick<World, 'inputs' | 'state'>): DataBasis {
  const { code, settings, publicFiles } = inputs
  const data = formatCanonicalJson({
    code: code.pageData,
    url: settings.url,
    pictures: state.pictures.settings,
    // Included because a photo in the public folder is shown only if its file exists.
    publicFiles: Object.keys(publicFiles).sort(),
  })
  const parts = { code: code.pageData, pictures: formatCanonicalJson(state.pictures.settings) }
  return { data: hashBytes(data), drawings: hashDrawings(publicFiles), parts }
}

// Hashes the public SVG files, which are drawn into social pictures, and the version of the drawing code. The picture
// store cannot report changes of either.
function hashDrawings(files: Manifest): string {
  const lines = Object.entries(files).filter(([path]) => path.endsWith('.svg'))
  const drawn = lines.map(([path, hash]) => `${path} ${hash}`).sort()
  return hashBytes([SOCIAL_VERSION, ...drawn].join('\n'))
}
