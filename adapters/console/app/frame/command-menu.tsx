/** Search and do: pages, actions, and what the app has. A combobox with a list (ARIA Authoring Practices). */
import { type KeyboardEvent, useId, useState } from "react";
import { useModal } from "../elements/dialogs/use-modal.ts";
import { Icon } from "../elements/icons.tsx";
import type { SessionAnswer } from "../session/session.ts";
import { useSession } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { type Command, commandsOf } from "./commands.ts";
import { useFound } from "./find-anything.ts";
import { rankCommands } from "./rank-commands.ts";
import { screenCommands } from "./screen-commands.ts";
import "./command-menu.css";

interface CommandMenuProps {
  readonly appId: string | null;
  readonly onSession: (answer: SessionAnswer) => void;
  readonly onClose: () => void;
}

export function CommandMenu({ appId, onSession, onClose }: CommandMenuProps) {
  const texts = useTexts();
  const session = useSession();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const dialog = useModal();
  const id = useId();
  const found = useFound(appId, text);
  // The screen below does not change while the menu is open.
  const [ofScreen] = useState(screenCommands);
  const named = new Set(ofScreen.map(({ label }) => label));
  const others = commandsOf(texts, { appId, session, onSession }).filter(({ label }) => !named.has(label));
  const commands = rankCommands(found, [...ofScreen, ...others], text);

  function run(command: Command | undefined): void {
    if (command === undefined) return;
    onClose();
    command.run();
  }

  function move(event: KeyboardEvent): void {
    if (event.key === "Enter") {
      event.preventDefault();
      run(commands[chosen]);
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || commands.length === 0) return;
    event.preventDefault();
    const next = (chosen + step + commands.length) % commands.length;
    setChosen(next);
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
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={commands.length === 0 ? undefined : `${id}-${chosen}`}
        aria-label={texts.frame.searchOrDo}
        placeholder={texts.frame.searchOrDo}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={move}
      />
      <p role="status" className={commands.length === 0 ? "nothing" : "visually-hidden"}>
        {commands.length === 0 ? texts.frame.noCommand : ""}
      </p>
      <div id={`${id}-list`} className="found" role="listbox" tabIndex={-1} aria-label={texts.frame.commandMenu}>
        {commands.map((command, index) => (
          <div
            key={command.name}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onPointerMove={() => setChosen(index)}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span>{command.label}</span>
            {command.keys === undefined ? null : <kbd>{command.keys}</kbd>}
          </div>
        ))}
      </div>
    </dialog>
  );
}
