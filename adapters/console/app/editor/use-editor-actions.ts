/** The actions of an editor in components, and what was said of the last one. */
import { useMemo, useState } from "react";
import { announce } from "../elements/announced.tsx";
import { useStable } from "../elements/use-stable.ts";
import { useTexts } from "../texts/language.ts";
import type { Way } from "./draft/ways.ts";
import { createActions, type EditorActions, type Question } from "./editor-actions.ts";
import { nameOfWay } from "./panel/step-connections.tsx";
import type { SaidOfDraft } from "./said.tsx";
import type { DraftSession } from "./saving/draft-session.ts";
import type { ChosenStep } from "./use-chosen-step.ts";
import { useHistory } from "./use-draft.ts";

export interface SaidState {
  /** Null for nothing, and for what was said of an earlier draft. */
  readonly said: SaidOfDraft | null;
  /** @param version The version that it is about. */
  readonly say: (text: string, version?: number) => void;
  readonly closeSaid: () => void;
}

export function useSaid(session: DraftSession): SaidState {
  const { present } = useHistory(session);
  const [said, setSaid] = useState<SaidOfDraft | null>(null);
  const say = useStable((text: string, version?: number) => {
    const draft = session.draft.present();
    setSaid(version === undefined ? { text, draft } : { text, draft, version });
  });
  const closeSaid = useStable(() => setSaid(null));
  // Also when undoing leads back to that draft.
  if (said !== null && said.draft !== present) setSaid(null);
  return { said, say, closeSaid };
}

/** @param ask Opens a dialog. */
export function useEditorActions(
  { draft }: DraftSession,
  { room, choose, reach, follow }: Pick<ChosenStep, "room" | "choose" | "reach" | "follow">,
  say: SaidState["say"],
  ask: (question: Question) => void,
): EditorActions {
  const { editor: texts } = useTexts();
  return useMemo(() => {
    const isAmongSteps = () =>
      room.current?.contains(document.activeElement) === true &&
      document.activeElement?.closest(".canvas, .outline, .empty-state") !== null;
    const nameOf = (way: Way) => nameOfWay(texts, way);
    const parts = { draft, texts: texts.said, nameOf, ask, choose, reach, follow, isAmongSteps, say, announce };
    return createActions(parts);
  }, [draft, texts, ask, choose, reach, follow, room, say]);
}
