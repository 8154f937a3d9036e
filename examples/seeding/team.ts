// Replaces the content of the sandbox `default` of a running service. Because the seed has the type `Seed`,
// an editor checks and completes it.
//
//   npm install --save-dev weblate-understudy
//   UNDERSTUDY_URL=http://127.0.0.1:8000 node team.ts
import { connect, type Seed, type SeedUser } from 'weblate-understudy';

const testers = Array.from({ length: 5 }, (_, n): SeedUser => ({
  username: `tester-${n + 1}`,
  full_name: `Tester ${n + 1}`,
  subscriptions: [{ notification: 'NewAnnouncementNotificaton', scope: 'watched', frequency: 'daily' }],
}));
const team: Seed = {
  projects: [{ slug: 'website', name: 'Website' }],
  components: [{ project: 'website', slug: 'pages', name: 'Pages' }],
  users: [
    {
      username: 'ada',
      full_name: 'Ada Example',
      is_superuser: true,
      token: 'wlu_ada_public_sample_token_000000000000',
      subscriptions: [{ notification: 'NewStringNotificaton', component: 'website/pages' }],
    },
    ...testers,
  ],
};

// Without a URL, connect() uses the service at UNDERSTUDY_URL, with the token in UNDERSTUDY_ADMIN_TOKEN.
const sandbox = await connect().open('default');
process.stdout.write(`${JSON.stringify(await sandbox.seed(team))}\n`);
