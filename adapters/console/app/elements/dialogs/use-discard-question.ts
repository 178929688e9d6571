/** Asks before what was typed into a dialog is lost: by Escape, a link or closing the window. */
import { useLeaveGuard } from "../../routing/use-leave-guard.ts";
import { useTexts } from "../../texts/language.ts";

/** @returns Whether the dialog may close, after asking. */
export function useDiscardQuestion(isTyped: () => boolean): () => boolean {
  const { general } = useTexts();
  useLeaveGuard(isTyped);
  return () => !isTyped() || confirm(general.discard);
}
