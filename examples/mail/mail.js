// A service for e-mail over SMTP. Each app has its own account as a connection.
import nodemailer from "nodemailer";
import { defineService, RetryableError } from "stepwell";
import * as v from "valibot";

const CONNECTION_ERRORS = ["ECONNECTION", "ESOCKET", "ETIMEDOUT", "EDNS"];

/** RFC 5321 §4.2.1: replies of 4xx are transient, replies of 5xx are permanent. */
const isTransient = ({ responseCode, code }) => (responseCode ? responseCode < 500 : CONNECTION_ERRORS.includes(code));

// The creator of a connection decides which server is contacted: check `host` if you don't trust them.
export const mail = defineService({
  name: "mail",
  title: "E-mail",
  connection: v.object({
    host: v.pipe(v.string(), v.minLength(1, "Must not be empty.")),
    port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)), 587),
    secure: v.optional(v.boolean(), false), // TLS from the start; otherwise STARTTLS if the server offers it
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
        // SMTP can't guarantee that a mail is sent once. With the same id, mail clients show it once.
        const messageId = `<${idempotencyKey.replaceAll("/", ".")}@stepwell>`;
        try {
          const sent = await account.sendMail({ from, to, subject, text, messageId });
          return { message_id: sent.messageId, accepted: sent.accepted.map(String) };
        } catch (error) {
          throw isTransient(error) ? new RetryableError(error.message, { cause: error }) : error;
        }
      },
    },
  },
});
