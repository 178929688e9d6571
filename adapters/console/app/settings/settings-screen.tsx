/** The settings of this browser. */
import { useId } from "react";
import { LANGUAGES } from "../../../../src/web-pages/languages.ts";
import { Field } from "../elements/fields/field.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { useTexts } from "../texts/language.ts";
import { DENSITIES, LANGUAGE_NAMES, MOTIONS, THEMES } from "./settings.ts";
import { changeSettings, useSettings } from "./use-settings.ts";
import "./settings-screen.css";

export default function SettingsScreen() {
  const { settings: texts } = useTexts();
  const settings = useSettings();
  return (
    <div className="settings-screen">
      <PageHead title={texts.title} below={texts.intro} />
      <Choice
        label={texts.language}
        all={LANGUAGES}
        names={LANGUAGE_NAMES}
        chosen={settings.language}
        onChoose={(language) => changeSettings({ language })}
      />
      <Choice
        label={texts.theme}
        all={THEMES}
        names={texts.themes}
        chosen={settings.theme}
        onChoose={(theme) => changeSettings({ theme })}
      />
      <Choice
        label={texts.density}
        all={DENSITIES}
        names={texts.densities}
        chosen={settings.density}
        onChoose={(density) => changeSettings({ density })}
      />
      <Choice
        label={texts.motion}
        all={MOTIONS}
        names={texts.motions}
        chosen={settings.motion}
        onChoose={(motion) => changeSettings({ motion })}
      />
      <Switch
        label={texts.prefersOutline}
        hint={texts.prefersOutlineHint}
        isOn={settings.prefersOutline}
        onChange={(prefersOutline) => changeSettings({ prefersOutline })}
      />
      <Switch
        label={texts.hasShortcuts}
        isOn={settings.hasShortcuts}
        onChange={(hasShortcuts) => changeSettings({ hasShortcuts })}
      />
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly all: readonly Value[];
  readonly names: Readonly<Record<Value, string>>;
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

function Choice<Value extends string>({ label, all, names, chosen, onChoose }: ChoiceProps<Value>) {
  return (
    <Field label={label}>
      {(attributes) => (
        <select
          {...attributes}
          value={chosen}
          onChange={({ target }) => {
            const value = all.find((one) => one === target.value);
            if (value !== undefined) onChoose(value);
          }}
        >
          {all.map((value) => (
            <option key={value} value={value}>
              {names[value]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Switch({ label, hint, isOn, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="switch">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
