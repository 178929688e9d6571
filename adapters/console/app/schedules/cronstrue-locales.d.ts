/** Imported for their effect: each adds its language to cronstrue. */
declare module "cronstrue/locales/*";
