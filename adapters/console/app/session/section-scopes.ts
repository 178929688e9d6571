/** What a session needs for the sections of an app. What it may not read is not asked for. */
import type { ApiKeyScope } from "../../../../src/calls/caller.ts";
import { SECTIONS, type Section } from "../routing/screen-props.ts";
import type { Messages } from "../texts/messages.ts";
import { hasScope, type Session } from "./session.ts";

/** One of them is enough. The overview and the keys say themselves what they need. */
const SCOPES: Readonly<Partial<Record<Section, readonly ApiKeyScope[]>>> = {
  workflows: ["workflows:read"],
  runs: ["runs:read"],
  inbox: ["runs:read"],
  files: ["files:read"],
  collections: ["collections:read"],
  schedules: ["schedules:read"],
  webhooks: ["hooks:read", "webhooks:read"],
  connections: ["connections:read"],
};

/** The scope that the session lacks for a section, or those of which it needs one; null if it may read it. */
export function missingScope(session: Session, section: Section | null): string | null {
  const scopes = (section === null ? undefined : SCOPES[section]) ?? [];
  if (scopes.length === 0 || scopes.some((scope) => hasScope(session, scope))) return null;
  return scopes.join(" / ");
}

/** Where the session begins: at the overview if it may read runs, else at the first section that it may read. */
export function firstSection(session: Session): Section {
  if (hasScope(session, "runs:read")) return "overview";
  return SECTIONS.find((one) => SCOPES[one] !== undefined && missingScope(session, one) === null) ?? "overview";
}

/** Why a session may not read a section, in words; null if it may. */
export function sectionRefusal(session: Session, section: Section, { general, keys }: Messages): string | null {
  if (section === "keys") return session.admin ? null : keys.adminOnly;
  const scope = missingScope(session, section);
  return scope === null ? null : general.needsScope(scope);
}
