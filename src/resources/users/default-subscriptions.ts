// The subscriptions of a new user (transcript users__create, step 1), in the order of their ids.
import { frequencies, scopes } from '../notifications/codes.ts';
import type { NotificationName } from '../notifications/names.ts';

interface Default {
  readonly notification: NotificationName;
  readonly scope: keyof typeof scopes;
  /** Instant if left out. */
  readonly frequency?: keyof typeof frequencies;
}

const defaults: readonly Default[] = [
  { notification: 'MentionCommentNotificaton', scope: 'all' },
  { notification: 'LastAuthorCommentNotificaton', scope: 'watched' },
  { notification: 'MentionCommentNotificaton', scope: 'watched' },
  { notification: 'NewAnnouncementNotificaton', scope: 'watched' },
  { notification: 'TranslationActivitySummaryNotification', scope: 'watched', frequency: 'weekly' },
  { notification: 'MergeFailureNotification', scope: 'administered' },
  { notification: 'ParseErrorNotification', scope: 'administered' },
  { notification: 'NewTranslationNotificaton', scope: 'administered' },
  { notification: 'NewAlertNotificaton', scope: 'administered' },
  { notification: 'NewAnnouncementNotificaton', scope: 'administered' },
];

/** As columns, for the statement. */
export const defaultSubscriptions = {
  notifications: defaults.map(({ notification }) => notification),
  scopes: defaults.map(({ scope }) => scopes[scope]),
  frequencies: defaults.map(({ frequency = 'instant' }) => frequencies[frequency]),
};
