/** The triggers of a collection, and the events that they received. */
import { useState } from "react";
import type { Trigger } from "../../../../../src/collections/triggers/trigger.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Menu } from "../../elements/controls/menu.tsx";
import { DeleteDialog } from "../../elements/dialogs/delete-dialog.tsx";
import { useProblemDialog } from "../../elements/dialogs/problem-dialog.tsx";
import { EmptyState } from "../../elements/lists/empty-state.tsx";
import { Table } from "../../elements/lists/table.tsx";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { useCollectionRefusal } from "../collection-refusal.ts";
import type { SettingsProps } from "../settings-props.ts";
import { TriggerAddress } from "./trigger-address.tsx";
import { TriggerDeliveries } from "./trigger-deliveries.tsx";
import { TriggerForm } from "./trigger-form.tsx";
import { TriggerTest } from "./trigger-test.tsx";
import { useTriggerTypes } from "./use-trigger-types.ts";

/** What is asked for in a dialog. */
type Question =
  | { readonly kind: "new" }
  | { readonly kind: "edit" | "delete" | "address" | "test"; readonly trigger: Trigger };

export function Triggers({ appId, collection, onChanged }: SettingsProps) {
  const { collections: texts } = useTexts();
  const [question, ask] = useState<Question | null>(null);
  const [shown, setShown] = useState<Trigger | null>(null);
  const types = useTriggerTypes(appId).data ?? [];
  const typeOf = ({ type }: Trigger) => types.find(({ name }) => name === type);
  const { dialog, attempt } = useProblemDialog();
  const refusal = useCollectionRefusal(collection);
  const toggle = (trigger: Trigger) =>
    attempt(async () => {
      await client.triggers.update(appId, collection.id, trigger.id, { enabled: !trigger.enabled });
      onChanged();
    });
  const test = (trigger: Trigger) => {
    // Without a sample, somebody gives the data of the event.
    if (typeOf(trigger)?.has_sample !== true) return ask({ kind: "test", trigger });
    void attempt(async () => {
      await client.triggers.test(appId, collection.id, trigger.id, {});
      setShown(trigger);
    });
  };
  return (
    <div className="section">
      <p>
        <Button icon="plus" refusal={refusal} onClick={() => ask({ kind: "new" })}>
          {texts.newTrigger}
        </Button>
      </p>
      {collection.triggers.length === 0 ? (
        <EmptyState title={texts.noTriggers}>
          <p>{texts.noTriggersText}</p>
        </EmptyState>
      ) : (
        <TriggerTable
          triggers={collection.triggers}
          hasAddress={(trigger) => typeOf(trigger)?.receives === true}
          refusal={refusal}
          hidden={collection.deleted ? texts.restoreFirst : undefined}
          ask={ask}
          onShow={setShown}
          onTest={test}
          onToggle={(trigger) => void toggle(trigger)}
        />
      )}
      {dialog}
      {shown === null || collection.deleted ? null : (
        <section className="section">
          <h2>
            {texts.deliveries}: <bdi>{shown.name}</bdi>
          </h2>
          <TriggerDeliveries appId={appId} collectionId={collection.id} triggerId={shown.id} />
        </section>
      )}
      {question === null ? null : (
        <TriggerDialog
          {...{ appId, collection, question, onChanged }}
          onCreated={(trigger) => {
            if (typeOf(trigger)?.receives === true) ask({ kind: "address", trigger });
          }}
          onTested={setShown}
          onClose={() => ask((now) => (now === question ? null : now))}
        />
      )}
    </div>
  );
}

interface TriggerTableProps {
  readonly triggers: readonly Trigger[];
  readonly hasAddress: (trigger: Trigger) => boolean;
  readonly refusal: string | undefined;
  /** Why addresses and events cannot be read. */
  readonly hidden: string | undefined;
  readonly ask: (question: Question) => void;
  /** Shows the events that it received. */
  readonly onShow: (trigger: Trigger) => void;
  readonly onTest: (trigger: Trigger) => void;
  readonly onToggle: (trigger: Trigger) => void;
}

function TriggerTable(props: TriggerTableProps) {
  const { triggers, hasAddress, hidden, ask, onShow } = props;
  const { collections: texts, webhooks, general } = useTexts();
  return (
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
            hasAddress(trigger) ? (
              <button
                type="button"
                className="link-button"
                aria-label={`${general.show} ${webhooks.address}: ${trigger.name}`}
                disabled={hidden !== undefined}
                title={hidden}
                onClick={() => ask({ kind: "address", trigger })}
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
            <button
              type="button"
              className="link-button"
              aria-label={`${general.show} ${texts.deliveries}: ${trigger.name}`}
              disabled={hidden !== undefined}
              title={hidden}
              onClick={() => onShow(trigger)}
            >
              {general.show}
            </button>
          ),
        },
      ]}
      actions={(trigger) => <TriggerMenu {...props} trigger={trigger} />}
    />
  );
}

function TriggerMenu({ trigger, refusal, ask, onTest, onToggle }: TriggerTableProps & { readonly trigger: Trigger }) {
  const { collections: texts, general } = useTexts();
  return (
    <Menu
      isInRow
      label={`${general.more}: ${trigger.name}`}
      items={[
        { label: general.edit, icon: "edit", refusal, onChoose: () => ask({ kind: "edit", trigger }) },
        { label: texts.test, icon: "bolt", refusal, onChoose: () => onTest(trigger) },
        {
          label: trigger.enabled ? texts.disable : texts.enable,
          icon: trigger.enabled ? "pause" : "runs",
          refusal,
          onChoose: () => onToggle(trigger),
        },
        {
          label: general.delete,
          icon: "trash",
          isDangerous: true,
          refusal,
          onChoose: () => ask({ kind: "delete", trigger }),
        },
      ]}
    />
  );
}

interface TriggerDialogProps extends SettingsProps {
  readonly question: Question;
  readonly onCreated: (trigger: Trigger) => void;
  readonly onTested: (trigger: Trigger) => void;
  /** Closes the dialog of the question, and none that was opened after it. */
  readonly onClose: () => void;
}

function TriggerDialog(props: TriggerDialogProps) {
  const { appId, collection, question, onChanged, onCreated, onTested, onClose } = props;
  switch (question.kind) {
    case "new":
    case "edit":
      return (
        <TriggerForm
          appId={appId}
          collection={collection}
          trigger={question.kind === "edit" ? question.trigger : null}
          onClose={onClose}
          onSaved={(created) => {
            if (created !== null) onCreated(created);
            onChanged();
          }}
        />
      );
    case "address":
      return <TriggerAddress appId={appId} trigger={question.trigger} onClose={onClose} />;
    case "test":
      return (
        <TriggerTest
          appId={appId}
          trigger={question.trigger}
          onSent={() => onTested(question.trigger)}
          onClose={onClose}
        />
      );
    case "delete":
      return (
        <DeleteDialog
          appId={appId}
          name={question.trigger.name}
          onClose={onClose}
          onDelete={async () => {
            await client.triggers.remove(appId, collection.id, question.trigger.id);
            onChanged();
          }}
        />
      );
  }
}
