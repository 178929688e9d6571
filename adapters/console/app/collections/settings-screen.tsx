/** The settings of a collection: rules, mappings, triggers, indexes. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { LinkButton } from "../elements/controls/link-button.tsx";
import { Tabs } from "../elements/controls/tabs.tsx";
import { DeleteDialog } from "../elements/dialogs/delete-dialog.tsx";
import { Facts } from "../elements/lists/facts.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { nameOr } from "../elements/values/visible-text.ts";
import { LIVE_QUERY } from "../live/live-query.ts";
import { mayLeave, useNavigateFromHere, useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { TagSigns } from "../tags/tag-signs.tsx";
import { useTexts } from "../texts/language.ts";
import { CollectionForm } from "./collection-form.tsx";
import { useCollectionRefusal } from "./collection-refusal.ts";
import { DeletedNote } from "./deleted-note.tsx";
import { Indexes } from "./indexes.tsx";
import { Mappings } from "./mappings.tsx";
import { Rules } from "./rules.tsx";
import type { SettingsProps } from "./settings-props.ts";
import { Triggers } from "./triggers/triggers.tsx";
import "./settings-screen.css";

const SECTIONS = ["general", "rules", "mappings", "triggers", "indexes"] as const;

export default function CollectionSettingsScreen({ params: { app = "", collection: id = "" } }: ScreenProps) {
  const found = useQuery({
    queryKey: [app, "collections", "one", id],
    queryFn: ({ signal }) => client.with({ signal }).collections.get(app, id),
    ...LIVE_QUERY,
  });
  return (
    <Loaded query={found} screen={{ appId: app, section: "collections" }}>
      {(collection) => <CollectionSettings appId={app} collection={collection} />}
    </Loaded>
  );
}

function CollectionSettings({ appId, collection }: Omit<SettingsProps, "onChanged">) {
  const { collections: texts } = useTexts();
  const queries = useQueryClient();
  const [params, change] = useQueryParams();
  const section = SECTIONS.find((one) => one === params.get("section")) ?? "general";
  const Section = { general: General, rules: Rules, mappings: Mappings, triggers: Triggers, indexes: Indexes }[section];
  return (
    <div className="collection-settings">
      <PageHead
        title={texts.settingsOf(nameOr(collection.name, collection.id))}
        actions={
          <LinkButton icon="collections" to={`/apps/${appId}/collections/${collection.id}`}>
            {texts.recordsColumn}
          </LinkButton>
        }
      />
      <DeletedNote appId={appId} collection={collection} />
      <Tabs
        label={texts.settings}
        tabs={SECTIONS.map((name) => ({ name, label: texts.sections[name] }))}
        chosen={section}
        onChoose={(name) => {
          if (mayLeave("part")) change({ section: name === "general" ? null : name }, { replace: true });
        }}
      >
        <Section
          appId={appId}
          collection={collection}
          onChanged={() => void queries.invalidateQueries({ queryKey: [appId, "collections"] })}
        />
      </Tabs>
    </div>
  );
}

function General({ appId, collection, onChanged }: SettingsProps) {
  const navigateFromHere = useNavigateFromHere();
  const { collections: texts, general } = useTexts();
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const refusal = useCollectionRefusal(collection);
  return (
    <div className="section">
      <Facts
        facts={[
          { label: general.name, value: <bdi>{collection.name}</bdi> },
          { label: general.description, value: <bdi>{collection.description}</bdi> },
          { label: texts.visibility, value: texts.visibilities[collection.visibility] },
          { label: texts.sections.tags, value: <TagSigns tags={collection.tags} /> },
          { label: "ID", value: <code>{collection.id}</code> },
        ]}
      />
      {collection.deleted ? null : (
        <p className="buttons">
          <Button icon="edit" refusal={refusal} onClick={() => setOpen("edit")}>
            {general.edit}
          </Button>
          <Button icon="trash" kind="danger" refusal={refusal} onClick={() => setOpen("delete")}>
            {general.delete}
          </Button>
        </p>
      )}
      {open === "edit" ? (
        <CollectionForm appId={appId} collection={collection} onClose={() => setOpen(null)} onSaved={onChanged} />
      ) : null}
      {open === "delete" ? (
        <DeleteDialog
          appId={appId}
          name={collection.name}
          text={texts.deleteText}
          onClose={() => setOpen(null)}
          onDelete={async (force) => {
            await client.collections.remove(appId, collection.id, { force });
            navigateFromHere(`/apps/${appId}/collections`);
            onChanged();
          }}
        />
      ) : null}
    </div>
  );
}
