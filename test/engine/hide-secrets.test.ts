/** What the input of a step shows of values whose names say that they are credentials. */
import { expect, it } from "vitest";
import { hideSecretFields } from "../../src/engine/inspection/hide-secrets.ts";

const SECRET = [
  ...[
    "Authorization",
    "Proxy-Authorization",
    "Cookie",
    "X-Api-Key",
    "api_key",
    "key",
    "auth",
    "X-Auth",
    "X-Auth-Token",
  ],
  ...["X-Auth-Key", "Ocp-Apim-Subscription-Key", "x-functions-key", "DD-APPLICATION-KEY", "X-Master-Key", "app_key"],
  ...["client_secret", "password", "sig", "X-Hub-Signature", "private key", "access.token", "JWT", "session_id"],
];
const PUBLIC = [
  "page_token",
  "nextPageToken",
  "author",
  "X-Auth-Email",
  "sort_key",
  "primaryKey",
  "keys",
  "accept",
  "signal",
];

it.each(SECRET)("hides the values of %s", (name) => {
  expect(hideSecretFields({ [name]: "abc" })).toEqual({ [name]: "[hidden]" });
  expect(hideSecretFields({ [name]: ["abc", 7] })).toEqual({ [name]: ["[hidden]", "[hidden]"] });
  const parameter = encodeURIComponent(name);
  expect(hideSecretFields(`https://a.test/?a=1&${parameter}=abc#b`)).toBe(
    `https://a.test/?a=1&${parameter}=[hidden]#b`,
  );
});

it.each(PUBLIC)("shows the values of %s", (name) => {
  expect(hideSecretFields({ [name]: "abc" })).toEqual({ [name]: "abc" });
  expect(hideSecretFields(`https://a.test/?${name}=abc`)).toBe(`https://a.test/?${name}=abc`);
});
