/** The project's Worker of a bucket, with its coordinator, and with a clock that a test moves: `/api/test/pass`. */
import { pass } from './bucket-clock.ts'
import worker from '../../../../functions/bucket-worker.ts'

export * from '../../../../functions/bucket-worker.ts'

export default {
  ...worker,
  async fetch(request: Request, environment: Parameters<typeof worker.fetch>[1]): Promise<Response> {
    if (new URL(request.url).pathname !== '/api/test/pass') return worker.fetch(request, environment)
    pass(Number(await request.text()))
    return new Response()
  },
}
