/** Who may call most routes of collections: a key of the app with one of these scopes. */
export const read = { access: "app", scope: "collections:read" } as const;
export const write = { access: "app", scope: "collections:write" } as const;
