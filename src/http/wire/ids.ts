// Ids as clients write them.

/** PostgreSQL's largest integer. */
export const maxId = 2_147_483_647;

/** The id as a statement's parameter; 0, which no row has, for an invalid one. */
export function toId(written: string | number): number {
  const id = Number(written);
  return Number.isInteger(id) && id > 0 && id <= maxId ? id : 0;
}
