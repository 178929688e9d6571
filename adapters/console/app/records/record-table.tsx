/** Records as a table, with the columns that somebody chose for the collection in this browser. */

import { useState } from "react";
import type { Collection } from "../../../../src/collections/collection.ts";
import type { CollectionRecord } from "../../../../src/collections/records/record.ts";
import { Table } from "../elements/lists/table.tsx";
import { useMedium } from "../elements/media-queries.ts";
import { Time } from "../elements/values/time.tsx";
import { visibleText } from "../elements/values/visible-text.ts";
import { Link } from "../routing/link.tsx";
import { TagSigns } from "../tags/tag-signs.tsx";
import { useTexts } from "../texts/language.ts";
import { readColumns, writeColumns } from "./chosen-columns.ts";
import { ColumnPicker } from "./column-picker.tsx";
import { cellText, columnsOf, FEW_COLUMNS, FIRST_COLUMNS, fieldsOf } from "./record-fields.ts";
import { namedFields } from "./record-model.ts";
import { recordTitle } from "./record-title.ts";
import { RuleSigns } from "./rule-signs.tsx";

interface RecordTableProps {
  readonly appId: string;
  readonly collection: Collection;
  readonly records: readonly CollectionRecord[];
}

export function RecordTable({ appId, collection, records }: RecordTableProps) {
  const { records: texts, general } = useTexts();
  const [chosen, setChosen] = useState(() => readColumns(collection.id));
  const fields = fieldsOf(records);
  const columns = columnsOf(fields, chosen, useMedium() ? FEW_COLUMNS : FIRST_COLUMNS);
  const change = (next: readonly string[]) => {
    setChosen(next);
    writeColumns(collection.id, next);
  };
  return (
    <>
      <ColumnPicker fields={[...new Set([...fields, ...namedFields(collection)])]} chosen={columns} onChange={change} />
      <Table
        label={texts.title}
        items={records}
        keyOf={({ id }) => id}
        columns={[
          {
            name: "record",
            label: texts.record,
            isHeader: true,
            cell: (record) => {
              const { id } = record;
              const title = recordTitle(record);
              return (
                <Link to={`/apps/${appId}/collections/${collection.id}/records/${id}`} title={id}>
                  {title === id ? <bdi className="record-id">{id.slice(0, 18)}…</bdi> : <bdi>{title}</bdi>}
                </Link>
              );
            },
          },
          ...columns.map((field) => ({
            name: field,
            label: field,
            cell: (record: CollectionRecord) => <bdi>{visibleText(cellText(record, field))}</bdi>,
          })),
          { name: "rules", label: texts.ruleResults, cell: ({ rule_results }) => <RuleSigns results={rule_results} /> },
          { name: "tags", label: texts.tags, cell: ({ tags }) => <TagSigns tags={tags} /> },
          { name: "updated", label: general.updated, isRare: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
        ]}
      />
    </>
  );
}
