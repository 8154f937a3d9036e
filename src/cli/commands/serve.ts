// `serve`: runs the service in the foreground until a signal ends it.
import { once } from 'node:events';
import { isLoopback, readConfiguration } from '../../process/config.ts';
import { type RunningService, startService } from '../../process/start.ts';
import { variables } from '../../process/variables.ts';
import { version } from '../../version.ts';
import { defineCommand } from '../command.ts';

const describeVariable = ({ name, default: initial, description }: (typeof variables)[number]): string =>
  `  ${name.padEnd(32)}${description}${initial === '' ? '' : ` (${initial})`}`;

export const serve = defineCommand({
  name: 'serve',
  summary: 'start the service',
  usage: `Usage: understudy serve

Starts the service in the foreground. On Ctrl-C or SIGTERM it completes the requests in progress and ends.

Environment:
${variables.map(describeVariable).join('\n')}`,
  async run(_values, _operands, { env, signal, note }) {
    const configuration = readConfiguration(env);
    const service = await startService({ configuration, signal, note });
    const { UNDERSTUDY_HOST: host } = configuration;
    if (!isLoopback(host) && service.samples.length > 0)
      note(
        `warning: the tokens of the sample users are public, a superuser's among them, and on ${host} other machines may reach this ` +
          'service; publish its port on 127.0.0.1 alone, or set UNDERSTUDY_SEED to a seed of your own',
      );
    note(greeting(service));
    if (!signal.aborted) await once(signal, 'abort');
    note('ending');
    await service.stop();
  },
});

function greeting({ url, database, samples }: RunningService): string {
  const alice = samples.find(({ username }) => username === 'alice');
  const [user, token] = alice === undefined ? ['USERNAME', 'TOKEN'] : [alice.username, alice.token];
  const list = `${url}/api/users/${user}/notifications/`;
  return `Understudy ${version} on ${url}, data in ${database}\n\n  curl ${list}\n  curl -H 'Authorization: Token ${token}' ${list}\n`;
}
