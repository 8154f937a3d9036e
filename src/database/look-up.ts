// A row by its whole key, whatever the planner knows of the tables.
import { type RawBuilder, sql } from 'kysely';

/**
 * A row by its whole key, for a lateral join. The offset keeps the planner from taking it apart: as a join it would be found by one
 * column of the key, where the tables were never analysed, or where the other column's value looks rare, and thousands of rows
 * thrown away (findings, "The largest trap of all"). Subqueries that end in `offset 0` do so for the same reason.
 */
export const lookUp = <Row>(query: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`(${query} offset 0)`;
