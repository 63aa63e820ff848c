/**
 * @typedef {object} Family what is measured, in all its variants
 * @property {string} name without the prefix
 * @property {'counter' | 'gauge' | 'summary'} type
 * @property {string} help one line
 * @property {Sample[]} samples
 *
 * @typedef {object} Sample
 * @property {number | boolean} value
 * @property {Record<string, string>} [labels]
 * @property {string} [suffix] of the name
 */

const PREFIX = 'stacosys_hook_';

/** Of what metrics() returns. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The state of the service for Prometheus. Times are seconds since 1970, 0 for never, so that
 * `time() - x > 3600` finds what has never happened too.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 * @param {import('./service-state.js').ServiceState} state
 * @param {Map<number, number>} webhooks how many were answered with each HTTP status
 * @returns {string}
 */
export function metrics(state, webhooks) {
  return [
    ...ofService(state, webhooks),
    ...ofBuilds(state.build),
    ...ofDatabase(state.database),
    ...ofNotifications(state.notifications),
  ]
    .map(familyText)
    .join('');
}

/**
 * @param {import('./service-state.js').ServiceState} state
 * @param {Map<number, number>} webhooks
 * @returns {Family[]}
 */
function ofService({ version, started }, webhooks) {
  return [
    {
      name: 'info',
      type: 'gauge',
      help: 'The version of the service; always 1.',
      samples: [{ value: 1, labels: { version } }],
    },
    gauge('start_time_seconds', 'When the service was started.', seconds(started)),
    {
      name: 'webhooks_total',
      type: 'counter',
      help: 'Requests to the webhook by the HTTP status they were answered with.',
      samples: [...webhooks].map(([status, value]) => ({ value, labels: { status: String(status) } })),
    },
  ];
}

/**
 * @param {import('./service-state.js').BuildState} build
 * @returns {Family[]}
 */
function ofBuilds({ totals, seconds: sum, running, waiting, lastSuccess }) {
  const results = Object.entries(totals);
  const count = results.reduce((all, [, value]) => all + value, 0);
  return [
    {
      name: 'builds_total',
      type: 'counter',
      help: 'Finished builds by their result.',
      samples: results.map(([result, value]) => ({ value, labels: { result } })),
    },
    {
      name: 'build_duration_seconds',
      type: 'summary',
      help: 'How long the finished builds took.',
      samples: [
        { suffix: '_sum', value: sum },
        { suffix: '_count', value: count },
      ],
    },
    gauge('build_running', 'Whether a build is running.', running !== null),
    gauge('build_waiting', 'Whether one more build follows.', waiting),
    gauge(
      'last_success_timestamp_seconds',
      'When a build last succeeded, 0 for never.',
      seconds(lastSuccess ?? 0),
    ),
  ];
}

/**
 * @param {import('./service-state.js').DatabaseState} database
 * @returns {Family[]}
 */
function ofDatabase({ ok, checked, comments, pages, pending, lockMilliseconds }) {
  return [
    gauge('database_up', 'Whether the last look at the database succeeded.', ok),
    gauge(
      'database_last_check_timestamp_seconds',
      'When a look at the database last succeeded, 0 for never.',
      seconds(checked ?? 0),
    ),
    gauge(
      'database_read_lock_seconds',
      'For how long the last count held the read lock.',
      seconds(lockMilliseconds),
    ),
    gauge('comments', 'Published comments.', comments),
    gauge('comments_pending', 'Comments that wait for their moderation.', pending),
    gauge('pages', 'Pages that have comments.', pages),
  ];
}

/**
 * @param {import('./service-state.js').ServiceState['notifications']} notifications
 * @returns {Family[]} none where nobody is to be notified
 */
function ofNotifications(notifications) {
  if (notifications === null) return [];
  return [
    gauge('notifications_waiting', 'Notifications that are not answered yet.', notifications.waiting),
    gauge(
      'notifications_given_up',
      'Receivers whose notification was given up.',
      notifications.givenUp.length,
    ),
  ];
}

/**
 * @param {string} name
 * @param {string} help
 * @param {number | boolean} value
 * @returns {Family}
 */
function gauge(name, help, value) {
  return { name, type: 'gauge', help, samples: [{ value }] };
}

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return milliseconds / 1000;
}

/** @param {Family} family */
function familyText({ name, type, help, samples }) {
  const full = PREFIX + name;
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${full}${suffix}${labelsText(labels)} ${Number(value)}\n`,
  );
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`;
}

/** @param {Record<string, string>} labels */
function labelsText(labels) {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

/** @param {string} value of a label, where only these three are special */
function escaped(value) {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
