/** Characters that a name or an address would have without showing them: controls, ends of lines, turns of the direction of writing. */

const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
export const withoutUnseenCharacters = (text: string): string => text.replace(unseen, '');
