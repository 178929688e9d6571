/** Tags as people see them: their names, each with a dot in its color. */

import type { Tag } from "../../../../src/collections/tag.ts";
import { nameOr } from "../elements/values/visible-text.ts";
import "./tag-signs.css";

export function TagSigns({ tags }: { readonly tags: readonly Pick<Tag, "id" | "name" | "color">[] }) {
  return (
    <span className="tag-signs">
      {tags.map(({ id, name, color }) => (
        <span key={id} className="tag-sign" title={name}>
          <TagDot color={color} />
          <bdi>{nameOr(name, id)}</bdi>
        </span>
      ))}
    </span>
  );
}

/** The color is any text: what is no color of CSS leaves the dot as it is. */
export function TagDot({ color }: { readonly color: string }) {
  return <span className="tag-dot" style={{ backgroundColor: color }} />;
}
