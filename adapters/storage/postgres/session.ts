/**
 * Sessions: the openings of processes that share the store. A flush locks and updates the row of its session, which contains the
 * number and the answer of the session's last flush, so that one whose answer was lost is sent again, and executed once.
 *
 * The row is also the fence against a process that uses the store alone: when that one takes over, it deletes all sessions in the
 * transaction that raises the generation. A flush is either before it, whose transaction waits for it, or finds no session
 * and stores nothing. Among sessions there is no fence: the expected versions decide.
 */
import { FENCED } from "./failures.ts";
import { CHECK_ISOLATION, RETURN_KNOWN_ANSWER } from "./flush-sql.ts";

export const SESSION_SQL = `
CREATE TABLE IF NOT EXISTS session (
  id text COLLATE "C" PRIMARY KEY,
  flush bigint NOT NULL DEFAULT 0,
  answer text NOT NULL DEFAULT '[]',
  used timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 10);

-- Begins a flush: locks the session until the end of the transaction. Returns the answer if the flush was executed before.
CREATE OR REPLACE FUNCTION enter_shared_flush(p_session text, p_number bigint) RETURNS text LANGUAGE plpgsql AS $body$
DECLARE
  current session%ROWTYPE;
BEGIN${CHECK_ISOLATION}
  SELECT * INTO current FROM session WHERE id = p_session FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The session has ended.' USING ERRCODE = '${FENCED}';
  END IF;${RETURN_KNOWN_ANSWER}
END $body$;

CREATE OR REPLACE FUNCTION leave_shared_flush(p_session text, p_number bigint, p_answer text)
RETURNS void LANGUAGE sql AS $body$
  UPDATE session SET flush = p_number, answer = p_answer, used = now() WHERE id = p_session;
$body$;
`;
