/** The project's Worker with a coordinator whose clock a test moves: `/api/test/pass`. */
import type { Namespace } from 'cloudflare:workers'
import worker from '../../../../functions/worker.ts'
import { BuildCoordinator as Coordinator } from '../../../../src/edge/coordinator/build-coordinator.ts'

const PASS = '/api/test/pass'

type Environment = { readonly COORDINATOR: Namespace<BuildCoordinator> } & Parameters<typeof worker.fetch>[1]

/** In milliseconds. */
let ahead = 0

export class BuildCoordinator extends Coordinator {
  /** Moves the clock ahead. Resolves when what is due by then is done. */
  async pass(time: number): Promise<void> {
    ahead += time
    await this.alarm()
  }

  protected override now(): number {
    return super.now() + ahead
  }
}

export default {
  ...worker,
  async fetch(request: Request, environment: Environment): Promise<Response> {
    if (new URL(request.url).pathname !== PASS) return worker.fetch(request, environment)
    await environment.COORDINATOR.getByName('site').pass(Number(await request.text()))
    return new Response()
  },
}
