/** The Eleventy template that makes a page for each catalogue. */
import { readFileSync } from 'node:fs'
import type { Catalogue } from '../../../../src/domain/catalogue/catalogue.ts'
import { formatCatalogueFile } from '../../../../src/domain/pages/paths.ts'
import { createTemplate } from './page-template.ts'

interface PageData {
  readonly catalogue: Catalogue
}

const template = createTemplate(readFileSync(process.env['BENCH_FRAME'] ?? '', 'utf8'))

export const data = {
  pagination: { data: 'catalogues', size: 1, alias: 'catalogue', addAllPagesToCollections: false },
  permalink: ({ catalogue }: PageData): string => formatCatalogueFile(catalogue.seller),
  eleventyExcludeFromCollections: true,
}

export const render = ({ catalogue }: PageData): string => template(catalogue)
