// The console's pages and forms, but those to sign in.
import { sandboxUrl } from './console-frame.ts';
import { type ConsoleRoute, get, post } from './console-page.ts';
import { goToSandbox, showList } from './sandboxes/list-page.ts';
import { chooseName, make, newPage } from './sandboxes/new-page.ts';
import { overviewPage } from './sandboxes/overview-page.ts';
import { act, download, makeToken } from './sandboxes/sandbox-acts.ts';
import { loadSeed, showSeed } from './sandboxes/seed-page.ts';
import { addPreset, removeFaults, replaceFaults, showFaults } from './traffic/faults-page.ts';
import { showExchange } from './traffic/exchange-page.ts';
import { allPath, clearJournal, showJournal } from './traffic/journal-page.ts';
import { sendAgain } from './traffic/send-again.ts';

const ofSandbox = 'console/:name/';

export const pages: readonly ConsoleRoute[] = [
  get('', showList),
  get('console/', goToSandbox),
  // An address that people type, and the page that they mean.
  get('console/:name', async ({ sandbox }) => ({ redirect: sandboxUrl('', sandbox) })),
  get('console/new/', newPage),
  post('console/new/', chooseName),
  post(`${ofSandbox}make/`, make),
  get(ofSandbox, overviewPage),
  post(`${ofSandbox}tokens/`, makeToken),
  get(`${ofSandbox}seed/`, showSeed),
  post(`${ofSandbox}seed/`, loadSeed),
  get(`${ofSandbox}export/`, download),
  post(`${ofSandbox}reset/`, act('reset')),
  post(`${ofSandbox}undo/`, act('undo')),
  post(`${ofSandbox}snapshots/`, act('putSnapshot')),
  post(`${ofSandbox}restore/`, act('restore')),
  post(`${ofSandbox}delete/`, act('delete')),
  get(`${ofSandbox}faults/`, showFaults),
  post(`${ofSandbox}faults/add/`, addPreset),
  post(`${ofSandbox}faults/remove/`, removeFaults),
  post(`${ofSandbox}faults/json/`, replaceFaults),
  ...[`${ofSandbox}journal/`, allPath].flatMap((path) => [
    get(path, showJournal),
    get(`${path}:entry/`, showExchange),
    post(`${path}:entry/again/`, sendAgain),
    post(`${path}clear/`, clearJournal),
  ]),
];
