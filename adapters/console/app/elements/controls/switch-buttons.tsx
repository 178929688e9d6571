/** Buttons of which one is pressed, such as the ways in which the same can be shown. */
import "./switch-buttons.css";

interface SwitchButton<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** @default false */
  readonly isDisabled?: boolean;
}

interface SwitchButtonsProps<Name extends string> {
  /** Names the group for screen readers. */
  readonly label: string;
  readonly buttons: readonly SwitchButton<Name>[];
  readonly chosen: Name | undefined;
  /** @default false */
  readonly isSmall?: boolean;
  readonly onChoose: (name: Name) => void;
}

export function SwitchButtons<Name extends string>(props: SwitchButtonsProps<Name>) {
  const { label, buttons, chosen, isSmall = false, onChoose } = props;
  return (
    <div role="group" aria-label={label} className={isSmall ? "switch-buttons small" : "switch-buttons"}>
      {buttons.map((button) => (
        <button
          key={button.name}
          type="button"
          aria-pressed={button.name === chosen}
          data-word={button.label}
          disabled={button.isDisabled}
          onClick={() => onChoose(button.name)}
        >
          {button.label}
        </button>
      ))}
    </div>
  );
}
