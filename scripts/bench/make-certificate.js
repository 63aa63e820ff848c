import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Certificate
 * @property {string} cert file
 * @property {string} key file
 */

/**
 * @param {string} folder that is made
 * @param {string} subject for whom, as openssl writes it: `DNS:example.org`, `IP:127.0.0.1`
 * @returns {Certificate} its own authority
 */
export function makeCertificate(folder, subject) {
  mkdirSync(folder, { recursive: true });
  const [cert, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', `/CN=${subject.replace(/^.*?:/, '')}`, '-addext', `subjectAltName=${subject}`];
  execFileSync('openssl', ['req', ...kind, ...name, '-out', cert, '-keyout', key], { stdio: 'pipe' });
  return { cert, key };
}
