import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['.tools/', '.demo/', '**/public/', '**/resources/'] },
  js.configs.recommended,
  {
    languageOptions: { globals: globals.node },
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
    files: ['stacosys-hook/bin.js', 'stacosys-hook/src/cli.js', 'scripts/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/test/**'],
    rules: { 'max-lines-per-function': 'off' },
  },
];
