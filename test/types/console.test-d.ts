/** Types of the console: what opens a session. */
import { assertType, describe, it } from "vitest";
import type { HostSession } from "../../src/console/web-console.ts";
import type { Stepwell } from "../../src/index.ts";

type Given = Parameters<Stepwell["console"]["createSignIn"]>[0];

describe("the type of createSignIn()", () => {
  it("takes an app, or an admin with or without one", () => {
    assertType<Given>({ app_id: "app_1" });
    assertType<Given>({ app_id: "app_1", admin: false, scopes: ["runs:read"], name: "Ann", expires_in: 60 });
    assertType<Given>({ admin: true });
    assertType<Given>({ admin: true, app_id: "app_1", scopes: null, name: null });
    const isAdmin = Boolean("a");
    assertType<Given>({ app_id: "app_1", admin: isAdmin });
  });

  it("refuses neither of them, and scopes of an admin", () => {
    // @ts-expect-error: an app is needed without admin
    assertType<Given>({});
    // @ts-expect-error: an app is needed without admin
    assertType<Given>({ admin: false });
    // @ts-expect-error: an admin may do everything
    assertType<Given>({ admin: true, scopes: ["runs:read"] });
  });
});

describe("the type of the session function", () => {
  it("takes admin: false for a person with an app", () => {
    assertType<HostSession>({ app_id: "app_1", admin: false });
    // @ts-expect-error: an admin has no app
    assertType<HostSession>({ app_id: "app_1", admin: true });
  });
});
