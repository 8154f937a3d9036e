// The settings of a real Weblate: those of the example that each release brings, with which the transcripts were
// recorded, but for where things are.

/** Such as `2/day`. None where they are left out. */
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

/** Far beyond what a run sends. */
const noLimit = '1000000/hour';

/** @param example the text of settings_example.py */
export function makeSettings(example: string, { folder, port, database, redis, limits = {} }: Place): string {
  const { anonymous = noLimit, user = noLimit } = limits;
  const text = JSON.stringify;
  // In place: the example derives others from these. Where the two limits stand depends on the release.
  const changed = [
    ['^DEBUG = .*$', 'DEBUG = False'],
    ['^DATA_DIR = .*$', `DATA_DIR = ${text(`${folder}/data`)}`],
    ['^API_RATELIMIT_ANON = .*$', `API_RATELIMIT_ANON = ${text(anonymous)}`],
    ['^API_RATELIMIT_USER = .*$', `API_RATELIMIT_USER = ${text(user)}`],
    ['anon_throttle="[^"]*"', `anon_throttle=${text(anonymous)}`],
    ['user_throttle="[^"]*"', `user_throttle=${text(user)}`],
  ].reduce((all, [pattern = '', value = '']) => all.replaceAll(new RegExp(pattern, 'gmu'), () => value), example);
  const { username, password, hostname, pathname } = database;
  const parts = [
    ['NAME', pathname.slice(1)],
    ['USER', decodeURIComponent(username)],
    ['PASSWORD', decodeURIComponent(password)],
    ['HOST', hostname],
    ['PORT', database.port],
  ].map(([name, value]) => `${text(name)}: ${text(value)}`);
  return `${changed}
SITE_DOMAIN = "localhost:${port}"
DATABASES["default"].update({${parts.join(', ')}})
CACHES["default"]["LOCATION"] = ${text(redis)}
CELERY_TASK_ALWAYS_EAGER = True
`;
}
