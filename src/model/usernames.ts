// The usernames that Weblate accepts (transcript users__create-invalid). Seeds follow the same rules.

export const usernameCharacters = 'Username may only contain letters, numbers or the following characters: @ . + - _';

export const usernameRules = [
  { pattern: '^[^.]', detail: 'The username can not start with a full stop.' },
  { pattern: '^[\\p{L}\\p{N}_.@+\\-]+$', detail: usernameCharacters },
] as const;

/**
 * In each word, all letters fold to the first. In the first line, they share only their upper case. In the
 * second line, the second letter (İ) has the lower case of a common letter (i), but another upper case: to stay
 * different from i, İ folds to ı, to which nothing else folds. Each letter is folded once. The words never
 * change: keys in databases follow from them (migrations/0001-tables.ts).
 */
export const folding: readonly (readonly [to: string, from: string])[] =
  `iı sſ σςΣ μµ ι\u0345\u1fbe βϐ εϵ θϑ κϰ πϖ ρϱ φϕ в\u1c80 д\u1c81 о\u1c82 с\u1c83 т\u1c84\u1c85 ъ\u1c86 ѣ\u1c87 ꙋ\u1c88 ṡẛ
  ıİ ſẞ ϑϴ ϖ\u2126 ϰ\u212a ẛ\u212b`
    .split(/\s+/)
    .map(([to = '', ...from]) => [to, from.join('')] as const);

const folds = new Map(folding.flatMap(([to, from]) => Array.from(from, (letter) => [letter, to] as const)));

/** Folds case as understudy.username_key does in the database. */
export const foldCase = (text: string) =>
  text.replaceAll(/[^\0-\x7f]/gu, (letter) => folds.get(letter) ?? letter).toLowerCase();
