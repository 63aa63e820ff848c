/*
 * How a site shows its counts without us: each is asked for with resources.GetRemote while Hugo builds, as the
 * documentation of Hugo advises, and once a page, where the templates of Stacosys's own blog asked twice.
 */

/** How long Hugo takes an answer for fresh. */
export const MAX_AGE = 3600; // seconds

/**
 * `.Err` of a remote resource was removed in Hugo 0.141, which brought `try`; before, that is no template.
 *
 * @see https://gohugo.io/functions/resources/getremote/
 * @type {{until: number, get: string}[]} the minor version before which each is right
 */
const GETS = [
  {
    until: 141,
    get: `{{- with resources.GetRemote $url -}}
  {{- if .Err -}}
    {{- errorf "%s" .Err -}}
  {{- else -}}
    {{- $count = int (. | transform.Unmarshal).count -}}
  {{- end -}}
{{- else -}}
  {{- errorf "%s: not found" $url -}}
{{- end -}}`,
  },
  {
    until: Infinity,
    get: `{{- with try (resources.GetRemote $url) -}}
  {{- with .Err -}}
    {{- errorf "%s" . -}}
  {{- else with .Value -}}
    {{- $count = int (. | transform.Unmarshal).count -}}
  {{- else -}}
    {{- errorf "%s: not found" $url -}}
  {{- end -}}
{{- end -}}`,
  },
];

/** What stands where our own line would: a link, as ours is. */
export const REMOTE_COUNT = '{{ partial "remote/count.html" . }}';

const LINK = `{{- $count := partialCached "remote/ask.html" .RelPermalink .RelPermalink -}}
<a class="count" href="{{ .RelPermalink }}#comments">{{ $count }} {{ if eq $count 1 }}comment{{ else }}comments{{ end }}</a>`;

/**
 * @param {string} hugoVersion `0.168.0`
 * @returns {Record<string, string>} the partials, by their file in layouts/
 */
export function remoteCountLayouts(hugoVersion) {
  const minor = Number(hugoVersion.split('.')[1]);
  const { get } = /** @type {GETS[number]} */ (GETS.find(({ until }) => minor < until));
  const ask = `{{- $count := 0 -}}
{{- $url := printf "%s/api/comments/count?%s" site.Params.stacosys (querify "url" .) -}}
${get}
{{- return $count -}}
`;
  return { 'partials/remote/count.html': LINK, 'partials/remote/ask.html': ask };
}

/**
 * @param {string} address of the API
 * @returns {string} lines of hugo.toml
 */
export function remoteCountConfig(address) {
  return `
[params]
  stacosys = "${address}"

[caches.getresource]
  maxAge = "${MAX_AGE}s"

# Later versions ask no machine by its number unless they are told that they may
[security.http]
  urls = ["^${address}/"]
`;
}
