// A service over a library: e-mail by SMTP, with the account of each app as its connection.
import nodemailer from "nodemailer";
import { defineService, RetryableError } from "stepwell";
import * as v from "valibot";

const LINE = ["ECONNECTION", "ESOCKET", "ETIMEDOUT", "EDNS"];

/** RFC 5321: what a server answers with 4xx may pass, with 5xx it will not. */
const mayPass = ({ responseCode, code }) => (responseCode ? responseCode < 500 : LINE.includes(code));

// Whoever may make connections says which servers are reached: check `host` where that is not the host's own people.
export const mail = defineService({
  name: "mail",
  title: "E-mail",
  connection: v.object({
    host: v.pipe(v.string(), v.minLength(1, "Must not be empty.")),
    port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)), 587),
    secure: v.optional(v.boolean(), false), // TLS from the start; otherwise as soon as the server offers it
    user: v.string(),
    password: v.string(),
  }),
  actions: {
    send: {
      title: "Send an e-mail",
      input: v.object({
        from: v.string(),
        to: v.union([v.string(), v.array(v.string())]),
        subject: v.string(),
        text: v.string(),
      }),
      output: v.object({ message_id: v.string(), accepted: v.array(v.string()) }),
      async run({ from, to, subject, text }, { connection, idempotencyKey }) {
        const { host, port, secure, user, password: pass } = connection;
        const limits = { connectionTimeout: 10_000, socketTimeout: 30_000 };
        const account = nodemailer.createTransport({ host, port, secure, auth: { user, pass }, ...limits });
        // SMTP cannot promise that a mail is sent once; with the same id, readers of mail show it once.
        const messageId = `<${idempotencyKey.replaceAll("/", ".")}@stepwell>`;
        try {
          const sent = await account.sendMail({ from, to, subject, text, messageId });
          return { message_id: sent.messageId, accepted: sent.accepted.map(String) };
        } catch (error) {
          throw mayPass(error) ? new RetryableError(error.message, { cause: error }) : error;
        }
      },
    },
  },
});
