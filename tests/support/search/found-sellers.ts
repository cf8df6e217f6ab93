/** Returns the sellers of the products that a search of a served site finds. */
export async function findSellers(origin: string, query: string): Promise<ReadonlySet<string | undefined>> {
  const html = await (await fetch(`${origin}/buscar?${new URLSearchParams({ q: query })}`)).text()
  const links = html.matchAll(/href="\/catalogo\/([^/"#]+)[/#][^"]+"/g)
  return new Set(Array.from(links, ([, seller]) => seller))
}
