/**
 * The function that stores a flush while other processes store theirs. Flushes wait for each other only where they touch the
 * same document or row, and take these locks in one order, so that no deadlock occurs: the session, existing documents by key, created
 * documents by key, existing rows, then created rows, each by list and ID.
 */
import { AGAIN } from "./failures.ts";
import { DIFFERENCES, LAST_CHANGES, MARK_CHANGES, PLANS, WRITE_DOCUMENTS } from "./flush-sql.ts";

/**
 * `p_lock_key` are the keys of existing documents in ascending order. `p_lock_count` divides them: so many are written, the next
 * ones only looked at, and so on in turn. Documents that must not exist are inserted at once, because nothing else keeps others
 * from creating them; those of commits with a conflict are removed again.
 */
const FLUSH = `
CREATE OR REPLACE FUNCTION store_flush_shared(
  p_session text, p_number bigint,
  p_lock_key text[], p_lock_count integer[],
  p_expected_commit integer[], p_expected_key text[], p_expected_version integer[],
  p_created_commit integer[], p_created_key text[], p_created_version integer[], p_created_json text[],
  p_written_commit integer[], p_written_key text[], p_written_version integer[], p_written_json text[],
  p_row_commit integer[], p_row_list text[], p_row_id text[], p_row_ord text[], p_row_text text[], p_row_marks text[],
  p_row_document text[], p_row_long_marks text[]
) RETURNS text LANGUAGE plpgsql ${PLANS}
AS $body$
DECLARE
  answer text := enter_shared_flush(p_session, p_number);
  failed integer[] := '{}';
  conflicts jsonb := '[]';
  more_failed integer[];
  more_conflicts jsonb;
  versions jsonb := '{}';
  found_versions jsonb;
  created text[];
  is_written boolean := true;
  at integer := 1;
  number integer;
BEGIN
  IF answer IS NOT NULL THEN
    RETURN answer;
  END IF;

  FOREACH number IN ARRAY p_lock_count LOOP
    -- The versions are those that are locked, also where the lock waited for another transaction.
    IF number > 0 AND is_written THEN
      SELECT jsonb_object_agg(x.key, x.version) INTO found_versions FROM (
        SELECT d.key, d.version FROM document d WHERE d.key = ANY (p_lock_key[at : at + number - 1])
        ORDER BY d.key FOR NO KEY UPDATE
      ) x;
      versions := versions || coalesce(found_versions, '{}');
    ELSIF number > 0 THEN
      SELECT jsonb_object_agg(x.key, x.version) INTO found_versions FROM (
        SELECT d.key, d.version FROM document d WHERE d.key = ANY (p_lock_key[at : at + number - 1])
        ORDER BY d.key FOR SHARE
      ) x;
      versions := versions || coalesce(found_versions, '{}');
    END IF;
    at := at + number;
    is_written := NOT is_written;
  END LOOP;

  IF cardinality(p_expected_key) > 0 THEN
    SELECT array_agg(x.c), jsonb_agg(jsonb_build_array(x.c, x.key, x.version)) INTO more_failed, more_conflicts
    FROM (
      SELECT DISTINCT ON (e.c) e.c, e.key, (versions ->> e.key)::integer AS version
      FROM unnest(p_expected_commit, p_expected_key, p_expected_version) WITH ORDINALITY AS e(c, key, version, n)
      WHERE (versions ->> e.key)::integer IS DISTINCT FROM e.version
      ORDER BY e.c, e.n
    ) x;
    failed := failed || coalesce(more_failed, '{}');
    conflicts := conflicts || coalesce(more_conflicts, '[]');
  END IF;

  IF cardinality(p_created_key) > 0 THEN
    WITH inserted AS (
      INSERT INTO document (key, version, json)
      SELECT w.key, coalesce(w.version, 1), w.json
      FROM unnest(p_created_commit, p_created_key, p_created_version, p_created_json) AS w(c, key, version, json)
      WHERE w.c <> ALL (failed)
      ORDER BY w.key
      ON CONFLICT (key) DO NOTHING RETURNING key
    )
    SELECT coalesce(array_agg(i.key), '{}') INTO created FROM inserted i;
    IF cardinality(created) < cardinality(p_created_key) THEN
      SELECT array_agg(x.c), jsonb_agg(jsonb_build_array(x.c, x.key, x.version)) INTO more_failed, more_conflicts
      FROM (
        -- It may have been deleted since.
        SELECT DISTINCT ON (w.c) w.c, w.key, coalesce(d.version, 1) AS version
        FROM unnest(p_created_commit, p_created_key) WITH ORDINALITY AS w(c, key, n)
        LEFT JOIN document d ON d.key = w.key
        WHERE w.c <> ALL (failed) AND w.key <> ALL (created)
        ORDER BY w.c, w.n
      ) x;
      failed := failed || coalesce(more_failed, '{}');
      conflicts := conflicts || coalesce(more_conflicts, '[]');
    END IF;
    IF cardinality(failed) > 0 OR array_position(p_created_version, NULL) IS NOT NULL THEN
      DELETE FROM document d
      USING unnest(p_created_commit, p_created_key, p_created_version) AS w(c, key, version)
      WHERE d.key = w.key AND w.key = ANY (created) AND (w.version IS NULL OR w.c = ANY (failed));
    END IF;
  END IF;
${WRITE_DOCUMENTS}

  IF cardinality(p_row_list) > 0 THEN
    PERFORM store_rows_shared(
      failed, p_row_commit, p_row_list, p_row_id, p_row_ord, p_row_text, p_row_marks, p_row_document, p_row_long_marks
    );
  END IF;

  answer := conflicts::text;
  PERFORM leave_shared_flush(p_session, p_number, answer);
  RETURN answer;
END $body$;
`;

