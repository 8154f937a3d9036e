export default { test: { globalSetup: 'weblate-understudy/setup' } };
