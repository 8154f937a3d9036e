// Names that mix scripts, as `аlice` with a Cyrillic letter does. Weblate refuses them where a character looks like
// another.
import { hasConfusable } from './confusables.ts';

const names = `Latin Greek Cyrillic Armenian Hebrew Arabic Syriac Thaana Devanagari Bengali Gurmukhi Gujarati Oriya Tamil
  Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Hangul Ethiopic Cherokee Canadian_Aboriginal Ogham
  Runic Khmer Mongolian Hiragana Katakana Bopomofo Han Yi Inherited Tagalog Coptic Glagolitic Tifinagh Nko Balinese
  Javanese Lisu Vai Gothic Deseret Braille Cuneiform Osage Adlam Cham Buginese Sundanese Lepcha Limbu Tai_Le New_Tai_Lue
  Tai_Tham Tai_Viet Meetei_Mayek Ol_Chiki Saurashtra Kayah_Li Rejang Bamum Batak Samaritan Mandaic Phags_Pa`;
const scripts = names.split(/\s+/).map((name) => new RegExp(`\\p{Script=${name}}`, 'u'));
const shared = /\p{Script=Common}/gu;

/** Whether the text can be taken for another. */
export const isDeceptive = (text: string): boolean => mixesScripts(text) && hasConfusable(text);

/** Characters of no script, such as digits, mix with any. */
function mixesScripts(text: string): boolean {
  if (/^\p{ASCII}*$/u.test(text)) return false;
  const letters = text.replaceAll(shared, '');
  const found = scripts.filter((script) => script.test(letters));
  if (found.length !== 1) return found.length > 1;
  // Letters of a script that has no name above.
  return letters.replaceAll(new RegExp(found[0]?.source ?? '', 'gu'), '') !== '';
}
