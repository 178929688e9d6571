export const connections = {
  title: "Connections",
  empty: "There are no connections.",
  emptyText: "A connection stores the credentials of a service, encrypted. Steps and triggers use it by its id.",
  noSecret: "This server has no secret to encrypt credentials with. Its operator sets the option “secret”.",
  create: "New connection",
  service: "Service",
  credentials: "Credentials",
  replace: "Replace credentials",
  replaceHint: "The new credentials replace all of the stored ones.",
  inUse: "Something still uses it. Deleting it makes these fail:",
  force: "Delete it anyway",
};
