/** What the scenarios of all TypeScript clients share: how a step is told, how a link is found. Which calls they make is their own. */

/** Runs a step and says on standard output how it went; `run.mjs` reads that. A step that fails does not end the scenario. */
export const step = async (name: string, run: () => Promise<void>): Promise<void> => {
  try {
    await run();
    console.log(JSON.stringify({ step: name, ok: true }));
  } catch (error) {
    console.log(JSON.stringify({ step: name, ok: false, why: error instanceof Error ? error.message : String(error) }));
  }
};

/** Throws unless both are the same. */
export const same = (found: unknown, wanted: unknown): void => {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (left !== right) throw new Error(`${left} is not ${right}`);
};

/** The id at the end of the address to which a `Link` header leads by relation and title (RFC 8288). */
export const linkedId = (header: string | null | undefined, rel: string, title: string): number => {
  const links = (header ?? '').split(/,\s*(?=<)/);
  const link = links.find((each) => each.includes(`rel="${rel}"`) && each.includes(`title="${title}"`));
  const address = /<([^>]*)>/.exec(link ?? '')?.[1];
  if (address === undefined) throw new Error(`No ${rel} link "${title}" in: ${header}`);
  return Number(new URL(address).pathname.split('/').at(-1));
};

/** The part of a content address that the parameter `path` stands for. */
export const contentPath = (url: string | undefined): string => {
  if (url === undefined) throw new Error('The media has no file.');
  return decodeURIComponent(new URL(url).pathname.replace('/sites/default/files/', ''));
};

export const baseUrl = process.env['ATOLL_URL'] ?? 'http://localhost:8000';
export const basic = (name: string): string => `Basic ${btoa(`${name}:${name}`)}`;

/** The ids of the default site: the model Image, the use Original File. */
export const imageModel = 24;
export const originalFile = 16;
