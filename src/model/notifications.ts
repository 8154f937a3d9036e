// Notifications, and the scopes and frequencies of subscriptions. Names are spelled as in Weblate,
// even `Notificaton`; titles are ours. Codes are recorded (transcripts create__json, order__options).

/** Titles for people, by the names on the wire. Choices are listed in this order. */
export const notificationTitles = {
  MergeFailureNotification: 'A merge or rebase of the repository failed',
  RepositoryNotification: 'The repository changed',
  LockNotification: 'A component was locked or unlocked',
  LicenseNotification: 'The license changed',
  ParseErrorNotification: 'A file could not be parsed',
  NewStringNotificaton: 'New strings can be translated',
  NewContributorNotificaton: 'Somebody contributed for the first time',
  NewSuggestionNotificaton: 'A suggestion was made',
  LanguageTranslatedNotificaton: 'A language was completed',
  ComponentTranslatedNotificaton: 'A component was completed',
  NewCommentNotificaton: 'A comment was written',
  MentionCommentNotificaton: 'A comment mentions you',
  LastAuthorCommentNotificaton: 'A comment on a translation of yours',
  TranslatedStringNotificaton: 'A string was translated',
  ApprovedStringNotificaton: 'A string was approved',
  ChangedStringNotificaton: 'A string was changed',
  NewTranslationNotificaton: 'A language was added',
  NewComponentNotificaton: 'A component was added',
  NewAnnouncementNotificaton: 'An announcement was published',
  NewAlertNotificaton: 'A component has a new alert',
  PendingSuggestionsNotification: 'Summary of pending suggestions',
  ToDoStringsNotification: 'Summary of unfinished strings',
  TranslationActivitySummaryNotification: 'Summary of translation activity',
} as const;

export type NotificationName = keyof typeof notificationTitles;

export const notificationNames = Object.keys(notificationTitles) as NotificationName[];

/** What a subscription applies to. Scopes 30 and 40 have a target: a project or a component. */
export const scopes = { all: 0, watched: 10, administered: 20, project: 30, component: 40 } as const;

/** How often a subscription delivers. With `none`, it delivers nothing. */
export const frequencies = { none: 0, instant: 1, daily: 2, weekly: 3, monthly: 4 } as const;
