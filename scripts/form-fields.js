/** @typedef {Map<string, string>} Fields of a repeated field only the first */

/** The percent escapes of one UTF-8 character, or an escape that belongs to none. */
const ESCAPES =
  /%[c-d][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}|%[0-9a-f]{2}/gi;

/**
 * @param {string} type content type
 * @returns {boolean} whether `formFields` can read it
 */
export function isForm(type) {
  return /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i.test(type);
}

/**
 * The fields of a form as Flask reads them; none where the body cannot be read.
 *
 * @param {string} type content type, with its parameters
 * @param {Buffer} body
 * @returns {Promise<Fields>}
 */
export async function formFields(type, body) {
  return /^multipart/i.test(type) ? multipartFields(type, body) : queryFields(body);
}

/**
 * @param {Buffer} query `a=1&b=2`
 * @returns {Fields}
 */
export function queryFields(query) {
  const text = decode(query);
  const pairs = text.split('&').filter(Boolean);
  return firstOfEach(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [unquote(name), unquote(value.join('='))];
    }),
  );
}

/**
 * @param {string} type
 * @param {Buffer} body
 * @returns {Promise<Fields>} without files, which Flask keeps elsewhere
 */
async function multipartFields(type, body) {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } })
    .formData()
    .catch(() => new FormData());
  /** @type {[string, string][]} */
  const texts = [];
  form.forEach((value, name) => {
    if (typeof value === 'string') texts.push([name, value]);
  });
  return firstOfEach(texts);
}

/**
 * @param {[name: string, value: string][]} pairs
 * @returns {Fields}
 */
function firstOfEach(pairs) {
  return new Map(pairs.toReversed());
}

/**
 * @param {Buffer} bytes
 * @returns {string} nothing where they are not UTF-8
 */
function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return '';
  }
}

/**
 * As Werkzeug does: escapes that are no UTF-8 stay escapes, in upper case.
 *
 * @param {string} text
 */
function unquote(text) {
  return text.replaceAll('+', ' ').replace(ESCAPES, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes.toUpperCase();
    }
  });
}
