/**
 * Reads a body into memory, and stops to keep it where it grows too long. What comes then is
 * read and dropped: a client that is still sending would not look at the answer.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {number} limit in bytes
 * @returns {Promise<Buffer | null>} null where it is longer
 */
export async function readBody(request, limit) {
  const chunks = [];
  let size = Number(request.headers['content-length'] ?? 0);
  if (size <= limit) {
    size = 0;
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > limit) break;
      chunks.push(chunk);
    }
  }
  if (size <= limit) return Buffer.concat(chunks);
  request.resume();
  return null;
}
