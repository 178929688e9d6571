export const session = {
  title: "Sign in",
  intro: "Paste an API key of an app, or the admin key.",
  key: "API key",
  keyHint: "It is exchanged for a cookie that scripts cannot read, and is stored nowhere else in this browser.",
  signIn: "Sign in",
  refused: "This key is unknown, revoked or expired.",
  ended: "Your session has ended. Sign in again: what you typed is kept.",
  addressUsed: "This address has been used, or has expired.",
  newAddress:
    "Each address signs in once. For stepwell dev, press o in its terminal to open another one, or restart it. Otherwise ask for a new address where you got this one, or sign in with a key.",
  hostSignIn: "Sign in with your account",
  noApps: "There is no app yet.",
  createApp: "Create an app",
  appName: "Name of the app",
  openApp: "Open",
};
