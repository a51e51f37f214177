import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'data/',
      'src/*/generated/',
      'coverage/',
      'coverage-*/',
      'test/system/sdk/clients/',
      // Separate projects, which take their types from the installed package.
      'examples/',
    ],
  },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.{ts,tsx}'] })),
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: 'tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-lines': ['error', { max: 260, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      // Some types require asynchronous functions, such as those of handlers, although not all of them wait.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['src/browser/**/*.ts', 'test/browser/**/*.ts'],
    languageOptions: { parserOptions: { project: 'test/browser/tsconfig.json' } },
  },
  {
    files: ['console/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: 'console/tsconfig.json' } },
  },
  { ...reactHooks.configs.flat.recommended, files: ['console/src/**/*.{ts,tsx}'] },
  {
    // Vite reads its configuration from a default export.
    files: ['console/vite.config.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', 'max-lines': ['error', 500] },
  },
);
