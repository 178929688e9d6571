import { connection } from "next/server";
import { getStepwell } from "../stepwell.js";

/** A server component calls the same instance without HTTP. */
export default async function Page() {
  await connection(); // renders for each request: `next build` cannot read the storage
  const stepwell = await getStepwell();
  const { items } = await stepwell.apps.list();
  return <p>Apps: {items.map(({ name }) => name).join(", ") || "none"}</p>;
}
