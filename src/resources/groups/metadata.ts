// The fields of a group as OPTIONS describes them. None can be said: groups are read here.
import { readOnly } from '../../api/options.ts';

export const groupMetadata = {
  id: readOnly('integer', 'ID'),
  name: { ...readOnly('string', 'Name'), max_length: 150 },
  defining_project: readOnly('field', 'Defining project'),
  defining_workspace: readOnly('field', 'Defining workspace'),
  project_selection: readOnly('integer', 'Project selection'),
  language_selection: readOnly('integer', 'Language selection'),
  url: readOnly('field', 'Url'),
  roles: readOnly('field', 'Roles'),
  languages: readOnly('field', 'Languages'),
  projects: readOnly('field', 'Projects'),
  componentlists: readOnly('field', 'Componentlists'),
  components: readOnly('field', 'Components'),
  enforced_2fa: readOnly('boolean', 'Enforced 2fa'),
  admins: readOnly('field', 'Admins'),
};
