// The settings of a real Weblate: the release's example, with this machine's folder, port and databases.

/** Rate limits such as `2/day`; undefined means no limit. */
export interface Limits {
  readonly anonymous?: string | undefined;
  readonly user?: string | undefined;
}

export interface Place {
  readonly folder: string;
  readonly port: number;
  readonly database: URL;
  readonly redis: string;
  readonly limits?: Limits | undefined;
}

const noLimit = '1000000/hour';

export function makeSettings(example: string, { folder, port, database, redis, limits = {} }: Place): string {
  const { anonymous = noLimit, user = noLimit } = limits;
  // Changed in place: the example derives other settings from these.
  const changed = [
    ['DEBUG', 'False'],
    ['SITE_DOMAIN', text(`localhost:${port}`)],
    ['DATA_DIR', text(`${folder}/data`)],
    ['CELERY_TASK_ALWAYS_EAGER', 'True'],
    // Releases before 2026 have the two limits as arguments of a call.
    ['API_RATELIMIT_ANON', text(anonymous)],
    ['API_RATELIMIT_USER', text(user)],
  ].reduce((all, [name = '', value = '']) => assign(all, name, value), example);
  const { username, password, hostname, pathname } = database;
  const parts = [
    ['NAME', pathname.slice(1)],
    ['USER', decodeURIComponent(username)],
    ['PASSWORD', decodeURIComponent(password)],
    ['HOST', hostname],
    ['PORT', database.port],
  ].map(([name, value]) => `${text(name)}: ${text(value)}`);
  return `${changed
    .replace(/anon_throttle="[^"]*"/u, () => `anon_throttle=${text(anonymous)}`)
    .replace(/user_throttle="[^"]*"/u, () => `user_throttle=${text(user)}`)}
DATABASES["default"].update({${parts.join(', ')}})
CACHES["default"]["LOCATION"] = ${text(redis)}
`;
}

/** A string of JSON, which Python reads as the same text. */
const text = (value: string | undefined): string => JSON.stringify(value);

function assign(settings: string, name: string, value: string): string {
  const line = new RegExp(`^${name}(?:: [^=\n]+)? = .*$`, 'mu');
  const assignment = `${name} = ${value}`;
  return line.test(settings)
    ? settings.replace(line, () => assignment)
    : `${settings}${assignment}
`;
}
