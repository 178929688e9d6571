/** The changes of a record, newest first: what, when and by whom. */

import type { HistoryEntry } from "../../../../src/collections/history/record-history.ts";
import type { Author } from "../../../../src/collections/records/writer.ts";
import { omitUndefined } from "../../../../src/json.ts";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { Time } from "../elements/values/time.tsx";
import { visibleJson } from "../elements/values/visible-text.ts";
import { Link } from "../routing/link.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface RecordHistoryProps {
  readonly appId: string;
  readonly collectionId: string;
  readonly recordId: string;
}

export function RecordHistory({ appId, collectionId, recordId }: RecordHistoryProps) {
  const { records: texts } = useTexts();
  const list = usePagedList({
    queryKey: [appId, "records", collectionId, "history", recordId],
    isLive: true,
    read: (page_token, signal) =>
      client.with({ signal }).records.history(appId, collectionId, recordId, {
        take: 20,
        ...omitUndefined({ page_token }),
      }),
  });
  return (
    <ListStates list={list} empty={<p>{texts.noHistory}</p>}>
      {(entries) => (
        <ol className="history">
          {entries.map((entry) => (
            <li key={entry.version}>
              <strong>{texts.versionOf(entry.version)}</strong> · <Time at={entry.when} /> ·{" "}
              <Who appId={appId} who={entry.who} />
              <Changes entry={entry} />
            </li>
          ))}
        </ol>
      )}
    </ListStates>
  );
}

function Who({ appId, who }: { readonly appId: string; readonly who: Author }) {
  const { records: texts } = useTexts();
  if (who.type === "step") {
    return (
      <Link to={`/apps/${appId}/runs/${who.run_id}?step=${encodeURIComponent(who.step_key)}`}>
        {texts.authors.step} <bdi>{who.step_key}</bdi>
      </Link>
    );
  }
  const user = "user_id" in who ? who.user_id : undefined;
  return (
    <>
      {texts.authors[who.type]} <bdi>{user}</bdi>
    </>
  );
}

function Changes({ entry: { changes } }: { readonly entry: HistoryEntry }) {
  if (changes.length === 0) return null;
  return (
    <ul>
      {changes.map(({ path, before, after }) => (
        <li key={path}>
          <code>{path}</code>: <del dir="ltr">{shown(before)}</del> <ins dir="ltr">{shown(after)}</ins>
        </li>
      ))}
    </ul>
  );
}

const MAX_CHARS = 200;

function shown(value: unknown): string {
  const text = value === undefined || value === null ? "" : visibleJson(JSON.stringify(value));
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}
