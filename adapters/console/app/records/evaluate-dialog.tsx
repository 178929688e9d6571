/** Asks before the rules run on many records. */
import type { Collection } from "../../../../src/collections/collection.ts";
import { ConfirmDialog } from "../elements/dialogs/confirm-dialog.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface EvaluateDialogProps {
  readonly appId: string;
  readonly collection: Collection;
  /** Which records. */
  readonly query: Parameters<typeof client.records.evaluateMany>[2];
  /** How many they are; null if that is not known. */
  readonly records: number | null;
  readonly onStarted: (jobId: string) => void;
  readonly onClose: () => void;
}

export function EvaluateDialog({ appId, collection, query, records, onStarted, onClose }: EvaluateDialogProps) {
  const { records: texts } = useTexts();
  const rules = collection.config.rules.filter(({ disabled }) => !disabled);
  return (
    <ConfirmDialog
      title={texts.evaluateAsk}
      action={texts.jobs.evaluate}
      isDangerous={false}
      onConfirm={async () => onStarted((await client.records.evaluateMany(appId, collection.id, query)).id)}
      onClose={onClose}
    >
      <p>{records === null ? texts.evaluateMatching : texts.evaluateRuns(records * rules.length)}</p>
    </ConfirmDialog>
  );
}
