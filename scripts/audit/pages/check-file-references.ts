/**
 * Checks that the references of pages, scripts and style sheets and the icons of web manifests resolve, and that no
 * source map is published.
 */
import { findReferences, listAnswers } from '../../../src/builder/rebuild/check/find-references.ts'
import type { BuiltSite } from './built-site.ts'

const READ = /\.(html|js|css|webmanifest)$/

/** Returns problems as phrases that follow the file's path. */
export async function checkFile(path: string, site: BuiltSite): Promise<readonly string[]> {
  if (path.endsWith('.map')) return ['is a source map']
  if (!READ.test(path)) return []
  const text = site.read(path)
  const references = path.endsWith('.webmanifest') ? findIcons(text) : await findReferences(path, text)
  const lost = new Set(references.filter((reference) => !leadsSomewhere(reference, site)))
  return [
    ...[...lost].map((reference) => `refers to ${reference}, which is not there`),
    ...(/[#@] sourceMappingURL=/.test(text) ? ['names a source map'] : []),
  ]
}

function leadsSomewhere(reference: string, { paths }: BuiltSite): boolean {
  return listAnswers(reference).some((path) => paths.has(path))
}

function findIcons(manifest: string): readonly string[] {
  const { icons = [] }: { icons?: readonly { src: string }[] } = JSON.parse(manifest)
  return icons.map(({ src }) => src)
}
