// The catalogue of notifications. The names are the real system's, spelled as it spells them (specification 2.3); the
// titles are ours.

/** Name on the wire -> title for people, in the order that choices are listed. */
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

/** The 23 names that a subscription may have. */
export const notificationNames = Object.keys(notificationTitles) as NotificationName[];
