/** Search and do: pages, actions, and what the app has. A combobox with a list (ARIA Authoring Practices). */
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useModal } from "../elements/dialogs/use-modal.ts";
import { MAX_SEARCH } from "../elements/fields/search-field.tsx";
import { Icon } from "../elements/icons.tsx";
import { useStable } from "../elements/use-stable.ts";
import { useSession } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { type Command, commandsOf } from "./commands.ts";
import { useFound } from "./find-anything.ts";
import { rankCommands } from "./rank-commands.ts";
import { screenCommands, screenTitle, withScreen } from "./screen-commands.ts";
import "./command-menu.css";

interface CommandMenuProps {
  readonly appId: string | null;
  readonly onSignOut: (() => void) | null;
  readonly onClose: () => void;
}

export function CommandMenu({ appId, onSignOut, onClose }: CommandMenuProps) {
  const texts = useTexts();
  const session = useSession();
  const [text, setText] = useState("");
  /** Null: nobody has chosen, the first is meant. */
  const [at, setAt] = useState<number | null>(null);
  const [isFirstAwaited, setFirstAwaited] = useState(false);
  const dialog = useModal();
  const id = useId();
  const { commands, isSearching } = useFound(appId, text);
  // The screen below does not change while the menu is open.
  const [buttons] = useState(screenCommands);
  // What the screen itself does with what it shows is not offered twice.
  const found = commands.filter(({ name }) => !buttons.some((one) => one.name === name));
  const actions = withScreen(buttons, commandsOf(texts, { appId, session, onSignOut }), screenTitle());
  // What is refused answers those who look for it, and is in the way of all others.
  const wanted = text.trim() === "" ? actions.filter(({ refusal }) => refusal === undefined) : actions;
  const offered = rankCommands(found, wanted, text);
  const hasNothing = offered.length === 0 && !isSearching;
  const said = hasNothing ? texts.frame.noCommand : text === "" || isSearching ? "" : texts.frame.found(offered.length);
  // What was found may have become less.
  const chosen = Math.max(0, Math.min(at ?? 0, offered.length - 1));

  const run = useStable((command: Command | undefined): void => {
    if (command === undefined || command.refusal !== undefined) return;
    onClose();
    command.run();
  });

  const first = offered[0];
  useEffect(() => {
    if (!isFirstAwaited || isSearching) return;
    setFirstAwaited(false);
    run(first);
  }, [isFirstAwaited, isSearching, first, run]);

  function choose(next: number | null): void {
    setAt(next);
    setFirstAwaited(false);
  }

  function move(event: KeyboardEvent): void {
    // The keys of an input method are its own.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      // What the search finds may become the first.
      if (isSearching && at === null) setFirstAwaited(true);
      else run(offered[chosen]);
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || offered.length === 0) return;
    event.preventDefault();
    const next = (chosen + step + offered.length) % offered.length;
    choose(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
  }

  return (
    <dialog
      ref={dialog}
      className="command-menu"
      aria-label={texts.frame.commandMenu}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <input
        type="search"
        role="combobox"
        aria-expanded={offered.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={offered.length === 0 ? undefined : `${id}-${chosen}`}
        aria-label={texts.frame.searchOrDo}
        placeholder={texts.frame.searchOrDo}
        maxLength={MAX_SEARCH}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          choose(null);
        }}
        onKeyDown={move}
      />
      <p role="status" className={hasNothing ? "nothing" : "visually-hidden"}>
        {said}
      </p>
      <CommandList id={id} commands={offered} chosen={chosen} onPoint={choose} onRun={run} />
    </dialog>
  );
}

interface CommandListProps {
  readonly id: string;
  readonly commands: readonly Command[];
  /** Place of the chosen one. */
  readonly chosen: number;
  /** The pointer is on a command. */
  readonly onPoint: (at: number) => void;
  readonly onRun: (command: Command) => void;
}

function CommandList({ id, commands, chosen, onPoint, onRun }: CommandListProps) {
  const { frame } = useTexts();
  return (
    <div id={`${id}-list`} className="found" role="listbox" tabIndex={-1} aria-label={frame.commandMenu}>
      {commands.map((command, index) => (
        <div
          key={command.name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          aria-disabled={command.refusal !== undefined}
          onPointerMove={() => onPoint(index)}
          onClick={() => onRun(command)}
        >
          <Icon name={command.icon} />
          <bdi title={command.label}>{command.label}</bdi>
          {command.refusal === undefined ? null : <small>{command.refusal}</small>}
          {command.keys === undefined ? null : <kbd>{command.keys}</kbd>}
        </div>
      ))}
    </div>
  );
}
