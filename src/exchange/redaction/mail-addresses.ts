/** Finds mail addresses in a text, in a time that grows no faster than the text. */

// Beyond ASCII: as letters, as the bytes that header lines have, and percent-encoded.
const sign = /@|%(?:25){0,3}40/g;
const localEnd = /[\p{L}\p{N}\u0080-\u00ff._%+~-]{1,128}$/u;
const host = /(?:(?:[\p{L}\p{N}\u0080-\u00ff-]|%[0-9a-f]{2}){1,63}\.){1,8}[\p{L}]{2,24}/iuy;
/** `logo@2x.png` is a file. */
const fileEnding = /\.(?:png|jpe?g|gif|svg|webp|ico|css|m?js|json|xml|pdf|tiff?|jp2|mp[34]|html?|txt|zip)$/i;

const longestLocal = 128;

/** Calls `replace` with each address, written with a plain `@`, and puts its result in the place. */
export const replaceMails = (text: string, replace: (address: string) => string): string => {
  const parts: string[] = [];
  let done = 0;
  for (const { index, 0: at } of text.matchAll(sign)) {
    // What was looked at for the sign before cannot belong to this one.
    if (index < done) continue;
    const before = text.slice(Math.max(done, index - longestLocal), index);
    const local = localEnd.exec(before)?.[0];
    if (local === undefined) continue;
    host.lastIndex = index + at.length;
    const found = host.exec(text)?.[0];
    if (found === undefined || fileEnding.test(found)) continue;
    parts.push(text.slice(done, index - local.length), replace(`${local}@${found}`));
    done = index + at.length + found.length;
  }
  return done === 0 ? text : parts.join('') + text.slice(done);
};
