/** Makes the page of a refusal: what a real site's page says, the reason as the interface words it, and what to do. */
import type { Identity } from '../model/principal.ts';
import type { Problem } from '../problem.ts';
import type { World } from '../world.ts';
import { consolePath, pageText } from './frame.ts';
import { markup, type Markup } from './page-markup.ts';

/** The title and the sentence of a status. 403 and 404 are those of the platform. */
const words: Readonly<Record<number, readonly [title: string, sentence: string]>> = {
  401: ['Log in', 'You are not authorized to access this page.'],
  403: ['Access denied', 'You are not authorized to access this page.'],
  404: ['Page not found', 'The requested page could not be found.'],
};

/** `identity` is undefined when the request was refused before it was authenticated. */
export const refusalPage = (problem: Problem, identity: Identity | undefined, world: World): string => {
  const [title, sentence] = words[problem.status] ?? ['Not possible now', 'The page cannot be shown.'];
  const main = markup`<h1>${title}</h1>
<p>${sentence}</p>
${problem.message === '' || problem.message === sentence ? undefined : markup`<p>The interface says: <q>${problem.message}</q></p> `}${adviceOf(problem, identity, world)}`;
  return pageText({ title, main, viewer: identity?.principal }, world);
};

const adviceOf = ({ status }: Problem, identity: Identity | undefined, world: World): Markup | undefined => {
  const toConsole = markup`<a href="${consolePath(world)}">Log in or act as an account in the console.</a>`;
  if (status === 401)
    return markup`<p>
The name and password that your browser sent belong to no account. Reload the page and give others. ${toConsole}
</p>
`;
  if (status !== 403) return undefined;
  return identity?.principal.uid === 0
    ? markup`<p>You are not logged in. ${toConsole}</p> `
    : markup`<p>This account may not see it. ${toConsole}</p> `;
};
