/** One record: its data, the results of its rules, and its history. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CollectionRecord } from "../../../../src/collections/records/record.ts";
import { useCollectionRefusal } from "../collections/collection-refusal.ts";
import { DeletedNote } from "../collections/deleted-note.tsx";
import { Button } from "../elements/controls/button.tsx";
import { Menu } from "../elements/controls/menu.tsx";
import { DeleteDialog } from "../elements/dialogs/delete-dialog.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { Facts } from "../elements/lists/facts.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { nameOr } from "../elements/values/visible-text.ts";
import { LIVE_QUERY } from "../live/live-query.ts";
import { Link } from "../routing/link.tsx";
import { useNavigateFromHere } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { TagSigns } from "../tags/tag-signs.tsx";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { RecordEditor } from "./record-editor.tsx";
import { RecordHistory } from "./record-history.tsx";
import { recordTitle } from "./record-title.ts";
import { RuleSign } from "./rule-signs.tsx";
import "./records-screen.css";

export default function RecordScreen({ params: { app = "", collection = "", record: id = "" } }: ScreenProps) {
  const found = useQuery({
    queryKey: [app, "records", collection, "one", id],
    queryFn: ({ signal }) => client.with({ signal }).records.get(app, collection, id),
    ...LIVE_QUERY,
  });
  return (
    <Loaded query={found} screen={{ appId: app, section: "collections" }}>
      {(record) => <OneRecord appId={app} record={record} />}
    </Loaded>
  );
}

function OneRecord({ appId, record }: { readonly appId: string; readonly record: CollectionRecord }) {
  const navigateFromHere = useNavigateFromHere();
  const { records: texts, general } = useTexts();
  const format = useFormat();
  const queries = useQueryClient();
  const { dialog, attempt, isBusy } = useProblemDialog();
  const [isDeleting, setDeleting] = useState(false);
  const { collection_id: collectionId } = record;
  const title = recordTitle(record);
  const collection = useQuery({
    queryKey: [appId, "collections", "one", collectionId],
    queryFn: ({ signal }) => client.with({ signal }).collections.get(appId, collectionId),
    ...LIVE_QUERY,
  }).data;
  const refusal = useCollectionRefusal(collection);
  const reload = () => queries.invalidateQueries({ queryKey: [appId, "records", collectionId] });
  const evaluate = () =>
    attempt(async () => {
      await client.records.evaluate(appId, collectionId, record.id);
      await reload();
    });
  return (
    <div className="record-screen">
      <PageHead
        title={title}
        below={
          <>
            <Link to={`/apps/${appId}/collections/${collectionId}`} current="none">
              <bdi>{collection === undefined ? collectionId : nameOr(collection.name, collectionId)}</bdi>
            </Link>
            {title === record.id ? null : <code> {record.id}</code>}
          </>
        }
        beside={<TagSigns tags={record.tags} />}
        actions={
          <>
            <Button icon="runs" isBusy={isBusy} refusal={refusal} onClick={() => void evaluate()}>
              {texts.evaluate}
            </Button>
            <Menu
              label={general.more}
              items={[
                {
                  label: general.delete,
                  icon: "trash",
                  isDangerous: true,
                  refusal,
                  onChoose: () => setDeleting(true),
                },
              ]}
            />
          </>
        }
      />
      {collection === undefined ? null : <DeletedNote appId={appId} collection={collection} />}
      <Facts
        facts={[
          { label: texts.version, value: format.number(record.version) },
          { label: general.created, value: format.exact(record.created_at) },
          { label: general.updated, value: format.exact(record.updated_at) },
        ]}
      />
      <RuleResults appId={appId} results={record.rule_results} />
      <RecordEditor appId={appId} record={record} refusal={refusal} onSaved={() => void reload()} />
      <section>
        <h2>{texts.history}</h2>
        <RecordHistory appId={appId} collectionId={collectionId} recordId={record.id} />
      </section>
      {dialog}
      {isDeleting ? (
        <DeleteDialog
          appId={appId}
          name={title}
          text={general.cannotUndo}
          onClose={() => setDeleting(false)}
          onDelete={async () => {
            await client.records.remove(appId, collectionId, record.id);
            navigateFromHere(`/apps/${appId}/collections/${collectionId}`);
            await reload();
          }}
        />
      ) : null}
    </div>
  );
}

interface RuleResultsProps {
  readonly appId: string;
  readonly results: CollectionRecord["rule_results"];
}

function RuleResults({ appId, results }: RuleResultsProps) {
  const { records: texts } = useTexts();
  if (results.length === 0) return null;
  return (
    <section>
      <h2>{texts.ruleResults}</h2>
      <ul className="rule-list">
        {results.map(({ key, name, result, run_id, error }) => (
          <li key={key}>
            <strong>
              <bdi>{name}</bdi>
            </strong>
            <RuleSign result={result} label={texts.outcomes[result]} />
            {run_id === null ? null : <Link to={`/apps/${appId}/runs/${run_id}`}>{texts.openRun}</Link>}
            {error === null ? null : <bdi className="failed-text">{error.message}</bdi>}
          </li>
        ))}
      </ul>
    </section>
  );
}
