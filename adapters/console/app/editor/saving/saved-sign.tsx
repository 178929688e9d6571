/** Whether the server has the draft. */
import { messageOf } from "../../elements/problem-note.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import type { Saving } from "./autosave.ts";

interface SavedSignProps {
  readonly saving: Saving;
  /** Whether the JSON has something that the draft has not. */
  readonly isJsonUnsaved: boolean;
  readonly onCompare: () => void;
}

export function SavedSign({ saving, isJsonUnsaved, onCompare }: SavedSignProps) {
  const { editor: texts, general } = useTexts();
  const format = useFormat();
  const timeOf = (at: number) => format.timeOfDay(new Date(at).toISOString());
  if (saving.kind === "clash")
    return (
      <span className="saved-sign clash" role="status">
        {texts.clash}{" "}
        <button type="button" className="link-button" onClick={onCompare}>
          {texts.clashOpen}
        </button>
      </span>
    );
  // The JSON view says the same to screen readers.
  if (isJsonUnsaved)
    return (
      <span className="saved-sign kept" title={texts.jsonUnsavedWhy}>
        {texts.jsonUnsaved}
      </span>
    );
  if (saving.kind === "kept")
    return (
      <span className="saved-sign kept" role="status" title={texts.keptWhy(messageOf(saving.error, general))}>
        {saving.isHere ? texts.keptSince(timeOf(saving.at)) : texts.keptNowhere}
      </span>
    );
  // Said only to the eye: each change would be announced twice.
  return (
    <span className="saved-sign">
      {saving.kind === "saving" ? texts.saving : saving.at === null ? texts.saved : texts.savedAt(timeOf(saving.at))}
    </span>
  );
}
