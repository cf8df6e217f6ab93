/** Mistakes in the decision which pages to render. */
import type { Mutation } from '../mutation.ts'

const PLAN_PAGE = 'src/builder/rebuild/plan-page.ts'
const PLAN_SITE = 'src/builder/rebuild/plan-site.ts'
const DATA_BASIS = 'src/builder/rebuild/data-basis.ts'
const OPEN_CODE = 'src/builder/rebuild/open-code.ts'
const CODE_HASHES = 'src/builder/commands/rebuild/code-hashes.ts'

export const PLAN_MUTATIONS: readonly Mutation[] = [
  {
    name: 'leave the code out of the decision',
    file: PLAN_PAGE,
    text: "if (recorded.code[kind] !== generation.code[kind]) return 'code'",
    broken: '',
    catchers: ['equivalence', 'tests/builder/rebuild/plan-page.test.ts'],
  },
  {
    name: 'leave the settings out of the decision',
    file: PLAN_PAGE,
    text: "if (recorded.settings !== generation.settings) return 'settings'",
    broken: '',
    catchers: ['equivalence', 'tests/builder/rebuild/plan-page.test.ts'],
  },
  {
    name: 'leave the runtime out of the decision',
    file: PLAN_PAGE,
    text: "return recorded.runtime === generation.runtime ? null : 'runtime'",
    broken: 'return null',
    catchers: ['tests/builder/rebuild/plan-page.test.ts'],
  },
  {
    name: 'trust an unsure page',
    file: PLAN_PAGE,
    text: "if (recorded.isUnsure) return 'unsure'",
    broken: '',
    catchers: ['tests/builder/rebuild/plan-page.test.ts', 'tests/builder/rebuild/crash.test.ts'],
  },
  {
    name: 'leave ACCESS_URL out of the settings',
    file: OPEN_CODE,
    text: 'settings: formatCanonicalJson(inputs.settings)',
    broken: 'settings: formatCanonicalJson({ ...inputs.settings, accessUrl: null })',
    catchers: ['equivalence'],
  },
  {
    name: 'leave SITE_URL out of the settings',
    file: OPEN_CODE,
    text: 'settings: formatCanonicalJson(inputs.settings)',
    broken: "settings: formatCanonicalJson({ ...inputs.settings, url: '' })",
    catchers: ['equivalence'],
  },
  {
    name: 'leave the code that renders out of the decision',
    file: OPEN_CODE,
    text: 'hashBytes(`${hash} ${rendering}`)',
    broken: 'hash',
    catchers: ['equivalence'],
  },
  {
    name: 'give the code that renders a constant hash',
    file: CODE_HASHES,
    text: 'rendering: hashBytes(rendering.code)',
    broken: "rendering: 'rendering'",
    catchers: ['tests/builder/commands/code-hashes.test.ts'],
  },
  {
    name: 'keep the fingerprints of the compile before',
    file: OPEN_CODE,
    text: 'const isKnown = known?.inputs === inputs.compiled',
    broken: 'const isKnown = known !== null',
    catchers: ['equivalence'],
  },
  {
    name: 'leave the code of page data out of the decision',
    file: DATA_BASIS,
    text: 'code: code.pageData,\n    url',
    broken: 'url',
    catchers: ['equivalence'],
  },
  {
    name: 'give the code of page data a constant hash',
    file: CODE_HASHES,
    text: 'pageData: hashBytes(pageData.code)',
    broken: "pageData: 'pageData'",
    catchers: ['tests/builder/commands/code-hashes.test.ts'],
  },
  {
    name: 'leave the photo settings out of the decision',
    file: DATA_BASIS,
    text: 'pictures: state.pictures.settings,',
    broken: '',
    catchers: ['equivalence'],
  },
  {
    name: 'leave the names in the public folder out of the decision',
    file: DATA_BASIS,
    text: 'publicFiles: Object.keys(publicFiles).sort(),',
    broken: '',
    // A story of the equivalence proof seldom adds just the photo that a product names.
    catchers: ['tests/builder/rebuild/static-files.test.ts'],
  },
  {
    name: 'plan no page of an earlier generation',
    file: PLAN_SITE,
    text: ', ...record.readStaleSellers(number)]',
    broken: ']',
    catchers: ['tests/builder/rebuild/rebuild-steps.test.ts'],
  },
  {
    name: 'plan no page for a new picture',
    file: PLAN_SITE,
    text: '...snapshot.readChanged(), ...pictureChanges.sellers,',
    broken: '...snapshot.readChanged(),',
    catchers: ['tests/builder/pictures/rebuild-photos.test.ts'],
  },
  {
    name: 'leave out the file of the sitemap that lists a changed seller',
    file: PLAN_SITE,
    text: 'return [...new Set(sellers.map((seller) => snapshot.findBucket(seller)))]',
    broken: 'return []',
    catchers: ['tests/builder/rebuild/sitemap.test.ts'],
  },
  {
    name: 'count pages with other settings as of the present generation',
    file: 'src/builder/state/record/record-meta.ts',
    text: 'WHERE earlier.settings = present.settings AND',
    broken: 'WHERE',
    catchers: ['tests/builder/state/record/record.test.ts'],
  },
  {
    name: 'keep the preview of a photo that was replaced',
    file: 'src/builder/pictures/store/photo-store.ts',
    text: "preview = NULL, preview_recipe = '',",
    broken: '',
    catchers: ['tests/builder/pictures/store.test.ts'],
  },
  {
    name: 'never make the preview of a picture that was made without one',
    file: 'src/builder/pictures/photos/process-photo.ts',
    text: '(known.isPreviewed || !makesPreviews)',
    broken: '(known.isPreviewed || makesPreviews || !makesPreviews)',
    catchers: ['tests/builder/pictures/previews.test.ts'],
  },
  {
    name: 'delete the previews of photos that pages show',
    file: 'src/builder/pictures/store/photo-store.ts',
    text: "AND path NOT IN (SELECT json_extract(preview, '$.path') FROM photos WHERE preview IS NOT NULL)",
    broken: '',
    catchers: ['tests/builder/pictures/store.test.ts'],
  },
]
