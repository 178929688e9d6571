/** A search above a list. It searches while one types, after a short rest. */
import { useEffect, useState } from "react";
import { useTexts } from "../../texts/language.ts";
import "./search-field.css";

const REST_MS = 250;
/** Letters of a search, which is part of an address: servers refuse long ones. */
export const MAX_SEARCH = 200;

interface SearchFieldProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** @default "Search" */
  readonly label?: string;
}

export function SearchField({ value, onChange, label }: SearchFieldProps) {
  const { general } = useTexts();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), REST_MS);
    return () => clearTimeout(timer);
  });
  return (
    <input
      type="search"
      className="search-field"
      aria-label={label ?? general.search}
      placeholder={label ?? general.search}
      maxLength={MAX_SEARCH}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}
