// The groups that everybody joins in the real system (transcripts/seed.json), for seeds that say nothing of groups.
import type { SeedGroup } from './seed-types.ts';
import { SeedSource } from './source.ts';

const source = new SeedSource('', 'automatic groups');
const automatic = (id: number, name: string, project_selection: number, roles: number[]): SeedGroup => ({
  place: { source, path: [] },
  id,
  name,
  definingProject: null,
  fields: { name, automatic: true, project_selection, language_selection: 1, roles },
  projects: [],
});

export const automaticGroups: readonly SeedGroup[] = [automatic(2, 'Viewers', 4, []), automatic(3, 'Users', 3, [6])];
