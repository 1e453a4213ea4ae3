// Lint rules of the page. `npm run lint` runs them and checks the format with Prettier.
import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import { posix } from 'node:path'
import ts from 'typescript-eslint'

// The folders of `src` that each folder may import from, besides itself. README.md explains them.
const shared = ['lib', 'ui', 'scene3d', 'clips', 'brain']
const runPages = ['summary', 'gallery', 'map', 'family', 'creature', 'compare', 'contest'].map((page) => `run/${page}`)
const imports = {
  lib: [],
  ui: ['lib'],
  scene3d: ['lib'],
  clips: ['lib', 'ui', 'scene3d'],
  brain: ['lib', 'ui'],
  space3d: ['lib', 'scene3d'],
  flow3d: ['lib', 'scene3d'],
  flow: ['lib', 'ui', 'clips', 'flow3d', 'viewer/film'],
  space: ['lib', 'ui', 'space3d'],
  walls: ['lib', 'ui', 'scene3d', 'flow3d'],
  viewer: shared,
  'viewer/film': [...shared, 'viewer'],
  'viewer/editor': [...shared, 'viewer'],
  run: shared,
  'run/shared': shared,
  ...Object.fromEntries(runPages.map((page) => [page, [...shared, 'run/shared']])),
  comparison: ['lib', 'ui'],
  overview: ['lib', 'ui', 'clips', 'run/shared', 'space3d'],
  share: ['lib', 'ui', 'scene3d', 'clips'],
}

/** Forbids imports from folders that are not listed. Imports within a folder begin with './'. */
const folderRules = Object.entries(imports).map(([folder, allowed]) => {
  const prefixes = allowed.map((other) => {
    const path = posix.relative(folder, other)
    return path === '..' ? '[^./]' : `${path.slice(3)}/`
  })
  return {
    files: [`src/${folder}/*`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^\\.\\./${prefixes.length ? `(?!${prefixes.join('|')})` : ''}`,
              message: `src/${folder} may import from: ${allowed.join(', ') || 'no other folder'}.`,
            },
          ],
        },
      ],
    },
  }
})

export default ts.config(
  { ignores: ['dist/', 'node_modules/', '**/*.generated.ts'] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    rules: {
      // TypeScript and svelte-check know the globals of the browser and of Node.
      'no-undef': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Local maps and sets that nothing on the page depends on need no reactivity.
      'svelte/prefer-svelte-reactivity': 'off',
      'max-lines': ['error', { max: 400 }],
    },
  },
  folderRules,
)
