/** The triggers of a collection, and the events that they received. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Trigger } from "../../../../src/collections/triggers/trigger.ts";
import { Button } from "../elements/controls/button.tsx";
import { Menu } from "../elements/controls/menu.tsx";
import { DeleteDialog } from "../elements/dialogs/delete-dialog.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { Table } from "../elements/lists/table.tsx";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import type { SettingsProps } from "./settings-props.ts";
import { TriggerAddress } from "./trigger-address.tsx";
import { TriggerDeliveries } from "./trigger-deliveries.tsx";
import { TriggerForm } from "./trigger-form.tsx";
import { TriggerTest } from "./trigger-test.tsx";
import { triggerTypes } from "./trigger-types.ts";

export function Triggers({ appId, collection, onChanged }: SettingsProps) {
  const { collections: texts, webhooks, general } = useTexts();
  const [edited, setEdited] = useState<Trigger | "new" | null>(null);
  const [deleted, setDeleted] = useState<Trigger | null>(null);
  const [shown, setShown] = useState<Trigger | null>(null);
  const [addressed, setAddressed] = useState<Trigger | null>(null);
  const [tested, setTested] = useState<Trigger | null>(null);
  const types = useQuery(triggerTypes(appId));
  const typeOf = ({ type }: Trigger) => types.data?.find(({ name }) => name === type);
  const { dialog, attempt } = useProblemDialog();
  const refusal = useMay("collections:write") ? undefined : general.needsScope("collections:write");
  const { triggers } = collection;
  const toggle = (trigger: Trigger) =>
    attempt(async () => {
      await client.triggers.update(appId, collection.id, trigger.id, { enabled: !trigger.enabled });
      onChanged();
    });
  const test = (trigger: Trigger) =>
    attempt(async () => {
      await client.triggers.test(appId, collection.id, trigger.id, {});
      setShown(trigger);
    });
  const startTest = (trigger: Trigger) => {
    if (typeOf(trigger)?.has_sample === true) void test(trigger);
    else setTested(trigger);
  };
  return (
    <div className="section">
      <p>
        <Button icon="plus" disabled={refusal !== undefined} title={refusal} onClick={() => setEdited("new")}>
          {texts.newTrigger}
        </Button>
      </p>
      {triggers.length === 0 ? (
        <EmptyState title={texts.noTriggers}>
          <p>{texts.noTriggersText}</p>
        </EmptyState>
      ) : (
        <Table
          label={texts.sections.triggers}
          items={triggers}
          keyOf={({ id }) => id}
          columns={[
            { name: "name", label: general.name, isHeader: true, cell: ({ name }) => <bdi>{name}</bdi> },
            { name: "type", label: texts.type, cell: ({ type }) => <code>{type}</code> },
            {
              name: "address",
              label: webhooks.address,
              cell: (trigger) =>
                typeOf(trigger)?.receives === true ? (
                  <button
                    type="button"
                    className="link-button"
                    aria-label={`${webhooks.address}: ${trigger.name}`}
                    onClick={() => setAddressed(trigger)}
                  >
                    {general.show}
                  </button>
                ) : null,
            },
            {
              name: "state",
              label: general.status,
              cell: ({ enabled }) => (enabled ? texts.enabled : texts.disabled),
            },
            {
              name: "deliveries",
              label: texts.deliveries,
              cell: (trigger) => (
                <button type="button" className="link-button" onClick={() => setShown(trigger)}>
                  {general.show}
                </button>
              ),
            },
            {
              name: "actions",
              label: <span className="visually-hidden">{general.more}</span>,
              align: "end",
              cell: (trigger) => (
                <Menu
                  label={`${general.more}: ${trigger.name}`}
                  items={[
                    { label: general.edit, icon: "edit", refusal, onChoose: () => setEdited(trigger) },
                    { label: texts.test, icon: "bolt", refusal, onChoose: () => startTest(trigger) },
                    {
                      label: trigger.enabled ? texts.disable : texts.enable,
                      icon: trigger.enabled ? "pause" : "runs",
                      refusal,
                      onChoose: () => void toggle(trigger),
                    },
                    {
                      label: general.delete,
                      icon: "trash",
                      isDangerous: true,
                      refusal,
                      onChoose: () => setDeleted(trigger),
                    },
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      {dialog}
      {shown === null ? null : (
        <section className="section">
          <h2>
            {texts.deliveries}: <bdi>{shown.name}</bdi>
          </h2>
          <TriggerDeliveries appId={appId} collectionId={collection.id} triggerId={shown.id} />
        </section>
      )}
      {edited === null ? null : (
        <TriggerForm
          appId={appId}
          collection={collection}
          trigger={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={(created) => {
            if (created !== null && typeOf(created)?.receives === true) setAddressed(created);
            onChanged();
          }}
        />
      )}
      {addressed === null ? null : (
        <TriggerAddress appId={appId} trigger={addressed} onClose={() => setAddressed(null)} />
      )}
      {tested === null ? null : (
        <TriggerTest appId={appId} trigger={tested} onSent={() => setShown(tested)} onClose={() => setTested(null)} />
      )}
      {deleted === null ? null : (
        <DeleteDialog
          appId={appId}
          name={deleted.name}
          onClose={() => setDeleted(null)}
          onDelete={async () => {
            await client.triggers.remove(appId, collection.id, deleted.id);
            onChanged();
          }}
        />
      )}
    </div>
  );
}
