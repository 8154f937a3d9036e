// The codes of scope and frequency, by the names that people use for them (transcripts/create__json, order__options).

/** What a subscription applies to. 30 and 40 are limited to a target: a project or a component. */
export const scopes = { all: 0, watched: 10, administered: 20, project: 30, component: 40 } as const;

/** How often it is delivered. */
export const frequencies = { none: 0, instant: 1, daily: 2, weekly: 3, monthly: 4 } as const;
