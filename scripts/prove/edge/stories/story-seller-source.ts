/** The source of a story's Worker. The harness decides the answer to each read. Runs in Node and in workerd. */
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import type { SellerSource } from '../../../../src/edge/intake/seller-source.ts'
import { SourceTrouble } from '../../../../src/edge/intake/seller-source.ts'
import type { Gate } from '../gate.ts'
import type { Code } from './happenings.ts'
import { renameIn } from './story-renderer.ts'
import type { SourceAnswer } from '../traffic.ts'
import { readMessage } from '../../../../src/domain/documents/errors.ts'

export function createStorySource(gate: Gate, code: Code): SellerSource {
  return {
    readSeller: async (seller, known) => {
      const target = JSON.stringify({ seller, known })
      const answer = await ask(gate, target)
      if (answer.kind === 'trouble')
        throw new SourceTrouble(
          answer.trouble,
          `in this story, the source reports the trouble "${answer.trouble}"`,
          answer.retryAfter,
        )
      if (answer.kind === 'large') return answer
      return { ...answer, documents: answer.documents.map((document) => takeInDocument(document, code)) }
    },
  }
}

async function ask(gate: Gate, target: string): Promise<SourceAnswer> {
  try {
    return await gate.pass({ operation: 'read a seller', target }, async ({ source }) => {
      if (source === undefined) throw new Error('the story gave no answer to a read of a seller')
      return source
    })
  } catch (error) {
    throw new SourceTrouble('unavailable', readMessage(error))
  }
}

/** Imitates the intake of `code`: returns the document with the product name that this intake makes. */
function takeInDocument(document: SourceDocument, code: Code): SourceDocument {
  if (document.collection !== 'cataloge') return document
  const data = document.data as { readonly name: string }
  return { ...document, data: { ...data, name: renameIn(data.name, code) } }
}
