/** Asks before what was typed into a dialog is lost: by Escape, a link or closing the window. */
import { useLeaveGuard } from "../../routing/use-leave-guard.ts";
import { useTexts } from "../../texts/language.ts";

/**
 * @param isSending Whether it is on its way to the server, so that leaving loses nothing. @default it is not
 * @returns Whether the dialog may close, after asking.
 */
export function useDiscardQuestion(isTyped: () => boolean, isSending = () => false): () => boolean {
  const { general } = useTexts();
  useLeaveGuard(() => isTyped() && !isSending());
  return () => !isTyped() || confirm(general.discard);
}
