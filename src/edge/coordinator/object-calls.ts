/**
 * The coordinator's methods for objects. Each passes its call to the ledger. They are methods of the
 * Durable Object's class, because only those can be called remotely.
 */
import { DurableObject } from 'cloudflare:workers'
import type { ListedSeller } from '../../domain/pages/sitemap.ts'
import type { Variables } from './coordinator-settings.ts'
import type { LocalLedger } from './storage/local-ledger.ts'
import type { ObjectLedger, Permission, PermitCall } from './object-ledger.ts'

export abstract class ObjectCalls extends DurableObject<Variables> implements ObjectLedger {
  protected abstract readonly ledger: LocalLedger

  permit(call: PermitCall): Promise<Permission> {
    return this.ledger.permit(call)
  }

  settle(...call: Parameters<ObjectLedger['settle']>): Promise<void> {
    return this.ledger.settle(...call)
  }

  readKnown(bucket: number): ReturnType<ObjectLedger['readKnown']> {
    return this.ledger.readKnown(bucket)
  }

  readListed(bucket: number): Promise<readonly ListedSeller[]> {
    return this.ledger.readListed(bucket)
  }

  readBuckets(): Promise<readonly number[]> {
    return this.ledger.readBuckets()
  }

  readSiteState(): ReturnType<ObjectLedger['readSiteState']> {
    return this.ledger.readSiteState()
  }
}
