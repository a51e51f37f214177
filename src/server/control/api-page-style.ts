/** The style of the API page: its head, and colours of Swagger UI that have too little contrast in its own style sheet (WCAG 2.2, 1.4.3). */

const head = `
  :root { --ground: #fff; --text: #1b2a33; --head: #eef3f4; --line: #cfdadd; --accent: #0b6e75; --soft: #4d5c65; }
  .dark-mode { --ground: #1c2022; --text: #e4e6e6; --head: #101719; --line: #3b4a50; --accent: #6fd3da; --soft: #b7bcbf; }
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); }
  header { position: sticky; top: 0; z-index: 2; background: var(--head); border-bottom: 1px solid var(--line); padding: .6rem 1.25rem; }
  header form, header nav { display: flex; gap: .4rem 1rem; flex-wrap: wrap; align-items: center; }
  header form[hidden] { display: none; }
  header a, header strong { color: var(--accent); } header a { min-height: 24px; }
  header select, header input, header button { font: inherit; min-height: 24px; }
  #status { color: var(--soft); margin-left: auto; }
  @media (max-width: 40rem) { header { position: static; } }
`;

/** The background of white text, and in the light look text on white. */
const methods: Readonly<Record<string, string>> = {
  get: '#1a66b3',
  post: '#1b7a4b',
  put: '#945200',
  patch: '#0b6e75',
  delete: '#b8252b',
  head: '#7a2ea0',
  options: '#0d5aa7',
};

const methodRules = Object.entries(methods)
  .map(
    ([method, colour]) =>
      `.swagger-ui .opblock.opblock-${method} .opblock-summary-method { background: ${colour}; color: #fff; }`,
  )
  .join('\n  ');

const colours = `
  ${methodRules}
  .swagger-ui .info .title small pre, .swagger-ui .download-contents { background: #5a6170; color: #fff; }
  .swagger-ui .info .title small.version-stamp { background: #3f6a00; }
  .swagger-ui .info .title small.version-stamp pre { background: none; }
  .swagger-ui .btn.execute { background: #1a66b3; border-color: #1a66b3; color: #fff; }
  .swagger-ui .btn.cancel, .swagger-ui .errors-wrapper .errors h4 { border-color: currentColor; color: #b8252b; }
  .swagger-ui .btn.authorize { border-color: currentColor; color: #1b7a4b; }
  .swagger-ui .btn.authorize svg { fill: currentColor; }
  .swagger-ui .info a, .swagger-ui .link, .swagger-ui a.link, .swagger-ui .opblock-tag a { color: #1a66b3; }
  .swagger-ui .parameter__in, .swagger-ui .prop-format { color: #525252; }
  html:not(.dark-mode) .swagger-ui .renderedMarkdown code { color: #7300d6; }
  .swagger-ui .microlight span[style*='211, 99, 99'] { color: #f0a3a3 !important; }
  html:not(.dark-mode) .swagger-ui .parameter__name.required span, html:not(.dark-mode) .swagger-ui .parameter__name.required::after { color: #b8252b; }
  html.dark-mode .swagger-ui .opblock .opblock-section-header .try-out__btn.cancel, html.dark-mode .swagger-ui .errors-wrapper .errors h4 { color: #ff9c9c; }
  html.dark-mode .swagger-ui .btn.authorize { color: #7fdcaa; }
  html.dark-mode .swagger-ui .info a, html.dark-mode .swagger-ui .link, html.dark-mode .swagger-ui a.link, html.dark-mode .swagger-ui .opblock-tag a { color: #8fc4ff; }
  html.dark-mode .swagger-ui .examples-select__section-label, html.dark-mode .swagger-ui .header-col { color: #e4e6e6; }
  html.dark-mode .swagger-ui .parameter__in, html.dark-mode .swagger-ui .prop-format { color: #b7bcbf; }
  @media (max-width: 40rem) {
    .swagger-ui .response-col_links { display: none; }
    .swagger-ui select { min-width: 0; max-width: 100%; }
  }
`;

export const apiPageStyle = head + colours;
