import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** What a comment says is other people's text: it must never be read as HTML or as a script. */
const READS_TEXT_AS_HTML = [
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'setHTMLUnsafe',
  'parseHTMLUnsafe',
  'createContextualFragment',
  'srcdoc',
];

/** Of the module, and of the example site. */
const BROWSER_SCRIPTS = ['assets/**/*.ts', 'hugo-module/exampleSite/assets/**/*.ts'];

const NO_HTML = 'Build elements: text that is read as HTML can be a script.';

export default [
  { ignores: ['.tools/', '.demo/', '.screenshots/', '**/public/', '**/resources/'] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-control-regex': 'off',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.{js,cjs}'],
    languageOptions: { globals: globals.node },
  },
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: BROWSER_SCRIPTS })),
  {
    files: BROWSER_SCRIPTS,
    languageOptions: {
      globals: globals.browser,
      parserOptions: { project: './tsconfig.browser.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Every byte counts: these would cost some, and find nothing here that matters
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/only-throw-error': 'off',
      'no-eval': 'error',
      'no-new-func': 'error',
      '@typescript-eslint/no-implied-eval': 'error',
      'no-restricted-properties': [
        'error',
        ...[...READS_TEXT_AS_HTML, 'write', 'writeln'].map((property) => ({ property, message: NO_HTML })),
      ],
      'no-restricted-syntax': [
        'error',
        // Object.assign(element, { innerHTML }), setAttribute('srcdoc', …), element[name]
        ...['Property[key.name', 'Literal[value'].map((node) => ({
          selector: `${node}=/^(${READS_TEXT_AS_HTML.join('|')})$/]`,
          message: NO_HTML,
        })),
      ],
    },
  },
  {
    files: ['stacosys-hook/bin.js', 'stacosys-hook/src/cli.js', 'scripts/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: [
      'hugo-module/test/browser.js',
      'hugo-module/test/browser/**',
      'scripts/bench/download/watch-page.js',
    ],
    // What a test hands to page.evaluate() runs in the page
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['**/test/**'],
    rules: { 'max-lines-per-function': 'off' },
  },
];
