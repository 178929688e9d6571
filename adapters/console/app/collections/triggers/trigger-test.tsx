/** Sends an event to a trigger, as if its source had sent it. */
import type { Trigger } from "../../../../../src/collections/triggers/trigger.ts";
import { FormDialog } from "../../elements/dialogs/form-dialog.tsx";
import { FormPart } from "../../forms/parts/form-part.tsx";
import { useFormPart } from "../../forms/parts/use-form-part.ts";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";

interface TriggerTestProps {
  readonly appId: string;
  readonly trigger: Trigger;
  readonly onSent: () => void;
  readonly onClose: () => void;
}

/** For a type without a sample: the event has the data that somebody gives here. */
export function TriggerTest({ appId, trigger, onSent, onClose }: TriggerTestProps) {
  const { collections: texts } = useTexts();
  const part = useFormPart({});
  const send = async () => {
    const data = part.read();
    if (data === null) return false;
    try {
      await client.triggers.test(appId, trigger.collection_id, trigger.id, { data });
    } catch (error) {
      part.refuse(error, "/data");
      throw error;
    }
    onSent();
    return true;
  };
  return (
    <FormDialog title={texts.test} action={texts.sendTest} onSubmit={send} onClose={onClose} pointers={["/data"]}>
      {() => (
        <FormPart
          part={part}
          makeModel={() => ({ kind: "json" })}
          appId={appId}
          label={texts.testData}
          hint={texts.testDataHint}
        />
      )}
    </FormDialog>
  );
}
