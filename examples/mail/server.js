// A mail server on loopback with one account. It keeps what it receives.
import { SMTPServer } from "smtp-server";

export async function openMailServer({ user, password }) {
  const mails = [];
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true, // no certificate needed: reachable from this machine only
    disabledCommands: ["STARTTLS"],
    onAuth(given, _session, done) {
      if (given.username === user && given.password === password) done(null, { user });
      else done(Object.assign(new Error("Wrong name or password"), { responseCode: 535 }));
    },
    async onData(stream, { envelope }, done) {
      const lines = [];
      for await (const piece of stream) lines.push(piece);
      mails.push({
        to: envelope.rcptTo.map(({ address }) => address),
        text: Buffer.concat(lines).toString().replaceAll("\r\n", "\n"),
      });
      done();
    },
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: server.server.address().port, mails, close: () => new Promise((resolve) => server.close(resolve)) };
}
