/** Parts of the functions that store a flush, for one owner (tables.ts) and for processes that share the store (shared-flush.ts). */
import { OVERTAKEN, WRONG_ISOLATION } from "./failures.ts";

/** Plans that use the indexes, whatever the statistics of the tables say: plans are kept while the tables grow. */
export const PLANS = "SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off";

export const CHECK_ISOLATION = `
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'The transaction must be READ COMMITTED.' USING ERRCODE = '${WRONG_ISOLATION}';
  END IF;`;

/** Returns the answer of the flush if it was the last one. `current` is the row with its number and answer, locked. */
export const RETURN_KNOWN_ANSWER = `
  IF current.flush = p_number THEN
    RETURN current.answer;
  END IF;
  IF current.flush > p_number THEN
    RAISE EXCEPTION 'A later flush was executed before this one.' USING ERRCODE = '${OVERTAKEN}';
  END IF;
  RETURN NULL;`;

/** Writes and deletes the documents of all commits that have not failed. */
export const WRITE_DOCUMENTS = `
  IF cardinality(p_written_key) > 0 THEN
    INSERT INTO document AS d (key, version, json)
    SELECT w.key, w.version, w.json
    FROM unnest(p_written_commit, p_written_key, p_written_version, p_written_json) AS w(c, key, version, json)
    WHERE w.version IS NOT NULL AND w.c <> ALL (failed)
    ORDER BY w.key
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, json = excluded.json;
    IF array_position(p_written_version, NULL) IS NOT NULL THEN
      DELETE FROM document d
      USING unnest(p_written_commit, p_written_key, p_written_version) AS w(c, key, version)
      WHERE w.version IS NULL AND w.c <> ALL (failed) AND d.key = w.key;
    END IF;
  END IF;`;

/** The last change of each row. Rows without \`ord\` are deleted. */
export const LAST_CHANGES = `
    SELECT DISTINCT ON (r.list, r.id)
      r.list, r.id, r.ord, r.text, string_to_array(r.marks, E'\\n') AS marks, r.document, r.long_marks
    FROM unnest(p_commit, p_list, p_id, p_ord, p_text, p_marks, p_document, p_long_marks)
      WITH ORDINALITY AS r(c, list, id, ord, text, marks, document, long_marks, n)
    WHERE r.c <> ALL (p_failed)
    ORDER BY r.list, r.id, r.n DESC`;

/** The marks that rows get or lose, from those that were there (`earlier`) to those that are stored (`change`). */
export const MARK_CHANGES = `marked AS MATERIALIZED (
    SELECT x.list, x.mark, x.ord, x.id, sum(x.n) AS n
    FROM (
      SELECT b.list, m.mark, b.ord, b.id, -1 AS n FROM earlier b CROSS JOIN LATERAL unnest(b.marks) AS m(mark)
      UNION ALL
      SELECT c.list, m.mark, c.ord, c.id, 1 FROM change c CROSS JOIN LATERAL unnest(c.marks) AS m(mark)
      WHERE c.ord IS NOT NULL
    ) x
    GROUP BY x.list, x.mark, x.ord, x.id
    HAVING sum(x.n) <> 0
  ), unmarked AS (
    DELETE FROM mark m USING marked x
    WHERE x.n < 0 AND m.list = x.list AND m.mark = x.mark AND m.ord = x.ord AND m.id = x.id
  )`;

/** By how much the numbers of rows change, by list and mark, and for all rows of a list under the empty mark. */
export const DIFFERENCES = `difference AS (
    SELECT x.list, x.mark, sum(x.n)::bigint AS n
    FROM (
      SELECT list, mark, n FROM marked
      UNION ALL SELECT list, '', 1 FROM change WHERE ord IS NOT NULL
      UNION ALL SELECT list, '', -1 FROM earlier
    ) x
    GROUP BY x.list, x.mark
    HAVING sum(x.n) <> 0
  )`;
