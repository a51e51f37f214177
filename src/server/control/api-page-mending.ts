/** The browser script that mends what Swagger UI draws: names of fields, order of headings, what the keyboard reaches. */

/**
 * Swagger UI sets none of these attributes itself, so that it does not undo the changes when it draws again. Everything it
 * draws later is mended too.
 */
export const apiPageMending = String.raw`
const nameOfField = (field) => {
  const parameter = field.closest('[data-param-name]')?.dataset.paramName;
  if (parameter !== undefined) return parameter;
  if (field.id === 'servers') return 'Server';
  if (field.classList.contains('examples-select-element')) return 'Example';
  return field.matches('.body-param textarea, textarea.body-param__text') ? 'Body' : (field.placeholder || 'Value');
};

const mend = (root) => {
  for (const field of root.querySelectorAll('select, textarea, input')) {
    const isNamed = field.labels?.length > 0 && field.id !== 'servers';
    if (!isNamed && !field.hasAttribute('aria-label')) field.setAttribute('aria-label', nameOfField(field));
  }
  // The headings begin with level 3 below one of level 1 or 2.
  for (const heading of root.querySelectorAll('h3, h4, h5, h6')) {
    heading.setAttribute('aria-level', String(Number(heading.localName[1]) - 1));
  }
  // The button around the link does what the link would do.
  for (const link of root.querySelectorAll('button a[href]')) link.removeAttribute('href');
  for (const table of root.querySelectorAll('table[role=region]')) table.removeAttribute('role');
  for (const text of root.querySelectorAll('pre.microlight, .highlight-code pre')) text.tabIndex = 0;
  for (const [selector, role, label] of landmarks) {
    const part = root.querySelector(selector);
    part?.setAttribute('role', role);
    part?.setAttribute('aria-label', label);
  }
};

/** The parts of the page outside of the operations. The words are for screen readers. */
const landmarks = [
  ['.information-container', 'region', 'About the interface'],
  ['.scheme-container, .schemes-server-container', 'region', 'Server and credentials'],
  ['.filter-container', 'search', 'Filter of the operations'],
];

const drawn = document.getElementById('api');
new MutationObserver(() => mend(drawn)).observe(drawn, { childList: true, subtree: true });
`;
