/**
 * Character classes as BERT's reference tokenizers use them: what is dropped, what is white space,
 * what is punctuation, what is an ideograph, what is an accent.
 * The reference (Hugging Face's `tokenizers`) carries the tables of Unicode 8. The engine of a browser
 * knows newer ones, so characters that were assigned or reclassified since are set back here: the same
 * text gives the same ids in every browser. Not for segmenting words: that is words.ts.
 */

/** Code points (hexadecimal, inclusive) that Unicode 8 did not have: plain letters for the reference. */
const LATER =
  '61d 7fd 890-89f 8ca-8e2 9fd-9fe a76 afa-aff b55 c04 c3c c77 c84 d00 d3b-d3c d81 eba ece 180f ' +
  '1885-1886 1abf-1aeb 1b4e-1b4f 1b7d-1b7f 1df6-1dfb 2e43-2e5d a82c a8c5 a8ff a9bd 105c9-105e4 ' +
  '10d24-10d27 10d69-10d6e 10eab-10ed0 10efa-10eff 10f46-10f59 10f82-10f89 11070-11074 110c2-110cd ' +
  '111c9 111cf 1123e-11241 1133b 11383-11391 113bb-113e2 11438-1145e 11660-1166c 116b9 1182f-1183b ' +
  '11938-11946 119d4-11a0a 11a33-11a5b 11a8a-11aa2 11b00-11b09 11b60-11b66 11be1 11c30-11c45 ' +
  '11c70-11cb6 11d31-11d47 11d90-11d97 11ef3-11f01 11f36-11f5a 11fff 12ff1-12ff2 13430-13455 ' +
  '1611e-1612f 16d68-16d6f 16e97-16e9a 16f4f 16fe2-16fe4 1cf00-1cf46 1e000-1e02a 1e08f 1e130-1e136 ' +
  '1e2ae 1e2ec-1e2ef 1e4ec-1e4ef 1e5ee-1e5ff 1e6e3-1e6f5 1e944-1e95f';

const later = new Set<number>();
for (const range of LATER.split(' ')) {
  const [first, last = first] = range.split('-').map((hex) => Number.parseInt(hex, 16));
  for (let code = first!; code <= last!; code++) later.add(code);
}

/** Whether the character came after the tables of the reference, which then takes it as a letter. */
export function isLater(code: number): boolean {
  return code >= 0x61d && later.has(code);
}

/** Control, format, private use and surrogates, but not tab, line feed and carriage return. */
export function isControl(code: number): boolean {
  if (code === 0x9 || code === 0xa || code === 0xd || isLater(code)) return false;
  return /^[\p{Cc}\p{Cf}\p{Co}\p{Cs}]$/u.test(String.fromCodePoint(code));
}

export function isWhitespace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x9 && code <= 0xd);
  return /^\p{White_Space}$/u.test(String.fromCodePoint(code));
}

/** Every ASCII sign that is neither letter nor digit ('$' and '^' too), and Unicode's punctuation. */
export function isPunctuation(code: number): boolean {
  if (code < 0x80) {
    return (
      (code >= 0x21 && code <= 0x2f) ||
      (code >= 0x3a && code <= 0x40) ||
      (code >= 0x5b && code <= 0x60) ||
      (code >= 0x7b && code <= 0x7e)
    );
  }
  if (code === 0x166d || code === 0x111c9) return true; // punctuation until they were reclassified
  return !isLater(code) && /^\p{P}$/u.test(String.fromCodePoint(code));
}

/** The blocks that BERT puts blanks around: not kana, not hangul. */
export function isIdeograph(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0x20000 && code <= 0x2a6df) ||
    (code >= 0x2a700 && code <= 0x2b73f) ||
    (code >= 0x2b740 && code <= 0x2b81f) ||
    (code >= 0x2b920 && code <= 0x2ceaf) || // BERT begins at 2b820; the reference does not
    (code >= 0x2f800 && code <= 0x2fa1f)
  );
}

/** The character taken apart (NFD) and without its accents (nonspacing marks). */
export function withoutAccents(character: string): string {
  const code = character.codePointAt(0)!;
  if (code === 0x1734 || code === 0x1171e) return ''; // nonspacing until they were reclassified
  if (isLater(code)) return character;
  return character.normalize('NFD').replace(/\p{Mn}/gu, '');
}

/** Lower case of one character, without looking at its neighbours (a final sigma stays σ). */
export function lowerCase(character: string): string {
  return character.toLowerCase();
}
