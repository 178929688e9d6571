/** Sending a form whose files are still being uploaded: it is sent once they are stored. */
import { useEffect, useRef, useState } from "react";
import { pendingUploads } from "../../../../../src/forms/model/pending-uploads.ts";
import type { JsonValue } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { useTexts } from "../../texts/language.ts";
import type { FormState } from "../use-form-state.ts";
import { isUnderway, uploadEnd } from "./uploads.ts";

export interface UploadWait {
  /** The form must not be changed meanwhile. */
  readonly isWaiting: boolean;
  /** Nothing is sent then. */
  readonly stop: () => void;
  /** Reads the form once its files are stored. Null if it is not to be sent: it says why, unless a person has stopped it. */
  readonly read: () => Promise<JsonValue | null>;
}

export function useUploadWait(form: FormState): UploadWait {
  const [isWaiting, setWaiting] = useState(false);
  const waiting = useRef<AbortController | null>(null);
  // Stored files change the form while it waits for the others.
  const latest = useRef(form);
  latest.current = form;
  const stop = () => waiting.current?.abort();
  // Nobody who has left the form expects it to be sent.
  useEffect(() => () => waiting.current?.abort(), []);

  async function read(): Promise<JsonValue | null> {
    const ids = pendingUploads(form.values);
    // What is broken since a reload waits for a person.
    if (ids.length === 0 || !ids.every(isUnderway)) return form.read();
    const value = form.read({ allowsUploads: true });
    if (value === null) return null;
    const controller = new AbortController();
    waiting.current = controller;
    setWaiting(true);
    try {
      const ends = await Promise.all(ids.map((id) => uploadEnd(id, controller.signal)));
      return ends.every(({ status }) => status === "stored") ? value : latest.current.read();
    } catch (error) {
      if (controller.signal.aborted) return null;
      throw error;
    } finally {
      setWaiting(false);
    }
  }
  return { isWaiting, stop, read };
}

/** Beside the button that sends the form. */
export function UploadWaitNote({ isWaiting, stop }: UploadWait) {
  const { forms, general } = useTexts();
  return (
    <>
      <span role="status">{isWaiting ? forms.sentAfterUpload : null}</span>
      {isWaiting ? (
        <Button
          data-unlocked
          onClick={({ currentTarget }) => {
            currentTarget.form?.querySelector<HTMLElement>("[type=submit]")?.focus();
            stop();
          }}
        >
          {general.cancel}
        </Button>
      ) : null}
    </>
  );
}
