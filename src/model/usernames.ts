// What Weblate accepts as a username (transcript users__create-invalid); seeds follow it too.

export const usernameCharacters = 'Username may only contain letters, numbers or the following characters: @ . + - _';

export const usernameRules = [
  { pattern: '^[^.]', detail: 'The username can not start with a full stop.' },
  { pattern: '^[\\p{L}\\p{N}_.@+\\-]+$', detail: usernameCharacters },
] as const;
