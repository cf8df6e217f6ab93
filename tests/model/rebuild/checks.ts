/** The promises of a rebuild, about the files of a site. Each function throws if its promise is broken. */
import { findOwner, isOwn, listMissing, mayDiffer } from './build.ts'

/** The bytes of each file, by path. */
export type Site = Readonly<Record<string, string>>

interface Look {
  readonly site: Site
  readonly stamps: Readonly<Record<string, string>>
}

/** The site equals a clean build, but for the places of sellers whose pages are old. */
export function compareSites(
  site: Site,
  clean: Site,
  hasOldHeaders: boolean,
  failed: readonly string[] = [],
): void {
  const isFree = (path: string): boolean => {
    if (path === '_headers' && hasOldHeaders) return true
    const owner = findOwner(path)
    return mayDiffer(path, path in clean) || (owner === null ? failed.includes('') : failed.includes(owner))
  }
  const wrong = listDiffering(site, clean).filter((path) => !isFree(path))
  const describe = (path: string): string =>
    `${path}: ${show(site[path])}, but a clean build has ${show(clean[path])}`
  if (wrong.length > 0)
    throw new Error(`The site differs from a clean build.\n${wrong.slice(0, 5).map(describe).join('\n')}`)
}

function listDiffering(one: Site, other: Site): readonly string[] {
  return Object.keys({ ...one, ...other }).filter((path) => one[path] !== other[path])
}

function show(text: string | undefined): string {
  return text === undefined ? 'nothing' : JSON.stringify(text.slice(0, 300))
}

/** Each file is complete, and that of one of the sites. */
export function checkWhole(site: Site, sites: readonly Site[], isChecked: (path: string) => boolean): void {
  const torn = Object.keys(site)
    .filter((path) => path !== '_headers' && !isOwn(path) && isChecked(path))
    .filter((path) => !sites.some((one) => one[path] === site[path]))
  if (torn.length > 0) throw new Error(`These files are neither old nor new: ${torn.join(', ')}`)
}

/** What a page shows, and who is listed, is there. */
export function checkNeeds(site: Site): void {
  const missing = Object.keys(site)
    .filter((path) => !isOwn(path))
    .flatMap((path) => listMissing(path, site).map((one) => `${one} of ${path}`))
  if (missing.length > 0) throw new Error(`These are missing: ${missing.join(', ')}`)
}

/** A failing seller loses no file. */
export function checkKept(failed: readonly string[], before: Site, after: Site): void {
  const lost = Object.keys(before).filter(
    (path) => failed.includes(findOwner(path) ?? ' ') && !(path in after),
  )
  if (lost.length > 0) throw new Error(`Files of a failing seller were removed: ${lost.join(', ')}`)
}

/** A file is written only if its bytes differ. */
export function checkWritten(before: Look, after: Look): void {
  const needless = Object.keys(after.site)
    .filter((path) => before.stamps[path] !== after.stamps[path] && before.site[path] === after.site[path])
    .filter((path) => !isOwn(path))
  if (needless.length > 0)
    throw new Error(`These files were written with the same bytes: ${needless.join(', ')}`)
}

/** Only pages of sellers who are due are rendered. */
export function checkRendered(rendered: readonly string[], due: ReadonlySet<string>): void {
  const needless = rendered.filter((seller) => !due.has(seller))
  if (needless.length > 0)
    throw new Error(`Pages of sellers who are not due were rendered: ${needless.join(', ')}`)
}

/** A run that is explained names the files that differ. */
export function checkExplained(differing: readonly string[], before: Site, after: Site): void {
  const changed = listDiffering(before, after).filter((path) => !isOwn(path))
  const missed = changed.filter((path) => !differing.includes(path))
  const added = differing.filter((path) => !changed.includes(path) && path !== '_headers')
  if (missed.length + added.length > 0)
    throw new Error(
      `An explained run missed ${missed.join(', ')}, and named without need ${added.join(', ')}`,
    )
}
