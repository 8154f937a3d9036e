// The lines for a terminal. Each works as it stands: which ones there are follows from what is in the sandbox, from what
// requests without a token may do, and from who may use `/_understudy/`.
import { curlLine } from '../curl.ts';
import { rootOf } from '../links.ts';
import { exampleUser, type Home, notificationsOf, type SandboxState } from './home-contents.ts';

interface Step {
  readonly title: string;
  readonly line: string;
  readonly note?: string;
}

export function listSteps(home: Home): Step[] {
  const { state } = home;
  if (state === undefined) return [];
  return [readStep(home, state), ...changeStep(home, state), ...(home.admin === 'open' ? ownSteps(home, state) : [])];
}

function readStep(home: Home, { firstUser }: SandboxState): Step {
  const { baseUrl, anonymous } = home;
  const user = exampleUser(home);
  const username = user?.username ?? firstUser;
  if (username === undefined || (anonymous === 'strict' && user === undefined))
    return { title: 'Read the root of the API', line: curlLine({ method: 'GET', url: `${baseUrl}/api/` }) };
  const url = `${notificationsOf(username, baseUrl)}?page_size=3`;
  const title = `Read the subscriptions of ${username}`;
  return anonymous === 'strict'
    ? { title: `${title}, with its token`, line: curlLine({ method: 'GET', url, token: user?.token }) }
    : { title, line: curlLine({ method: 'GET', url }) };
}

function changeStep(home: Home, { entry }: SandboxState): Step[] {
  const user = exampleUser(home);
  if (user === undefined || entry === undefined) return [];
  const frequency = entry.frequency === 2 ? 1 : 2;
  const url = `${notificationsOf(user.username, home.baseUrl)}${entry.id}/`;
  const body = JSON.stringify({ frequency });
  const title = `Change one of them as ${user.username}: to ${frequency === 2 ? 'daily' : 'instant'}`;
  return [{ title, line: curlLine({ method: 'PATCH', url, token: user.token, body }) }];
}

const firstSeed = {
  users: [
    {
      username: 'zoe',
      token: 'wlu_zoe_example',
      subscriptions: [{ notification: 'NewStringNotificaton', scope: 'watched' }],
    },
  ],
};

function ownSteps({ baseUrl, sandbox, choices }: Home, state: SandboxState): Step[] {
  const own = `${rootOf(baseUrl)}/_understudy/sandboxes`;
  const here = `${own}/${sandbox ?? 'default'}`;
  const steps: Step[] = [];
  if (state.isEmpty)
    steps.push({
      title: 'Load a first user',
      line: curlLine({ method: 'PUT', url: `${here}/seed`, body: JSON.stringify(firstSeed) }),
      note: 'The sandbox then holds exactly this seed. Its token is in the line.',
    });
  else if (choices.length === 0 && state.firstUser !== undefined)
    steps.push({
      title: `Get a token for ${state.firstUser}`,
      line: curlLine({ method: 'POST', url: `${here}/tokens`, body: JSON.stringify({ username: state.firstUser }) }),
      note: 'The tokens of this sandbox are not public: they are in its seed. This makes one more.',
    });
  if (state.isResettable)
    steps.push({
      title: 'Put everything back',
      line: curlLine({ method: 'POST', url: `${here}/reset` }),
      note: `For everybody who uses ${sandbox === undefined ? 'this service' : 'this sandbox'}.`,
    });
  if (sandbox === undefined && state.hasRoom)
    steps.push({
      title: 'Make a sandbox of your own',
      line: curlLine({ method: 'POST', url: own }),
      note: 'The answer has its base URL and tokens. The console does the same by a form.',
    });
  return steps;
}
