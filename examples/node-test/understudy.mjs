export { globalSetup, globalTeardown } from 'weblate-understudy/setup';
