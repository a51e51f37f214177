/** Characters that a name or an address would have without showing them: controls, ends of lines, turns of the direction of writing. */

const unseen = String.raw`[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`;
const anyUnseen = new RegExp(unseen, 'u');
const allUnseen = new RegExp(unseen, 'gu');

export const hasUnseenCharacters = (text: string): boolean => anyUnseen.test(text);

export const withoutUnseenCharacters = (text: string): string => text.replace(allUnseen, '');
