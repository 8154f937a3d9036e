// The fields of a subscription as OPTIONS describes them. The real system describes a user's here (docs/differences.md).
import type { FieldMetadata } from '../../api/options.ts';
import { frequencies, scopes } from './codes.ts';
import { notificationTitles } from './names.ts';

const titled = (codes: Readonly<Record<string, number>>) =>
  Object.entries(codes).map(([name, value]) => ({ value, display_name: `${name[0]?.toUpperCase()}${name.slice(1)}` }));

export const subscriptionMetadata: Record<string, FieldMetadata> = {
  notification: {
    type: 'choice',
    required: true,
    read_only: false,
    label: 'Notification',
    choices: Object.entries(notificationTitles).map(([value, title]) => ({ value, display_name: title })),
  },
  id: { type: 'integer', required: false, read_only: true, label: 'ID' },
  scope: { type: 'choice', required: true, read_only: false, label: 'Scope', choices: titled(scopes) },
  frequency: { type: 'choice', required: true, read_only: false, label: 'Frequency', choices: titled(frequencies) },
  project: { type: 'field', required: false, read_only: true, label: 'Project' },
  component: { type: 'field', required: false, read_only: true, label: 'Component' },
};
