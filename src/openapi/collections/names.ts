/** Compares names as authors vary them, and knows the usual names of parameters and members of lists. */

/** `book_id`, `book-id` and `bookId` are the same. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_\-.\s]/g, '');

/** The names that are like another one. The same spelling goes before all others. */
export const namesLike = (names: readonly string[], wanted: string): readonly string[] => {
  if (names.includes(wanted)) return [wanted];
  const plain = plainName(wanted);
  return plain === '' ? [] : names.filter((name) => plainName(name) === plain);
};

/** `books` → `book`, `categories` → `category`, `boxes` → `box`. A word without a plural is itself. */
export const singularOf = (word: string): string => {
  if (/[^aeiou]ies$/i.test(word)) return word.replace(/ies$/i, 'y');
  if (/(s|x|z|ch|sh)es$/i.test(word)) return word.replace(/es$/i, '');
  return /[^su]s$/i.test(word) ? word.slice(0, -1) : word;
};

/** What a parameter of a list, or a member of its answer, stands for. */
export type ListRole =
  | 'total'
  | 'page'
  | 'limit'
  | 'offset'
  | 'pages'
  | 'self'
  | 'first'
  | 'last'
  | 'next'
  | 'previous'
  | 'hasNext'
  | 'hasPrevious'
  | 'nextCursor';

const memberNames: Readonly<Record<ListRole, string>> = {
  total: 'total totalcount count totalitems totalresults totalelements totalrecords totalhits numfound',
  page: 'page pagenumber currentpage pageindex',
  limit: 'limit perpage pagesize size itemsperpage',
  offset: 'offset skip start',
  pages: 'pages totalpages pagecount lastpage',
  self: 'self',
  first: 'first firstpage',
  last: 'last',
  next: 'next nexturl nextlink nextpage nextpageurl',
  previous: 'previous prev previousurl prevurl previouslink prevlink previouspage prevpage',
  hasNext: 'hasmore hasnext hasnextpage more',
  hasPrevious: 'hasprevious hasprev haspreviouspage hasprevpage',
  nextCursor: 'nextcursor cursor nextpagetoken nexttoken endcursor continuationtoken',
};

const memberRoles: ReadonlyMap<string, ListRole> = new Map(
  (Object.entries(memberNames) as [ListRole, string][]).flatMap(([role, names]) =>
    names.split(' ').map((name): [string, ListRole] => [name, role]),
  ),
);

/** The role of a member next to the records of a list. */
export const roleOfMember = (name: string): ListRole | undefined => memberRoles.get(plainName(name));

/** The role of a header of a list: `X-Total-Count`, `Pagination-Page`. */
export const roleOfHeader = (name: string): ListRole | undefined =>
  memberRoles.get(
    plainName(name)
      .replace(/^x/, '')
      .replace(/^pagination/, ''),
  );

export type QueryRole = 'search' | 'page' | 'limit' | 'offset' | 'cursor' | 'sort' | 'direction' | 'filter';

const queryNames: Readonly<Record<QueryRole, string>> = {
  search: 'q search query',
  page: 'page pagenumber p',
  limit: 'limit perpage pagesize size count top take',
  offset: 'offset skip start',
  cursor: 'cursor after pagetoken nexttoken startingafter continuationtoken',
  sort: 'sort sortby orderby order ordering',
  direction: 'sortorder sortdir sortdirection direction dir orderdirection',
  filter: 'filter filters where',
};

const queryRoles: ReadonlyMap<string, QueryRole> = new Map(
  (Object.entries(queryNames) as [QueryRole, string][]).flatMap(([role, names]) =>
    names.split(' ').map((name): [string, QueryRole] => [name, role]),
  ),
);

/** These mean something else where the records have such a member. */
const ambiguous: ReadonlySet<string> = new Set(
  'query p size count top take start after order dir direction filter where search'.split(' '),
);

/** The role of a parameter in the query of a list whose records have these members. Undefined where it may be one of them. */
export const roleOfParameter = (name: string, members: readonly string[]): QueryRole | undefined => {
  const role = queryRoles.get(plainName(name));
  return role !== undefined && ambiguous.has(plainName(name)) && namesLike(members, name).length > 0 ? undefined : role;
};