/**
 * Like `store_rows`, in two statements: the second one sees what was stored by those for whom the locks of the first one waited. A row
 * that another process has created in between has marks that are not known here, so the flush is repeated then.
 */
const ROWS = `
CREATE OR REPLACE FUNCTION store_rows_shared(
  p_failed integer[],
  p_commit integer[], p_list text[], p_id text[], p_ord text[], p_text text[], p_marks text[],
  p_document text[], p_long_marks text[]
) RETURNS void LANGUAGE plpgsql ${PLANS}
AS $body$
DECLARE
  old_list text[];
  old_id text[];
  old_ord text[];
  old_marks text[];
  new_rows bigint;
  created_rows bigint;
  counted_list text[];
  counted_mark text[];
  counted_n bigint[];
BEGIN
  SELECT array_agg(x.list) FILTER (WHERE x.ord IS NOT NULL), array_agg(x.id) FILTER (WHERE x.ord IS NOT NULL),
    array_agg(x.ord) FILTER (WHERE x.ord IS NOT NULL), array_agg(x.marks) FILTER (WHERE x.ord IS NOT NULL),
    count(*) FILTER (WHERE x.ord IS NULL)
  INTO old_list, old_id, old_ord, old_marks, new_rows
  FROM (
    SELECT c.list, c.id, e.ord, e.marks, c.ord AS new_ord
    FROM (${LAST_CHANGES}) c
    LEFT JOIN LATERAL (
      SELECT e.ord, array_to_string(e.marks, E'\\n') AS marks FROM entry e WHERE e.list = c.list AND e.id = c.id
      FOR NO KEY UPDATE
    ) e ON true
  ) x
  WHERE x.ord IS NOT NULL OR x.new_ord IS NOT NULL;

  WITH change AS MATERIALIZED (${LAST_CHANGES}
  ), earlier AS MATERIALIZED (
    SELECT e.list, e.id, e.ord, string_to_array(e.marks, E'\\n') AS marks
    FROM unnest(old_list, old_id, old_ord, old_marks) AS e(list, id, ord, marks)
  ), removed AS (
    DELETE FROM entry e USING change c WHERE c.ord IS NULL AND e.list = c.list AND e.id = c.id
  ), changed AS (
    UPDATE entry e
    SET ord = c.ord, text = c.text, marks = c.marks, document = c.document, long_marks = c.long_marks
    FROM change c
    WHERE c.ord IS NOT NULL AND e.list = c.list AND e.id = c.id
      AND (e.ord, e.text, e.marks, e.document) IS DISTINCT FROM (c.ord, c.text, c.marks, c.document)
  ), created AS (
    INSERT INTO entry (list, id, ord, text, marks, document, long_marks)
    SELECT c.list, c.id, c.ord, c.text, c.marks, c.document, c.long_marks FROM change c
    WHERE c.ord IS NOT NULL AND NOT EXISTS (SELECT FROM entry e WHERE e.list = c.list AND e.id = c.id OFFSET 0)
    ORDER BY c.list, c.id
    ON CONFLICT (list, id) DO NOTHING RETURNING 1
  ), ${MARK_CHANGES}, newly_marked AS (
    INSERT INTO mark (list, mark, ord, id) SELECT x.list, x.mark, x.ord, x.id FROM marked x WHERE x.n > 0
    ON CONFLICT DO NOTHING
  ), ${DIFFERENCES}
  SELECT array_agg(d.list), array_agg(d.mark), array_agg(d.n), (SELECT count(*) FROM created)
  INTO counted_list, counted_mark, counted_n, created_rows FROM difference d;

  IF created_rows <> new_rows THEN
    RAISE EXCEPTION 'Another process has created a row at the same moment.' USING ERRCODE = '${AGAIN}';
  END IF;
  IF counted_list IS NOT NULL THEN
    PERFORM add_tallies(counted_list, counted_mark, counted_n);
  END IF;
END $body$;
`;

