/** A list that is searched by typing: the field keeps the focus, arrows choose (ARIA Authoring Practices, combobox). */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Icon, type IconName } from "../../elements/icons.tsx";
import { useTexts } from "../../texts/language.ts";
import { matchesOf, type Searched } from "./matches.ts";
import "./choice-list.css";

/** Its detail stands below its label, and one heading above those of the same group. */
export interface Choice extends Searched {
  readonly id: string;
  readonly icon: IconName;
}

interface ChoiceListProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly onChoose: (id: string) => void;
  /** What helps with a search for something that is not in the list; null for nothing. */
  readonly hintFor?: (search: string) => string | null;
  readonly children?: ReactNode;
}

export function ChoiceList({ label, choices, onChoose, hintFor, children }: ChoiceListProps) {
  const { editor: texts } = useTexts();
  const [search, setSearch] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const found = matchesOf(choices, search);
  const hint = hintFor?.(search) ?? null;
  const chosen = found[Math.min(at, found.length - 1)];

  // Typing searches at once.
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen?.id]);

  function onKeyDown(event: KeyboardEvent): void {
    // The keys of an input method are its own.
    if (event.nativeEvent.isComposing) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1 };
    const next = steps[event.key];
    if (next !== undefined && found.length > 0) setAt((next + found.length) % found.length);
    else if (event.key === "Enter" && chosen !== undefined) onChoose(chosen.id);
    else return;
    event.preventDefault();
  }

  return (
    <div className="choice-list">
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`}
        aria-autocomplete="list"
        placeholder={label}
        autoComplete="off"
        value={search}
        onChange={({ target }) => {
          setSearch(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {children}
      <div ref={list} id={`${id}-list`} role="listbox" tabIndex={-1} aria-label={label} className="choices">
        {found.map((choice, index) => (
          <Option
            key={choice.id}
            id={`${id}-${choice.id}`}
            choice={choice}
            heading={choice.group !== found[index - 1]?.group ? choice.group : undefined}
            isChosen={choice === chosen}
            onChoose={onChoose}
          />
        ))}
      </div>
      <p role="status">{hint ?? (found.length === 0 ? texts.nothingFound : "")}</p>
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly choice: Choice;
  readonly heading: string | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
}

function Option({ id, choice, heading, isChosen, onChoose }: OptionProps) {
  return (
    <>
      {heading === undefined ? null : (
        <div className="heading" aria-hidden="true">
          {heading}
        </div>
      )}
      <div id={id} role="option" tabIndex={-1} aria-selected={isChosen} onClick={() => onChoose(choice.id)}>
        <Icon name={choice.icon} />
        <span>
          <bdi className="label">{choice.label}</bdi>
          <span className="detail">{choice.detail}</span>
        </span>
      </div>
    </>
  );
}
