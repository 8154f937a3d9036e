// The fields of projects and components as OPTIONS describes them. None can be said: they are read here.
import { readOnly } from '../../api/options.ts';

const common = {
  id: readOnly('integer', 'ID'),
  name: { ...readOnly('string', 'Name'), max_length: 100 },
  slug: { ...readOnly('slug', 'URL slug'), max_length: 100 },
};
const addresses = { web_url: readOnly('string', 'Web url'), url: readOnly('field', 'Url') };

export const projectMetadata = { ...common, web: readOnly('url', 'Project website'), ...addresses };

export const componentMetadata = {
  ...common,
  project: { ...readOnly('nested object', 'Project'), children: projectMetadata },
  ...addresses,
};
