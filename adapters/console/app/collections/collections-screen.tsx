/** The collections of an app. */

import { useState } from "react";
import type { Collection } from "../../../../src/collections/collection.ts";
import { omitUndefined } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { LinkButton } from "../elements/controls/link-button.tsx";
import { SearchField } from "../elements/fields/search-field.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { Table } from "../elements/lists/table.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { Day } from "../elements/values/time.tsx";
import { Link } from "../routing/link.tsx";
import { useNavigateFromHere, useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { TagSigns } from "../tags/tag-signs.tsx";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { CollectionForm } from "./collection-form.tsx";
import { RestoreButton } from "./restore-button.tsx";

export default function CollectionsScreen({ params: { app = "" } }: ScreenProps) {
  const navigateFromHere = useNavigateFromHere();
  const { collections: texts, general } = useTexts();
  const [params, change] = useQueryParams();
  const [isCreating, setCreating] = useState(false);
  const search = params.get("search") ?? "";
  const isDeletedShown = params.get("deleted") === "true";
  const refusal = useScopeRefusal("collections:write");
  const list = usePagedList({
    queryKey: [app, "collections", search, isDeletedShown],
    isLive: true,
    read: (page_token, signal) =>
      client.with({ signal }).collections.list(app, {
        deleted: isDeletedShown,
        ...omitUndefined({ search: search === "" ? undefined : search, page_token }),
      }),
  });
  const createButton = (
    <Button kind="primary" icon="plus" refusal={refusal} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <>
      <PageHead
        title={isDeletedShown ? texts.deletedOnes : texts.title}
        actions={
          <>
            <LinkButton kind="quiet" icon="tag" to={`/apps/${app}/tags`}>
              {texts.sections.tags}
            </LinkButton>
            <Button kind="quiet" onClick={() => change({ deleted: isDeletedShown ? null : "true" })}>
              {isDeletedShown ? general.back : texts.showDeleted}
            </Button>
            {createButton}
          </>
        }
      />
      <SearchField value={search} onChange={(text) => change({ search: text }, { replace: true })} />
      <ListStates
        list={list}
        empty={
          <EmptyState title={texts.empty}>
            <p>{texts.emptyText}</p>
            {search === "" ? createButton : null}
          </EmptyState>
        }
      >
        {(collections) => <Collections appId={app} collections={collections} />}
      </ListStates>
      {isCreating ? (
        <CollectionForm
          appId={app}
          collection={null}
          onClose={() => setCreating(false)}
          onSaved={({ id }) => navigateFromHere(`/apps/${app}/collections/${id}`)}
        />
      ) : null}
    </>
  );
}

interface CollectionsProps {
  readonly appId: string;
  readonly collections: readonly Collection[];
}

function Collections({ appId, collections }: CollectionsProps) {
  const { collections: texts, general } = useTexts();
  const format = useFormat();
  return (
    <Table
      label={texts.title}
      items={collections}
      keyOf={({ id }) => id}
      columns={[
        {
          name: "name",
          label: general.name,
          isHeader: true,
          cell: ({ id, name }) => (
            <Link to={`/apps/${appId}/collections/${id}`}>
              <bdi>{name}</bdi>
            </Link>
          ),
        },
        {
          name: "records",
          label: texts.recordsColumn,
          align: "end",
          cell: ({ records_count }) => format.number(records_count),
        },
        { name: "tags", label: texts.sections.tags, cell: ({ tags }) => <TagSigns tags={tags} /> },
        {
          name: "rules",
          label: texts.sections.rules,
          align: "end",
          cell: ({ config }) => format.number(config.rules.length),
        },
        { name: "updated", label: general.updated, cell: ({ updated_at }) => <Day on={updated_at} /> },
      ]}
      actions={(collection) => (collection.deleted ? <RestoreButton appId={appId} collection={collection} /> : null)}
    />
  );
}
