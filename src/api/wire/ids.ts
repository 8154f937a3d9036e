// Ids as clients write them.

/** Beyond PostgreSQL's integers nothing has an id. */
export const highestId = 2_147_483_647;

/** An id that statements take: 0, which nothing has, for what is no id. */
export function toId(written: string | number): number {
  const id = Number(written);
  return Number.isInteger(id) && id > 0 && id <= highestId ? id : 0;
}
