/** Nothing to look for, and no need to load the tables of Unicode: 5 MB and 5 ms. */
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Text of unknown origin, made safe for a terminal or a log: control characters, line and
 * paragraph separators, bidi controls and lone surrogates become `\u{…}`. Everything in a
 * Stacosys database was typed by a stranger, who may have typed an escape sequence.
 *
 * @param {string} text
 * @returns {string} one line without control characters
 */
export function printable(text) {
  if (PLAIN.test(text)) return text;
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/**
 * JSON for a terminal or a log: JSON.stringify leaves DEL, C1 and bidi controls as they are.
 *
 * @param {unknown} data
 * @param {number} [indent]
 */
export function printableJson(data, indent) {
  const json = JSON.stringify(data, null, indent);
  if (PLAIN.test(json.replaceAll('\n', ''))) return json;
  return json.replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
