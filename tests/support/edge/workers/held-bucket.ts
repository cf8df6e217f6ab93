/** The Worker of a bucket with a coordinator whose lease is held by the token `held`. */
import { DurableObject } from 'cloudflare:workers'

export { default } from '../../../../functions/bucket-worker.ts'

export class BuildCoordinator extends DurableObject<object> {
  isHolder(token: string): boolean {
    return token === 'held'
  }
}
