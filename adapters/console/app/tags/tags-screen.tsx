/** The tags of an app, which collections and records share. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Tag } from "../../../../src/collections/tag.ts";
import { omitUndefined, ownField } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { Menu } from "../elements/controls/menu.tsx";
import { DeleteDialog } from "../elements/dialogs/delete-dialog.tsx";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { NameField } from "../elements/fields/name-field.tsx";
import { SearchField } from "../elements/fields/search-field.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { Table } from "../elements/lists/table.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { Day } from "../elements/values/time.tsx";
import { useMergedSave } from "../merging/use-merged-save.tsx";
import { useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { TagSigns } from "./tag-signs.tsx";

export default function TagsScreen({ params: { app = "" } }: ScreenProps) {
  const { collections: texts, general } = useTexts();
  const queries = useQueryClient();
  const [params, change] = useQueryParams();
  const search = params.get("search") ?? "";
  const [edited, setEdited] = useState<Tag | "new" | null>(null);
  const [deleted, setDeleted] = useState<Tag | null>(null);
  const refusal = useScopeRefusal("collections:write");
  const list = usePagedList({
    queryKey: [app, "tags", "list", search],
    isLive: true,
    read: (page_token, signal) =>
      client.with({ signal }).tags.list(app, omitUndefined({ search: search === "" ? undefined : search, page_token })),
  });
  const reload = () => queries.invalidateQueries({ queryKey: [app, "tags"] });
  const createButton = (
    <Button kind="primary" icon="plus" refusal={refusal} onClick={() => setEdited("new")}>
      {texts.newTag}
    </Button>
  );
  return (
    <>
      <PageHead title={texts.sections.tags} actions={createButton} />
      <SearchField value={search} onChange={(text) => change({ search: text }, { replace: true })} />
      <ListStates
        list={list}
        empty={<EmptyState title={texts.noTags}>{search === "" ? createButton : null}</EmptyState>}
      >
        {(tags) => (
          <Table
            label={texts.sections.tags}
            items={tags}
            keyOf={({ id }) => id}
            columns={[
              { name: "name", label: general.name, isHeader: true, cell: (tag) => <TagSigns tags={[tag]} /> },
              { name: "color", label: texts.color, cell: ({ color }) => <ColorName color={color} /> },
              { name: "created", label: general.created, cell: ({ created_at }) => <Day on={created_at} /> },
            ]}
            actions={(tag) => (
              <Menu
                isInRow
                label={`${general.more}: ${tag.name}`}
                items={[
                  { label: general.edit, icon: "edit", refusal, onChoose: () => setEdited(tag) },
                  {
                    label: general.delete,
                    icon: "trash",
                    isDangerous: true,
                    refusal,
                    onChoose: () => setDeleted(tag),
                  },
                ]}
              />
            )}
          />
        )}
      </ListStates>
      {edited === null ? null : (
        <TagForm
          appId={app}
          tag={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={() => void reload()}
        />
      )}
      {deleted === null ? null : (
        <DeleteDialog
          appId={app}
          name={deleted.name}
          text={texts.deleteTagText}
          onClose={() => setDeleted(null)}
          onDelete={async () => {
            await client.tags.remove(app, deleted.id);
            await reload();
          }}
        />
      )}
    </>
  );
}

/** Other colors, and texts that are none, stand as they were written. */
function ColorName({ color }: { readonly color: string }) {
  const { colorNames } = useTexts().collections;
  return ownField<string>(colorNames, color.toLowerCase()) ?? <code>{color}</code>;
}

interface TagFormProps {
  readonly appId: string;
  /** Null for a new one. */
  readonly tag: Tag | null;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

type TagFields = Pick<Tag, "name" | "color">;

const fieldsOf = ({ name, color }: Tag): TagFields => ({ name, color });

function TagForm({ appId, tag, onSaved, onClose }: TagFormProps) {
  const { collections: texts, general } = useTexts();
  const [fields, setFields] = useState(() => (tag === null ? { name: "", color: "#1f56c4" } : fieldsOf(tag)));
  const merging = useMergedSave<Tag, TagFields>({
    first: tag,
    fieldsOf,
    revisionOf: () => null,
    names: { name: { label: general.name }, color: { label: texts.color } },
    read: ({ id }) => client.tags.get(appId, id),
    write: (next, base) => (base === null ? client.tags.create(appId, next) : client.tags.update(appId, base.id, next)),
    current: () => fields,
    show: setFields,
  });
  const save = async () => {
    const saved = await merging.save(fields);
    if (saved !== null) onSaved();
    return saved !== null;
  };
  return (
    <FormDialog
      title={tag === null ? texts.newTag : tag.name}
      action={tag === null ? general.create : general.save}
      onSubmit={save}
      onClose={onClose}
      pointers={["/name", "/color"]}
    >
      {(error) => (
        <>
          {merging.note}
          <NameField value={fields.name} onChange={(name) => setFields({ ...fields, name })} error={error} />
          <Field label={texts.color} hint={texts.colorHint} error={fieldError(error, "/color")}>
            {(attributes) => (
              <input
                {...attributes}
                required
                maxLength={64}
                value={fields.color}
                onChange={({ target }) => setFields({ ...fields, color: target.value })}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
