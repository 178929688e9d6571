/** What an opening of the store writes, looks at and leaves behind: as the one owner, or as one of several sessions. */
import { randomUUID } from "node:crypto";
import type { Statement } from "./list-query.ts";

/** Statements that return `name` return the generation or the session. */
export interface Opening {
  /** Takes the store over, or begins a session. Executed on the connection with the lock, so that nobody else can. */
  take(): Statement;
  /** Returns another name, or none, after somebody else has taken over. */
  look(name: string): Statement;
  /** Keeps a session that does not write. */
  readonly renew: ((name: string) => Statement) | null;
  /** Ends a session. */
  leave(name: string): readonly Statement[];
}

export function createOpening(schema: string, isShared: boolean): Opening {
  return isShared ? sessionOf(schema) : ownerOf(schema);
}

/** Ends all sessions with the same statement that raises the generation. */
function ownerOf(schema: string): Opening {
  return {
    take: () => ({
      text: `WITH ended AS (DELETE FROM "${schema}".session)
        UPDATE "${schema}".owner SET generation = generation + 1, flush = 0, answer = '[]'
        RETURNING generation::text AS name`,
      values: [],
    }),
    look: () => ({ text: `SELECT generation::text AS name FROM "${schema}".owner`, values: [] }),
    renew: null,
    leave: () => [],
  };
}

/** Raises the generation, too, which fences a process that used the store alone and lost its lock. */
function sessionOf(schema: string): Opening {
  return {
    take: () => ({
      text: `WITH fenced AS (UPDATE "${schema}".owner SET generation = generation + 1),
          gone AS (DELETE FROM "${schema}".session WHERE used < now() - interval '1 day')
        INSERT INTO "${schema}".session (id) VALUES ($1) RETURNING id AS name`,
      values: [randomUUID()],
    }),
    look: (name) => ({ text: `SELECT id AS name FROM "${schema}".session WHERE id = $1`, values: [name] }),
    renew: (name) => ({ text: `UPDATE "${schema}".session SET used = now() WHERE id = $1`, values: [name] }),
    leave: (name) => [{ text: `DELETE FROM "${schema}".session WHERE id = $1`, values: [name] }],
  };
}
