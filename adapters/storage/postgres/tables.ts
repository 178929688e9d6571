/** Tables of the store, and the function that stores a flush. */
import { FENCE_SQL } from "./fence.ts";
import { DIFFERENCES, LAST_CHANGES, MARK_CHANGES, PLANS, WRITE_DOCUMENTS } from "./flush-sql.ts";
import { SESSION_SQL } from "./session.ts";
import { SHARED_FLUSH_SIGNATURES, SHARED_FLUSH_SQL } from "./shared-flush.ts";

/** Version of the tables. Increase it with every change that an older Stepwell can't work with. */
export const FORMAT = 1;

/**
 * Documents are JSON text: `jsonb` refuses U+0000, and would change the order of properties. Texts are compared by their bytes
 * (`COLLATE "C"`). A row names the document to which it belongs, and has the marks that are stored by their digests. `tally`
 * counts the rows of a list by mark, and all of them under the empty mark. A number is the sum of its parts: one process alone
 * has part 0, and processes that share the store add others rather than wait (shared-flush.ts).
 */
const TABLES = `
CREATE TABLE IF NOT EXISTS document (
  key text COLLATE "C" PRIMARY KEY,
  version integer NOT NULL,
  json text NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE IF NOT EXISTS entry (
  list text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  ord text COLLATE "C" NOT NULL,
  text text COLLATE "C",
  marks text[] COLLATE "C",
  document text COLLATE "C",
  long_marks text,
  PRIMARY KEY (list, id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX IF NOT EXISTS entry_order ON entry (list, ord, id);

CREATE TABLE IF NOT EXISTS mark (
  list text COLLATE "C" NOT NULL,
  mark text COLLATE "C" NOT NULL,
  ord text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (list, mark, ord, id)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE IF NOT EXISTS tally (
  list text COLLATE "C" NOT NULL,
  mark text COLLATE "C" NOT NULL,
  part bigint NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (list, mark, part)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
CREATE SEQUENCE IF NOT EXISTS tally_part;
`;

/**
 * Stores a flush, and returns its conflicts as JSON: `[commit, key, version or null]`. A commit with a conflict is left out whole.
 * Locks are taken in one order: the owner, then documents by key.
 */
const FLUSH = `
CREATE OR REPLACE FUNCTION store_flush(
  p_generation bigint, p_number bigint,
  p_expected_commit integer[], p_expected_key text[], p_expected_version integer[],
  p_written_commit integer[], p_written_key text[], p_written_version integer[], p_written_json text[],
  p_row_commit integer[], p_row_list text[], p_row_id text[], p_row_ord text[], p_row_text text[], p_row_marks text[],
  p_row_document text[], p_row_long_marks text[]
) RETURNS text LANGUAGE plpgsql
${PLANS}
AS $body$
DECLARE
  answer text := enter_flush(p_generation, p_number);
  failed integer[];
BEGIN
  IF answer IS NOT NULL THEN
    RETURN answer;
  END IF;

  IF cardinality(p_expected_key) > 0 THEN
    PERFORM 1 FROM document d WHERE d.key = ANY (p_expected_key) ORDER BY d.key FOR NO KEY UPDATE;
    -- A statement of its own, which sees what the transactions have stored that the locks waited for.
    SELECT array_agg(x.c), json_agg(json_build_array(x.c, x.key, x.version) ORDER BY x.c)::text INTO failed, answer
    FROM (
      SELECT DISTINCT ON (e.c) e.c, e.key, d.version
      FROM unnest(p_expected_commit, p_expected_key, p_expected_version) WITH ORDINALITY AS e(c, key, version, n)
      LEFT JOIN document d ON d.key = e.key
      WHERE d.version IS DISTINCT FROM e.version
      ORDER BY e.c, e.n
    ) x;
  END IF;
  failed := coalesce(failed, '{}');
  answer := coalesce(answer, '[]');
${WRITE_DOCUMENTS}

  IF cardinality(p_row_list) > 0 THEN
    PERFORM store_rows(
      failed, p_row_commit, p_row_list, p_row_id, p_row_ord, p_row_text, p_row_marks, p_row_document, p_row_long_marks
    );
  END IF;

  PERFORM leave_flush(p_number, answer);
  RETURN answer;
END $body$;
`;

