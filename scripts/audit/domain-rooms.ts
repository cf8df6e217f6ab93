/** The rooms of `src/domain`, which every other wing enters. */
import type { Wing } from './wing.ts'

export const DOMAIN_ROOMS: Wing['rooms'] = [
  { name: 'documents', holds: 'parsing documents; products, profiles, prices, ids, text', imports: [] },
  {
    name: 'catalogue',
    holds: 'one seller’s catalogue: order, summary, the visitor’s view',
    imports: ['documents'],
  },
  {
    name: 'photos',
    holds: 'photo addresses and hosts, sizes, lost photos',
    imports: ['catalogue', 'documents'],
  },
  { name: 'order', holds: 'a visitor’s order, what changed since, and its text', imports: ['documents'] },
  {
    name: 'messages.ts',
    holds: 'every Spanish sentence of the interface',
    imports: ['catalogue', 'documents', 'order'],
  },
  {
    name: 'pages',
    holds: 'the data of each page, paths, sitemap, structured data',
    imports: ['catalogue', 'documents', 'photos'],
  },
  {
    name: 'objects',
    holds: 'the data of an object, its key, the pages made from it',
    imports: ['catalogue', 'documents', 'pages', 'photos'],
  },
  {
    name: 'search',
    holds: 'words of names and queries, entries of the search index, the order of results',
    imports: ['catalogue', 'documents', 'objects', 'pages', 'photos'],
  },
  {
    name: 'wire',
    holds: "the tables of calls, their signatures, and a coordinator's status",
    imports: ['documents', 'objects', 'pages', 'search'],
  },
]
