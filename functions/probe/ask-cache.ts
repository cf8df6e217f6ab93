/** Reads and writes the edge cache of the data centre that runs the request. The keys are URLs of the probe. */

// TypeScript's browser types do not declare `caches.default`.
const { default: cache } = caches as unknown as { readonly default: Cache }

export async function answerCache(parameters: URLSearchParams, origin: string): Promise<unknown> {
  const key = `${origin}/kept?name=${encodeURIComponent(parameters.get('name') ?? '')}`
  const text = parameters.get('text') ?? ''
  switch (parameters.get('what')) {
    case 'put':
      return cache.put(key, new Response(text, { headers: { 'cache-control': 'max-age=600' } }))
    case 'delete':
      return cache.delete(key)
    default:
      return (await cache.match(key))?.text() ?? null
  }
}
