/** Says which characters of a text nobody sees. They can make a value look like another one. */

import { useTexts } from "../../texts/language.ts";
import { Icon } from "../icons.tsx";
import { hasInvisible, visibleText } from "./visible-text.ts";

/** Characters of the text that are shown. */
const MAX_SHOWN = 200;
/** Within words of other scripts, and between emoji, these belong to the spelling. */
const JOINERS = /[^\0-\x7f][\u200c\u200d]/g;

export function HiddenNote({ text }: { readonly text: string }) {
  const { forms } = useTexts();
  if (!hasInvisible(text) || !hasInvisible(text.replace(JOINERS, ""))) return null;
  const shown = visibleText(text.slice(0, MAX_SHOWN));
  return (
    <span className="notes hidden-note">
      <Icon name="warning" size={14} /> {forms.hiddenCharacters}{" "}
      <bdi>{text.length > MAX_SHOWN ? `${shown}…` : shown}</bdi>
    </span>
  );
}
