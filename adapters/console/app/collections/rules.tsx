/** The rules of a collection, in order. */
import { useState } from "react";
import type { Rule } from "../../../../src/collections/rule.ts";
import { Button } from "../elements/controls/button.tsx";
import { Menu } from "../elements/controls/menu.tsx";
import { DeleteDialog } from "../elements/dialogs/delete-dialog.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { Table } from "../elements/lists/table.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { WorkflowName } from "../workflows/workflow-name.tsx";
import { useCollectionRefusal } from "./collection-refusal.ts";
import { RuleForm } from "./rule-form.tsx";
import type { SettingsProps } from "./settings-props.ts";

export function Rules({ appId, collection, onChanged }: SettingsProps) {
  const { collections: texts } = useTexts();
  const [edited, setEdited] = useState<Rule | "new" | null>(null);
  const [deleted, setDeleted] = useState<Rule | null>(null);
  const { dialog, attempt } = useProblemDialog();
  const refusal = useCollectionRefusal(collection);
  const { rules } = collection.config;
  const toggle = (rule: Rule) =>
    attempt(async () => {
      await client.rules.update(appId, collection.id, rule.key, { disabled: !rule.disabled });
      onChanged();
    });
  return (
    <div className="section">
      <p>
        <Button icon="plus" refusal={refusal} onClick={() => setEdited("new")}>
          {texts.newRule}
        </Button>
      </p>
      {rules.length === 0 ? (
        <EmptyState title={texts.noRules}>
          <p>{texts.noRulesText}</p>
        </EmptyState>
      ) : (
        <RuleTable
          appId={appId}
          rules={rules}
          refusal={refusal}
          onEdit={setEdited}
          onToggle={(rule) => void toggle(rule)}
          onDelete={setDeleted}
        />
      )}
      {dialog}
      {edited === null ? null : (
        <RuleForm
          appId={appId}
          collectionId={collection.id}
          rule={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={onChanged}
        />
      )}
      {deleted === null ? null : (
        <DeleteDialog
          appId={appId}
          name={deleted.name}
          onClose={() => setDeleted(null)}
          onDelete={async () => {
            await client.rules.remove(appId, collection.id, deleted.key);
            onChanged();
          }}
        />
      )}
    </div>
  );
}

interface RuleTableProps {
  readonly appId: string;
  readonly rules: readonly Rule[];
  readonly refusal: string | undefined;
  readonly onEdit: (rule: Rule) => void;
  readonly onToggle: (rule: Rule) => void;
  readonly onDelete: (rule: Rule) => void;
}

function RuleTable({ appId, rules, refusal, onEdit, onToggle, onDelete }: RuleTableProps) {
  const { collections: texts, records, general } = useTexts();
  return (
    <Table
      label={texts.sections.rules}
      items={rules}
      keyOf={({ key }) => key}
      columns={[
        { name: "name", label: general.name, isHeader: true, cell: ({ name }) => <bdi>{name}</bdi> },
        { name: "key", label: texts.ruleKey, cell: ({ key }) => <code>{key}</code> },
        {
          name: "workflow",
          label: texts.workflow,
          cell: ({ workflow_id }) => <WorkflowName appId={appId} workflowId={workflow_id} />,
        },
        {
          name: "results",
          label: texts.results,
          cell: ({ on_success, on_fail }) => `${records.outcomes[on_success]} / ${records.outcomes[on_fail]}`,
        },
        { name: "order", label: texts.order, cell: ({ execution_order }) => texts.orders[execution_order] },
        {
          name: "state",
          label: general.status,
          cell: ({ disabled }) => (disabled ? texts.disabled : texts.enabled),
        },
      ]}
      actions={(rule) => (
        <Menu
          isInRow
          label={`${general.more}: ${rule.name}`}
          items={[
            { label: general.edit, icon: "edit", refusal, onChoose: () => onEdit(rule) },
            {
              label: rule.disabled ? texts.enable : texts.disable,
              icon: rule.disabled ? "runs" : "pause",
              refusal,
              onChoose: () => onToggle(rule),
            },
            {
              label: general.delete,
              icon: "trash",
              isDangerous: true,
              refusal,
              onChoose: () => onDelete(rule),
            },
          ]}
        />
      )}
    />
  );
}
