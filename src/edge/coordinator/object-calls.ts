/** The coordinator's calls about objects and changes: the methods that the runtime calls remotely. */
import { DurableObject } from 'cloudflare:workers'
import type { ListedSeller } from '../../domain/pages/sitemap.ts'
import type { ChangeLedger, ChangeMessage, SettledChange } from './change-ledger.ts'
import type { CoordinatorParts } from './coordinator-parts.ts'
import type { Variables } from './coordinator-settings.ts'
import type { ObjectLedger, Permission, PermitCall } from './object-ledger.ts'

export abstract class ObjectCalls extends DurableObject<Variables> implements ObjectLedger, ChangeLedger {
  protected abstract readonly parts: Pick<CoordinatorParts, 'objects' | 'changes'>

  async permit(call: PermitCall): Promise<Permission> {
    const permission = await this.parts.objects.permit(call)
    if (call.isShrinkAllowed) this.parts.changes.retryHeld()
    return permission
  }

  settle(...call: Parameters<ObjectLedger['settle']>): Promise<void> {
    return this.parts.objects.settle(...call)
  }

  readKnown(bucket: number): ReturnType<ObjectLedger['readKnown']> {
    return this.parts.objects.readKnown(bucket)
  }

  readListed(bucket: number): Promise<readonly ListedSeller[]> {
    return this.parts.objects.readListed(bucket)
  }

  readBuckets(): Promise<readonly number[]> {
    return this.parts.objects.readBuckets()
  }

  readSiteState(): ReturnType<ObjectLedger['readSiteState']> {
    return this.parts.objects.readSiteState()
  }

  takeChanges(messages: readonly ChangeMessage[]): Promise<readonly ChangeMessage[]> {
    return this.parts.changes.takeChanges(messages)
  }

  settleChanges(settled: readonly SettledChange[]): Promise<void> {
    return this.parts.changes.settleChanges(settled)
  }

  noticeChanges(sellers: readonly string[]): Promise<void> {
    return this.parts.changes.noticeChanges(sellers)
  }
}
