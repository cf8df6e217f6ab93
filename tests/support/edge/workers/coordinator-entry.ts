/**
 * The project's Worker with a coordinator whose clock a test moves: `/api/test/pass`. The variable `FAILING` is how many
 * demands for everything fail first.
 */
import type { Namespace } from 'cloudflare:workers'
import worker from '../../../../functions/worker.ts'
import { BuildCoordinator as Coordinator } from '../../../../src/edge/coordinator/build-coordinator.ts'

const PASS = '/api/test/pass'

type Environment = { readonly COORDINATOR: Namespace<BuildCoordinator> } & Parameters<typeof worker.fetch>[1]

/** In milliseconds. */
let ahead = 0
let failed = 0

export class BuildCoordinator extends Coordinator {
  /** Moves the clock ahead. Returns the time until the next alarm when what is due by then is done. */
  async pass(time: number): Promise<number> {
    ahead += time
    await this.alarm()
    return ((await this.ctx.storage.getAlarm()) ?? 0) - this.now()
  }

  override async notice(...[asked]: Parameters<Coordinator['notice']>): ReturnType<Coordinator['notice']> {
    if ('full' in asked && (failed += 1) <= Number(this.env['FAILING'] ?? 0)) throw new Error('not now')
    return super.notice(asked)
  }

  protected override now(): number {
    return super.now() + ahead
  }
}

export default {
  ...worker,
  async fetch(request: Request, environment: Environment): Promise<Response> {
    if (new URL(request.url).pathname !== PASS) return worker.fetch(request, environment)
    const coordinator = environment.COORDINATOR.getByName('site')
    return Response.json(await coordinator.pass(Number(await request.text())))
  },
}
