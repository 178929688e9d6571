/** Chooses tags of the app. */

import { useQuery } from "@tanstack/react-query";
import { nameOr } from "../elements/values/visible-text.ts";
import { client } from "../server/client.ts";
import { TagDot } from "./tag-signs.tsx";
import "./tag-picker.css";

const MAX_SHOWN = 1_000;

/** The tags of an app, for lists and pickers. */
export function useTags(appId: string) {
  const tags = useQuery({
    queryKey: [appId, "tags"],
    queryFn: ({ signal }) => client.with({ signal }).tags.list(appId, { take: MAX_SHOWN }),
    staleTime: 30_000,
  });
  return tags.data?.items ?? [];
}

interface TagPickerProps {
  readonly appId: string;
  readonly legend: string;
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

export function TagPicker({ appId, legend, chosen, onChange }: TagPickerProps) {
  const tags = useTags(appId);
  if (tags.length === 0) return null;
  return (
    <fieldset className="tag-picker">
      <legend>{legend}</legend>
      {tags.map(({ id, name, color }) => (
        <label key={id} title={name}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
          <TagDot color={color} />
          <bdi>{nameOr(name, id)}</bdi>
        </label>
      ))}
    </fieldset>
  );
}