/**
 * Adds to numbers of rows without waiting for other processes that add to them: takes the parts of each number that nobody
 * else has locked, and makes them one. Where all are locked, it adds a part, which the next ones take.
 */
const TALLIES = `
CREATE OR REPLACE FUNCTION add_tallies(p_list text[], p_mark text[], p_n bigint[])
RETURNS void LANGUAGE plpgsql ${PLANS}
AS $body$
DECLARE
  held_list text[];
  held_mark text[];
  held_part bigint[];
  held_n bigint[];
BEGIN
  SELECT array_agg(x.list), array_agg(x.mark), array_agg(x.part), array_agg(x.n)
  INTO held_list, held_mark, held_part, held_n
  FROM (
    SELECT t.list, t.mark, t.part, t.n
    FROM unnest(p_list, p_mark) AS d(list, mark) JOIN tally t ON t.list = d.list AND t.mark = d.mark
    FOR UPDATE OF t SKIP LOCKED
  ) x;

  WITH number AS MATERIALIZED (
    SELECT x.list, x.mark, x.part, (sum(x.n) OVER w)::bigint AS n, min(x.part) OVER w AS kept
    FROM (
      SELECT * FROM unnest(held_list, held_mark, held_part, held_n) AS h(list, mark, part, n)
      UNION ALL SELECT d.list, d.mark, NULL, d.n FROM unnest(p_list, p_mark, p_n) AS d(list, mark, n)
    ) x
    WINDOW w AS (PARTITION BY x.list, x.mark)
  ), removed AS (
    DELETE FROM tally t USING number x
    WHERE (x.part <> x.kept OR x.n = 0) AND t.list = x.list AND t.mark = x.mark AND t.part = x.part
  ), changed AS (
    UPDATE tally t SET n = x.n FROM number x
    WHERE x.part = x.kept AND x.n <> 0 AND t.list = x.list AND t.mark = x.mark AND t.part = x.part
  )
  INSERT INTO tally (list, mark, part, n)
  SELECT x.list, x.mark, nextval('tally_part'), x.n FROM number x WHERE x.kept IS NULL;
END $body$;
`;

export const SHARED_FLUSH_SQL = [TALLIES, ROWS, FLUSH].join("\n");

export const SHARED_FLUSH_SIGNATURES = [
  "enter_shared_flush(text, bigint)",
  "leave_shared_flush(text, bigint, text)",
  "add_tallies(text[], text[], bigint[])",
  "store_rows_shared(integer[], integer[], text[], text[], text[], text[], text[], text[], text[])",
  `store_flush_shared(text, bigint, text[], integer[], integer[], text[], integer[],
    integer[], text[], integer[], text[], integer[], text[], integer[], text[],
    integer[], text[], text[], text[], text[], text[], text[], text[])`,
];
