/** Leads from a long list of steps back to the head of the run. Only while that is not seen. */
import { useEffect, useState } from "react";
import { Icon } from "../../elements/icons.tsx";
import { useTexts } from "../../texts/language.ts";

export function ToTop() {
  const { run: texts } = useTexts();
  const isSeen = useHeadSeen();
  if (isSeen) return null;
  return (
    <button
      type="button"
      className="to-top"
      onClick={() => {
        // The button goes when the head is seen, and would take the focus with it.
        heading()?.focus({ preventScroll: true });
        scrollTo({ top: 0, behavior: "instant" });
      }}
    >
      <Icon name="arrowUp" size={14} />
      <span className="word">{texts.toTop}</span>
    </button>
  );
}

const heading = () => document.querySelector<HTMLElement>(".run-screen .page-head h1");

function useHeadSeen(): boolean {
  const [isSeen, setSeen] = useState(true);
  useEffect(() => {
    const head = heading()?.closest(".page-head");
    if (head == null) return undefined;
    const observer = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting !== false));
    observer.observe(head);
    return () => observer.disconnect();
  }, []);
  return isSeen;
}