/** Stores the last change of each row, and changes marks and numbers by the difference. Rows without `ord` are deleted. */
const ROWS = `
CREATE OR REPLACE FUNCTION store_rows(
  p_failed integer[],
  p_commit integer[], p_list text[], p_id text[], p_ord text[], p_text text[], p_marks text[],
  p_document text[], p_long_marks text[]
) RETURNS void LANGUAGE plpgsql
${PLANS}
AS $body$
BEGIN
  WITH change AS MATERIALIZED (${LAST_CHANGES}
  ), earlier AS MATERIALIZED (
    SELECT e.list, e.id, e.ord, e.marks FROM change c JOIN entry e ON e.list = c.list AND e.id = c.id
  ), removed AS (
    DELETE FROM entry e USING change c WHERE c.ord IS NULL AND e.list = c.list AND e.id = c.id
  ), stored AS (
    INSERT INTO entry AS e (list, id, ord, text, marks, document, long_marks)
    SELECT c.list, c.id, c.ord, c.text, c.marks, c.document, c.long_marks FROM change c WHERE c.ord IS NOT NULL
    ON CONFLICT (list, id) DO UPDATE SET ord = excluded.ord, text = excluded.text, marks = excluded.marks,
      document = excluded.document, long_marks = excluded.long_marks
    WHERE (e.ord, e.text, e.marks, e.document) IS DISTINCT FROM
      (excluded.ord, excluded.text, excluded.marks, excluded.document)
  ), ${MARK_CHANGES}, newly_marked AS (
    INSERT INTO mark (list, mark, ord, id) SELECT x.list, x.mark, x.ord, x.id FROM marked x WHERE x.n > 0
  ), ${DIFFERENCES}, counted AS MATERIALIZED (
    SELECT x.list, x.mark, x.n + coalesce(t.n, 0) AS n
    FROM difference x LEFT JOIN tally t ON t.list = x.list AND t.mark = x.mark AND t.part = 0
  ), emptied AS (
    DELETE FROM tally t USING counted x WHERE x.n = 0 AND t.list = x.list AND t.mark = x.mark AND t.part = 0
  )
  INSERT INTO tally (list, mark, part, n)
  SELECT x.list, x.mark, 0, x.n FROM counted x WHERE x.n <> 0 ORDER BY x.list, x.mark
  ON CONFLICT (list, mark, part) DO UPDATE SET n = excluded.n;
END $body$;
`;

const META = `
CREATE TABLE IF NOT EXISTS meta (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  format integer NOT NULL,
  program text NOT NULL
);
`;

/** All tables and functions, for a session whose search path is the schema. Does nothing where they exist. */
export const PROGRAM = [META, TABLES, FENCE_SQL, SESSION_SQL, ROWS, FLUSH, SHARED_FLUSH_SQL].join("\n");

/** Makes the functions find the tables of their schema, whatever the search path of a session is. */
export const functionSettings = (schema: string): string =>
  [
    "enter_flush(bigint, bigint)",
    "leave_flush(bigint, text)",
    "store_rows(integer[], integer[], text[], text[], text[], text[], text[], text[], text[])",
    `store_flush(bigint, bigint, integer[], text[], integer[], integer[], text[], integer[], text[],
      integer[], text[], text[], text[], text[], text[], text[], text[])`,
    ...SHARED_FLUSH_SIGNATURES,
  ]
    .map((signature) => `ALTER FUNCTION ${signature} SET search_path = "${schema}", pg_temp;`)
    .join("\n");

/** For searches. Rows of most lists have no text. */
export const SEARCH_INDEX =
  "CREATE INDEX IF NOT EXISTS entry_text ON entry USING gin (text gin_trgm_ops) WHERE text IS NOT NULL";
